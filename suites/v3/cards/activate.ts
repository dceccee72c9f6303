/** Activation of an unused card, and of a closed one, to which it does not apply (reading 29). */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { expectAcceptedInState, requireNotSpent, requirePinTried } from './accepted-in-state.ts';
import { failByRecord, requireStateAfter } from './judge-state.ts';
import { closedCard } from './scenarios/closing.ts';
import { activation, madeActive, wasAskedElsewhere } from './scenarios/endings.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';

const { check, suite } = defineSuite();
export const activateSuite = suite;

check('cards.activate.required-only', 'an unused card', { phase: 'last' }, async (t) => {
  const activated = await t.shared(activation);
  if (!succeeded(activated.answer())) await requireNotSpent(t, activated);
  requirePinTried(t, activated.answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.activate'], 'the activation of an unused card');
});

check(
  'cards.activate.active',
  'by getStatus and the record, after a second activation that is refused, too',
  async (t) => {
    const activated = await t.shared(activation);
    const { status } = requireStateAfter(activated);
    if (status === ACTIVE) return;
    await requireNotSpent(t, activated);
    await failByRecord(t, `a card is ${status} after its activation`, ACTIVE, `${status}`);
  },
);

check('cards.activate.leaves-closed', 'a closed card', async (t) => {
  const closed = await t.shared(closedCard);
  if (madeActive(closed, ['cards.activate']).length > 0)
    await failByRecord(t, 'a closed card is Active after activate', `not ${ACTIVE}`, ACTIVE);
  if (!wasAskedElsewhere(closed, 'cards.activate')) inconclusive('no card was seen to be closed');
});
