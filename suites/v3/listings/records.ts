/** The listing of cards shows what their records show, once these were refreshed (readings 10 and 22). */
import { type Answer, entries, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import type { LeasedCard } from '../../../helpers/cards/pools.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { attempt, fail, inconclusive, values } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { isText } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import * as Steps from '../cards/scenarios/steps.ts';
import { suspension } from '../cards/scenarios/suspension.ts';
import * as Listings from './listings.ts';

const { laws } = Listings.lawsOf(Listings.cards);

/**
 * The card of a status of which this run has known the longest that it is no longer as it was listed, and one of the first page among all
 * others: one that differs from that before it, where there is such a one.
 */
async function comparedCards(t: Context): Promise<{ card: string; isAmongOthers: boolean }[]> {
  const page = entries(await t.shared(Requests.firstCards));
  const listed = new Map(page.map((card) => [String(card.identifier), card.status]));
  const changed = [...t.run.states].filter(([card, { status }]) => status !== undefined && listed.get(card) !== status);
  const ofStatuses = [...Map.groupBy(changed, ([, { status }]) => status).values()].map(([first]) => first![0]);
  const other = page.find(({ status }, index) => status !== page.at(index - 1)!.status) ?? page[0];
  const among = changed.find(([card]) => listed.has(card))?.[0] ?? (other && String(other.identifier));
  return [
    ...t.rotated('cards.list: a card that changed', ofStatuses).map((card) => ({ card, isAmongOthers: false })),
    ...(among === undefined ? [] : [{ card: among, isAmongOthers: true }]),
  ];
}

/** In units: what rounding may hide. */
const HALF_A_CENT = 0.005;

/** A card in a listing, and its record before and after that. */
type Listed = Record<'before' | 'listing' | 'after', Answer>;

/** What the listing shows otherwise than the record, which is the same before and after it; undefined for nothing. */
function disagreement({ before, listing, after }: Listed) {
  const listed = entries(listing).find(({ identifier }) => identifier === before.input.path!.identifier);
  // Members that a refresh renews.
  for (const name of ['status', 'balance']) {
    const [one, shown, two] = [member(before, name), memberOf(listed, name), member(after, name)];
    const isKnown = (isText(one) && isText(shown)) || (typeof one === 'number' && typeof shown === 'number');
    const isSame = typeof one === 'number' ? Math.abs(one - Number(shown)) < HALF_A_CENT : one === shown;
    const message = `the listing shows another ${name} of a card than its record`;
    if (isKnown && one === two && !isSame) return { about: [name], message, expected: `${one}`, actual: `${shown}` };
  }
  return undefined;
}

/** Refreshes the record of a card, and reads the card in a listing; undefined where it cannot be refreshed. */
async function readListed(t: Context, identifier: string, isAmongOthers = false): Promise<Listed | undefined> {
  const call = (operation: string) => t.call(operation, { path: { identifier } }, { intent: 'refusable' });
  for (const refresh of ['cards.getStatus', 'cards.getBalance']) if (!succeeded(await call(refresh))) return undefined;
  await t.settle();
  const before = await call('cards.get');
  const query = isAmongOthers ? { max: Searches.PAGE } : Listings.of(t, before);
  const listing = await t.call('cards.list', { query }, { intent: 'refusable' });
  return { before, listing, after: await call('cards.get') };
}

laws('cards.list.agrees-with-record', 'cards that this run changed', ({ t }) => comparedCards(t))(
  async ({ t }, { card, isAmongOthers }) => {
    const listed = await readListed(t, card, isAmongOthers);
    return listed && disagreement(listed);
  },
  { phase: 'last' },
);

/** Another card, suspended for this alone. */
const anotherSuspended = scenario('another suspended card in the listing', async (t) => {
  Steps.requireUnsuspendInScope(t);
  const [[card]] = (await t.lease({ pool: 'active' })) as [[LeasedCard]];
  const path = { identifier: card.identifier };
  requireAccepted(await t.call('cards.suspend', { path }, { intent: 'refusable' }), 'the suspension');
  return (await readListed(t, card.identifier)) ?? inconclusive('the record of a suspended card is not refreshed');
});

const maySuspend = ({ run, fixtures }: Configuration) =>
  Scope.allows(run.risk, 'reversible') && (fixtures.cards?.active?.length ?? 0) > 1;

check('cards.list.agrees-with-record', 'a suspended card', { applies: maySuspend }, async (t) => {
  const { suspend, listing, unsuspend } = (await t.shared(suspension.first)).facts;
  const [before, after] = [suspend.after().record, unsuspend().before.record];
  const found = before && after && disagreement({ before, listing: listing(), after });
  if (!found) return;
  const tried = t.exchanges.length;
  const [again] = values([await attempt(async () => disagreement(await t.shared(anotherSuspended)))]);
  if (!again) inconclusive(`${found.message}, but not of another one`);
  const { message, expected, actual } = found;
  fail(message, expected, actual, { in: listing(), retrial: Retrial.triedSince(t, tried) });
});
