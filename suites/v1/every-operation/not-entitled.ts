/** A user who is not entitled to an operation is refused with 401 (reading 35). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { expectNothingGiven } from '../../../helpers/engine/disclosure.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { expectStatus } from '../../../helpers/expect.ts';
import { optional, valuesOf } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Persons from '../cip/persons.ts';
import * as Lifecycle from '../scenarios/lifecycle.ts';
import * as RestrictedUser from '../scenarios/restricted-user.ts';
import * as Sessions from '../scenarios/sessions.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';

/** Another status may be about the session, which may end at any time, or about too many requests: it is tried in new sessions, in quiet. */
async function tryAnew(
  t: Context,
  answer: Answer,
): Promise<{ answer: Answer; retrial?: Awaited<ReturnType<typeof Retrial.afterSilences>>['retrial'] }> {
  if (succeeded(answer) || answer.status === 401) return { answer };
  const { id } = answer.operation;
  return Retrial.afterSilences(t, answer, ValidRequests.rightTwin(t, id), () => RestrictedUser.tryAnew(t), {
    isRight: ({ status }) => status === 401,
  });
}

// The forbidden operation may be a CIP check.
Persons.checks.reads('portal.not-entitled', 'base');
Lifecycle.sessions.reads('portal.not-entitled', 'forbidden', 'forbiddenLater', 'forbiddenFurther');

check('portal.not-entitled', 'the forbidden operation', { phase: 'last' }, async (t) => {
  const { forbidden, forbiddenLater, forbiddenFurther } = await Lifecycle.sessions.known(t);
  const later = [...valuesOf([forbiddenLater]), ...valuesOf([forbiddenFurther]).flat()];
  for (const answer of [...forbidden.get(), ...later]) {
    const { id } = answer.operation;
    const what = `${id} by a user who is not entitled to it`;
    const { answer: last, retrial } = await tryAnew(t, answer);
    t.exchanges.push(last.exchange);
    expectStatus(last, [401], what, retrial);
    const good = id !== Sessions.LOGOUT && (await optional(t.known(ValidRequests.requestOf(id))));
    if (good) expectNothingGiven(last, what, { good: good.answer, history: t.run.answers });
  }
});
