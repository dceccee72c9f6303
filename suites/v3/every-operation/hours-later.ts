/** States that last: read again hours later, after the test clock was moved for the tokens. */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { failByRecord, requireStateAfter } from '../cards/judge-state.ts';
import { closedCard } from '../cards/scenarios/closing.ts';
import { madeActive } from '../cards/scenarios/endings.ts';
import { expiredToken } from '../token/lifetime.ts';

const { check, suite } = defineSuite();
export const hoursLaterSuite = suite;

check('cards.close.stays-closed', 'hours later', { phase: 'clock', applies: hasClock }, async (t) => {
  const closed = await t.shared(closedCard);
  if (!t.run.client.tokens.renewable || isActive(requireStateAfter(closed))) return;
  if (madeActive(closed, Object.keys(closed.elsewhere)).length > 0) return;
  await t.shared(expiredToken);
  const { identifier } = closed.leased;
  const state = await t.confirmed(
    () => t.state(identifier),
    (one) => !isActive(one),
  );
  if (isActive(state)) await failByRecord(t, 'a closed card is Active hours later', `not ${ACTIVE}`, ACTIVE);
});
