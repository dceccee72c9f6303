/** Unmarking reported fraud; nothing readable shows the effect (reading 10). */
import { succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { expectAcceptedInState, requireNotSpent } from './accepted-in-state.ts';
import { fraudUnmarked } from './scenarios/endings.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';

const { check, suite } = defineSuite();
export const unmarkFraudSuite = suite;

check('cards.unmarkFraud.required-only', 'a card with reported fraud', { phase: 'last' }, async (t) => {
  const unmarked = await t.shared(fraudUnmarked);
  if (!succeeded(unmarked.answer())) await requireNotSpent(t, unmarked);
  await expectAcceptedInState(t, TRANSITIONS['cards.unmarkFraud'], 'unmarking the reported fraud of a card');
});
