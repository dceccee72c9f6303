/** States that last: read again hours later, after the test clock was moved for the tokens. */
import { isActive } from '../../../helpers/cards/card-state.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { monitored } from '../../declare.ts';
import { closedCard } from '../cards/scenarios/closing.ts';
import { statesOf } from '../cards/states/monitor.ts';
import { expiredToken } from '../token/ages.ts';

const staysClosed = monitored('cards.close.stays-closed', statesOf('cards.close.stays-closed'), {
  isSuspicion: true,
});

staysClosed('hours later', { phase: 'clock', applies: hasClock }, async (t) => {
  const { leased } = await t.shared(closedCard);
  if (t.run.client.tokens.renewable) await t.shared(expiredToken);
  await t.confirmed(
    () => t.state(leased.identifier),
    (state) => !isActive(state),
  );
});
