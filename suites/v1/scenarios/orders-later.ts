/** Orders that are repeated once the target's time has passed: what is unique is so at all times. The checks that use it are of phase 'later'. */
import { member, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import { attempt, values } from '../../shared/step.ts';
import { type OrdersAgain, orderAgain } from './restricted-user.ts';
import { endedLater, logIn, logOut, ownsSession } from './session-lifecycle.ts';

/** In a session of its own; nothing where no time has passed, or nobody can log in any more. */
export const ordersLater = scenario('orders of hours before', async (t): Promise<OrdersAgain> => {
  if (t.run.clockAdvanced === 0 || !ownsSession(t)) return {};
  await attempt(() => t.known(endedLater));
  const [login] = values([await logIn(t, t.run.loginQuery(), 'refusable')]).filter(succeeded);
  const sessionId = login && member(login, 'sessionId');
  if (typeof sessionId !== 'string') return {};
  const again = await orderAgain(t, sessionId);
  await logOut(t, sessionId);
  return again;
});
