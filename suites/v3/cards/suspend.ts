/** Suspension, and the record of a card that follows its status. */

import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { accepted, requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { movedExactly, nothingMoved, paysFrom } from './scenarios/balances.ts';
import { isSuspendedElsewhere, type SuspensionFacts, suspension } from './scenarios/suspension.ts';
import { acceptedInState, stateAfter } from './scenarios/transition.ts';

const { check, suite } = defineSuite();
export const cardStatesSuite = suite;

check('cards.suspend.required-only', 'an Active card', async (t) =>
  acceptedInState((await t.shared(suspension)).suspend, 'the suspension of an Active card'),
);

check('cards.suspend.not-active', 'by getStatus and the record', async (t) => {
  const facts = await t.shared(suspension);
  if (!isActive(stateAfter(facts.suspend))) return;
  if (isSuspendedElsewhere(facts).byNumber)
    inconclusive('getStatus gives another number than before, and the record does not follow it');
  fail('a suspended card is Active', { expected: `not ${ACTIVE}`, actual: ACTIVE, pointer: '/status' });
});

check('cards.getStatus.refreshes-record', 'after a suspension', async (t) => {
  const facts = await t.shared(suspension);
  if (!isActive(stateAfter(facts.suspend))) return;
  const { byNumber, byPayment } = isSuspendedElsewhere(facts);
  if (!byNumber && !byPayment) inconclusive('no change of status is seen');
  fail('the record is not refreshed by reading the status of a card that was suspended', {
    expected: `not ${ACTIVE}`,
    actual: ACTIVE,
    pointer: '/status',
  });
});

check('cards.suspend.stops-payments', 'a transfer from a suspended card', async (t) => {
  const facts = await t.shared(suspension);
  const { answer, gains } = facts.paysSuspended();
  const moved = [gains, facts.late()].find(paysFrom(facts.card));
  if (moved)
    fail('a transfer from a suspended card moves money', {
      expected: 'balances that stay',
      actual: `status ${answer.status}, and the source gains ${moved.get(facts.card)} cents`,
    });
  paid(facts);
});

check('cards.unsuspend.required-only', 'a suspended card', async (t) => {
  const unsuspend = (await t.shared(suspension)).unsuspend();
  if (isActive(unsuspend.before) && !succeeded(unsuspend.answer()))
    inconclusive('it is refused for a card that was not seen to be suspended');
  acceptedInState(unsuspend, 'the end of a suspension');
});

check('cards.unsuspend.active', 'by getStatus and the record', async (t) => {
  const unsuspend = (await t.shared(suspension)).unsuspend();
  if (isActive(unsuspend.before)) inconclusive('the card was not seen to be suspended');
  const { status } = stateAfter(unsuspend);
  if (status !== ACTIVE)
    fail(`a card that is unsuspended is ${status}`, { expected: ACTIVE, actual: `${status}`, pointer: '/status' });
});

check('cards.unsuspend.pays-again', 'a transfer from the card', async (t) => {
  const facts = await t.shared(suspension);
  requireAccepted(facts.unsuspend().answer(), 'the end of the suspension');
  if (!nothingMoved(facts.paysSuspended().gains)) inconclusive('the suspended card paid, too');
  paid(facts);
  const { answer, gains, cents } = facts.paysAgain();
  accepted(answer, 'a transfer from a card that is unsuspended');
  if (!succeeded(answer) || !movedExactly(gains, facts.card, facts.partner, cents!))
    fail('a transfer from a card that is unsuspended does not move its amount', {
      expected: `${-cents!} cents`,
      actual: `${gains.get(facts.card)} cents`,
    });
});

/** The card paid before it was suspended: else it says nothing that it does not now. @throws Inconclusive otherwise */
function paid({ card, partner, paysBefore }: SuspensionFacts): void {
  const { gains, cents } = paysBefore();
  if (!movedExactly(gains, card, partner, cents!)) inconclusive('the card did not pay before it was suspended');
}
