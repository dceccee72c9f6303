/** A card that was suspended is listed as its record shows it (readings 10 and 22). */
import { scenario } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive, optional } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Steps from '../cards/scenarios/steps.ts';
import { suspension } from '../cards/scenarios/suspension.ts';
import * as Records from './records.ts';

/** What reads a card while it is suspended, before it is listed. */
const REFRESHED_BY = ['cards.getStatus'] as const;

/** Another card, suspended for this alone. */
const anotherSuspended = scenario('another suspended card in the listing', async (t) => {
  Steps.requireUnsuspendInScope(t);
  const [cards] = await t.lease({ pool: 'active' });
  const { identifier } = cards![0]!;
  requireAccepted(await Steps.ask(t, 'cards.suspend', identifier), 'the suspension');
  return (
    (await Records.readListed(t, identifier, REFRESHED_BY)) ??
    inconclusive('the record of a suspended card is not refreshed')
  );
});

const maySuspend = ({ run, fixtures }: Configuration) =>
  Scope.allows(run.risk, 'reversible') && (fixtures.cards?.active?.length ?? 0) > 1;

const LISTED = 'cards.list.agrees-with-record';
const suspendAndList = suspension.reads(LISTED, 'cards.suspend: after', 'listing', 'still suspended');
check(LISTED, 'a suspended card', { applies: maySuspend }, async (t) => {
  const { listing, ...facts } = await suspendAndList(t);
  const [before, after] = [facts['cards.suspend: after'].get().record, facts['still suspended'].get().record];
  const found =
    before &&
    after &&
    Records.disagreement({
      before,
      listing: listing.get(),
      after,
      refreshes: REFRESHED_BY,
    });
  if (!found) return;
  const tried = t.exchanges.length;
  const other = await optional(t.shared(anotherSuspended));
  if (!other || !Records.disagreement(other)) inconclusive(`${found.message}, but not of another one`);
  const { message, expected, actual } = found;
  fail(message, expected, actual, { in: listing.get(), retrial: Retrial.triedSince(t, tried) });
});
