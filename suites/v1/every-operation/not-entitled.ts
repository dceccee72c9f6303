/** A user who is not entitled to an operation is refused with 401 (reading 35). */
import { succeeded } from '../../../helpers/answer.ts';
import { requirePresent } from '../../../helpers/engine/acceptance.ts';
import { expectNothingGiven } from '../../../helpers/engine/disclosure.ts';
import { expectStatus } from '../../../helpers/expect.ts';
import { attempt, inconclusive } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Lifecycle from '../scenarios/lifecycle.ts';
import * as RestrictedUser from '../scenarios/restricted-user.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';

check('portal.not-entitled', 'the forbidden operation', { phase: 'last' }, async (t) => {
  await attempt(() => t.known(Lifecycle.tried));
  const { forbidden } = await t.known(RestrictedUser.tried);
  for (const answer of forbidden.get()) {
    const { id } = answer.operation;
    requirePresent(t, id);
    const what = `${id} by a user who is not entitled to it`;
    // Another status may be about the session, which may end at any time, or about too many requests.
    if (!succeeded(answer) && answer.status !== 401) {
      if (!(await t.known(RestrictedUser.beside)))
        inconclusive('the session of the restricted user has ended, or cannot be logged out');
      await ValidRequests.requireAcceptedNow(t, id);
    }
    t.exchanges.push(answer.exchange);
    expectStatus(answer, [401], what);
    const { value: good } = await attempt(() => t.known(ValidRequests.of(id)));
    if (good) expectNothingGiven(answer, what, { good: good.answer, history: t.run.answers });
  }
});
