/** The listing of cards shows what their records show, once these were refreshed (readings 10 and 22). */
import { numbers } from '../../../contracts/numbers.ts';
import { type Answer, entries, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { judgeAtOnce } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { isText } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import * as Listings from './listings.ts';

/** A card that is compared; among all others, or as its filters find it. */
interface Compared {
  card: string;
  isAmongOthers: boolean;
}

/**
 * The card of a status of which this run has known the longest that it is no longer as it was listed, and one of the first page among all
 * others: one that differs from that before it, where there is such a one.
 */
async function comparedCards(t: Context): Promise<Compared[]> {
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

/** Readings that refresh a record, each with the member that it renews. */
const RENEWS = { 'cards.getStatus': 'status', 'cards.getBalance': 'balance' } as const;
type Refresh = keyof typeof RENEWS;
const REFRESHES = Object.keys(RENEWS) as Refresh[];

/** A card in a listing, and its record before and after that, once some readings refreshed it. */
interface Listed extends Record<'before' | 'listing' | 'after', Answer> {
  refreshes: readonly Refresh[];
}

/** What the listing shows otherwise than the record, which is the same before and after it; undefined for nothing. */
function disagreement({ before, listing, after, refreshes }: Listed) {
  const listed = entries(listing).find(({ identifier }) => identifier === before.input.path!.identifier);
  for (const name of refreshes.map((refresh) => RENEWS[refresh])) {
    const [one, shown, two] = [member(before, name), memberOf(listed, name), member(after, name)];
    const isKnown = (isText(one) && isText(shown)) || (typeof one === 'number' && typeof shown === 'number');
    const isSame = typeof one === 'number' ? Math.abs(one - Number(shown)) < numbers.roundedCents / 100 : one === shown;
    const message = `the listing shows another ${name} of a card than its record`;
    if (isKnown && one === two && !isSame)
      return {
        about: [name],
        message,
        expected: `${one}`,
        actual: `${shown}`,
      };
  }
  return undefined;
}

/** Refreshes the record of a card, and reads the card in a listing; undefined where it cannot be refreshed. */
async function readListed(
  t: Context,
  identifier: string,
  refreshes: readonly Refresh[],
  isAmongOthers = false,
): Promise<Listed | undefined> {
  const call = (operation: string) => t.call(operation, { path: { identifier } }, { intent: 'refusable' });
  const made: Refresh[] = [];
  // A card that is closed may have no balance any more.
  for (const refresh of refreshes) if (succeeded(await call(refresh))) made.push(refresh);
  if (made.length === 0) return undefined;
  await t.settle();
  const before = await call('cards.get');
  const query = isAmongOthers ? { max: Searches.PAGE } : Listings.filtersShown(t, before);
  const listing = await t.call('cards.list', { query }, { intent: 'refusable' });
  return { before, listing, after: await call('cards.get'), refreshes: made };
}

/** Which readings refresh the records: one may renew what the listing shows, and the other not. */
const refreshesTried = (t: Context) =>
  t.rotated('cards.list: what refreshes the record', [REFRESHES, ...REFRESHES.map((one) => [one])], {
    name: (refreshes) => refreshes.join(' and '),
  });

/** What the listing shows otherwise than the record of a card, by whatever refreshes the record; undefined for nothing. */
async function disagreementOn(t: Context, { card, isAmongOthers }: Compared) {
  for (const refreshes of refreshesTried(t)) {
    const listed = await readListed(t, card, refreshes, isAmongOthers);
    const found = listed && disagreement(listed);
    if (found) return found;
  }
  return undefined;
}

const AGREES = 'cards.list.agrees-with-record';

check(AGREES, 'cards that this run changed', { phase: 'last' }, async (t) => {
  const cards = await comparedCards(t);
  await judgeAtOnce(cards, (card) => Laws.expectLaw(t, AGREES, () => disagreementOn(t, card)));
});
