/** Reported fraud is unmarked (reading 10: nothing readable shows the effect). */
import { succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { fraudUnmarked } from './scenarios/endings.ts';
import { expectAcceptedInState } from './scenarios/transition.ts';

const { check, suite } = defineSuite();
export const cardFraudSuite = suite;

check('cards.unmarkFraud.required-only', 'a card with reported fraud', async (t) => {
  const unmarked = await t.shared(fraudUnmarked);
  if (!succeeded(unmarked.answer()) && isActive(unmarked.before))
    inconclusive('it is refused for a card that is Active, so its fraud may have been unmarked before');
  await expectAcceptedInState(t, unmarked, 'unmarking the reported fraud of a card');
});
