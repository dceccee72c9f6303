/** An hour later: every operation refuses an expired token like none (readings 15 and 17), and what lasts is as it was. */
import { operations } from '../../../contracts/operations.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Guard from '../../../helpers/engine/guard.ts';
import { expectKept } from '../../../helpers/engine/monitor.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { check, monitored, watch } from '../../declare.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import { closedCard } from '../cards/scenarios/closing.ts';
import * as Steps from '../cards/scenarios/steps.ts';
import { statesOf } from '../cards/states.ts';
import * as Expired from '../token/expired.ts';
import * as SetPermissions from '../users/set-permissions.ts';
import { changingCards } from './expired-on-cards.ts';
import * as OtherForms from './other-forms.ts';

for (const { id, listedOnly, risk } of operations.filter((o) => o.interface === 'v3')) {
  const refuses = Guard.refusesExpired(id);
  const requirement = `${id}.requires-live-token`;
  const expire = Expired.expiring(requirement, id);
  const changeCards = changingCards(requirement, id);
  watch({ requirement, monitor: refuses, isSuspicion: false });
  check(requirement, 'at 61 minutes', { phase: 'clock' }, async (t) => {
    const mayChange = !listedOnly && risk !== 'safe' && t.run.client.tokens.renewable;
    if (mayChange && id === 'users.setPermissions') await setPermissions(t, id);
    else if (mayChange && t.allows(risk) && changeCards) await changeCards(t);
    else await t.shared(Expired.harmlesslyExpired(id));
    await expectKept(t, refuses);
  });

  if (OtherForms.has(id))
    check(requirement, 'at 61 minutes, in its other forms', { phase: 'clock' }, async (t) => {
      const token = await expire(t);
      await t.shared(Expired.harmlesslyExpired(id));
      if (t.run.client.tokens.renewable) await OtherForms.tryAll(t, id, token);
      await expectKept(t, refuses);
    });
}

async function setPermissions(t: Context, operation: string): Promise<unknown> {
  const identifier = SetPermissions.writableCustomer(t);
  if (identifier === undefined) return t.shared(Expired.harmlesslyExpired(operation));
  const input = SetPermissions.permissionsAsTheyAre(t, identifier);
  return BadTokens.tryOne(t, operation, input, await Expired.expiredToken(t));
}

// ---- states that last, read again by then ----------------------------------------------------------------------------

const STAYS_CLOSED = 'cards.close.stays-closed';
const staysClosed = monitored(STAYS_CLOSED, statesOf(STAYS_CLOSED), { isSuspicion: true });

const close = closedCard.reads(STAYS_CLOSED, 'cards.close: after');
const expire = Expired.expiring(STAYS_CLOSED);
staysClosed('hours later', { phase: 'clock', applies: hasClock }, async (t) => {
  const { card } = await close(t);
  if (t.run.client.tokens.renewable) await expire(t);
  await t.confirmed(() => t.state(card.identifier), Steps.isNotActive);
});
