/** Activation, reported fraud, closing and loss: changes of state for good, those first that are worth most where cards are few. */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { accepted, requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { nothingMoved, paysFrom } from './scenarios/balances.ts';
import { activation, closing, fraudUnmarked, loss } from './scenarios/endings.ts';
import { recordIsLeftBehind } from './scenarios/suspension.ts';
import { acceptedInState, stateAfter } from './scenarios/transition.ts';

const { check, suite } = defineSuite();
export const cardDisposalSuite = suite;

check('cards.activate.required-only', 'an unused card', async (t) =>
  acceptedInState(await t.shared(activation), 'the activation of an unused card'),
);

check('cards.activate.active', 'by getStatus and the record', async (t) => {
  const { status } = stateAfter(await t.shared(activation));
  if (status !== ACTIVE) await failByRecord(t, `a card that is activated is ${status}`, ACTIVE, `${status}`);
});

check('cards.unmarkFraud.required-only', 'a card with reported fraud', async (t) => {
  const unmarked = await t.shared(fraudUnmarked);
  if (!succeeded(unmarked.answer()) && isActive(unmarked.before))
    inconclusive('it is refused for a card that is Active, so its fraud may have been unmarked before');
  acceptedInState(unmarked, 'unmarking the reported fraud of a card');
});

check('cards.close.required-only', 'an Active card', async (t) => {
  const { closing: first, emptied, mayHaveBalance } = await t.shared(closing);
  if (succeeded(first.answer()) || !mayHaveBalance) return acceptedInState(first, 'the closing of an Active card');
  if (!isActive(first.untouched())) inconclusive('it is refused, and the card is not seen to be Active');
  accepted(emptied().answer, 'the closing of an Active card without a balance');
});

check('cards.close.not-active', 'by getStatus and the record', async (t) => {
  const { closing: first, emptied } = await t.shared(closing);
  const state = succeeded(first.answer()) ? stateAfter(first) : emptied().after;
  requireAccepted(succeeded(first.answer()) ? first.answer() : emptied().answer, 'the closing of an Active card');
  if (isActive(state)) await failByRecord(t, 'a closed card is Active', `not ${ACTIVE}`, ACTIVE);
});

check('cards.close.stops-payments', 'a transfer from a closed card with a balance', async (t) => {
  const { card, paysBefore, paysClosed, late } = await t.shared(closing);
  const { answer, gains } = paysClosed();
  if (!nothingMoved(gains) || !nothingMoved(late()))
    fail('a transfer from a closed card moves money', {
      expected: 'a target that gains nothing',
      actual: `status ${answer.status}, and a target that gains money`,
    });
  if (!paysFrom(card)(paysBefore().gains)) inconclusive('the card did not pay before it was closed');
});

check('cards.markLost.required-only', 'an Active card', async (t) =>
  acceptedInState(await t.shared(loss), 'marking an Active card lost'),
);

check('cards.markLost.not-active', 'by getStatus and the record', async (t) => {
  if (isActive(stateAfter(await t.shared(loss))))
    await failByRecord(t, 'a card that is marked lost is Active', `not ${ACTIVE}`, ACTIVE);
});

/** @throws Nonconformance, or Inconclusive where getStatus does not refresh the record by which states are judged */
async function failByRecord(t: Context, message: string, expected: string, actual: string): Promise<void> {
  if (await recordIsLeftBehind(t)) inconclusive(`${message}, but getStatus was seen not to refresh the record`);
  fail(message, { expected, actual, pointer: '/status' });
}
