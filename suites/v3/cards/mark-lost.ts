/** Marking a card lost (reading 29). */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { values } from '../../../helpers/engine/step.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { expectAcceptedInState, requirePinTried } from './accepted-in-state.ts';
import { failByRecord, requireStateAfter } from './judge-state.ts';
import { loss } from './scenarios/endings.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';

const { check, suite } = defineSuite();
export const markLostSuite = suite;

check('cards.markLost.required-only', 'an Active card, in any way', async (t) => {
  requirePinTried(t, (await t.shared(loss)).answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.markLost'], 'marking an Active card lost');
});

check('cards.markLost.refused-changes-nothing', 'activation among others', async (t) => {
  const { elsewhere } = await t.shared(loss);
  const refused = Object.entries(elsewhere).flatMap(([operations, step]) =>
    values([step]).flatMap((state) => (state.isRefused ? [{ operations, state }] : [])),
  );
  for (const { operations, state } of refused)
    if (isActive(state))
      await failByRecord(t, `a lost card is Active after a refused ${operations}`, `not ${ACTIVE}`, ACTIVE);
  if (refused.length === 0) inconclusive('no lost card refused an operation');
});

check('cards.markLost.not-active', 'by getStatus and the record', async (t) => {
  if (isActive(requireStateAfter(await t.shared(loss))))
    await failByRecord(t, 'a card that is marked lost is Active', `not ${ACTIVE}`, ACTIVE);
});
