/** Repeats orders hours later by the target's clock: unique values stay unique. For checks of phase 'later'. */
import { member, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import { attempt, values } from '../../../helpers/verdict.ts';
import { orderAgain } from './restricted-user.ts';
import { endedLater, logIn, logOut, ownsSession } from './session-lifecycle.ts';

/** Repeats orders in a new session, where the clock was moved. */
export const ordersLater = scenario('orders of hours before', async (t): Promise<void> => {
  if (t.run.clockAdvanced === 0 || !ownsSession(t)) return;
  await attempt(() => t.known(endedLater));
  const [login] = values([await logIn(t, t.run.loginQuery(), 'refusable')]).filter(succeeded);
  const sessionId = login && member(login, 'sessionId');
  if (typeof sessionId !== 'string') return;
  await orderAgain(t, sessionId);
  await logOut(t, sessionId);
});
