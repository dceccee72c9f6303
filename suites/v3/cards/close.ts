/** Closing a card, which is final (reading 29). */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import { values } from '../../../helpers/engine/step.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { expectAcceptedInState, expectNotDoneThoughRefused, requirePinTried } from './accepted-in-state.ts';
import { failByRecord, requireStateAfter } from './judge-state.ts';
import { expectBooks } from './money/bookkeeping.ts';
import { closedCard, closing } from './scenarios/closing.ts';
import { activation, madeActive } from './scenarios/endings.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';

const { check, suite } = defineSuite();
export const closeSuite = suite;

check('cards.close.required-only', 'an Active card, in any way', async (t) => {
  const { closing: first, mayHaveBalance, paysBefore } = (await t.shared(closing.first)).facts;
  const what = 'the closing of an Active card';
  await expectNotDoneThoughRefused(t, TRANSITIONS['cards.close'], what);
  const { answer, ofUnpaid } = await t.shared(closedCard);
  if (succeeded(answer())) return;
  // A target may require an empty card, and have bookings to finish before it closes an account.
  const pays = values([paysBefore]).length > 0;
  const wantsOther = mayHaveBalance || pays;
  if (wantsOther && values([ofUnpaid]).length === 0)
    inconclusive(
      'it is refused for a card that has a balance or took part in transfers, and there is no empty card that did not',
    );
  requirePinTried(t, first.answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.close'], what, pays);
});

check('cards.close.not-active', 'by getStatus and the record', async (t) => {
  if (isActive(requireStateAfter(await t.shared(closedCard))))
    await failByRecord(t, 'a closed card is Active', `not ${ACTIVE}`, ACTIVE);
});

check('cards.close.not-active', 'a card that was activated', async (t) => {
  const { ended } = await t.shared(activation);
  for (const { by, state } of values([ended]))
    if (by.includes('cards.close') && isActive(state))
      await failByRecord(t, 'a closed card, which was unused before, is Active', `not ${ACTIVE}`, ACTIVE);
});

check('cards.close.stays-closed', 'whatever is asked of it afterwards', async (t) => {
  const closed = await t.shared(closedCard);
  requireStateAfter(closed);
  const operations = Object.keys(closed.elsewhere);
  const [first] = madeActive(closed, operations);
  if (first !== undefined) await failByRecord(t, `a closed card is Active after ${first}`, `not ${ACTIVE}`, ACTIVE);
  if (operations.length === 0) inconclusive('no card was seen to be closed');
});

check('cards.close.stops-payments', 'a transfer from a closed card with a balance', (t) =>
  expectBooks(t, closing, 'cards.close.stops-payments'),
);

const mayClose = ({ run }: Configuration) => run.risk === 'irreversible';

check('cards.transfer.refused-moves-nothing', 'to a closed card', { applies: mayClose }, (t) =>
  expectBooks(t, closing, 'cards.transfer.refused-moves-nothing'),
);

check('cards.transfer.to-closed-loses-nothing', 'an accepted one', (t) =>
  expectBooks(t, closing, 'cards.transfer.to-closed-loses-nothing'),
);
