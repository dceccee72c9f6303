/** The laws of listings over searches that others made (readings 19, 20 and 22). */
import { type Answer, memberOf, type QueryValue, succeeded } from '../../../helpers/answer.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { contradiction, kept, type Monitor, type Shown } from '../../../helpers/evidence/monitor.ts';
import { watch } from '../../declare.ts';
import { clientsOf } from '../../shared/clients.ts';
import { certainlySame, isText } from '../../shared/identifiers.ts';
import * as Listings from './listings.ts';

/** A search that was made, whose it is, and what it asked for beside max. */
export interface Seen {
  found: Searches.Found;
  client: string | undefined;
  filters: Record<string, QueryValue>;
}

const filtersOf = ({ input: { query = {} } }: Answer): Record<string, QueryValue> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'max' && name !== 'token'));

/** Filters as a text, in whichever order they stand. */
export const textOf = (filters: Record<string, QueryValue>): string =>
  JSON.stringify(Object.entries(filters).map(String).toSorted());

/** What a page asks for, whichever of the pages it is. */
const queryOf = (page: Answer): string => `${textOf(filtersOf(page))} ${page.input.query?.max}`;

/** The searches of a listing in a history: each first page, with those that follow it by its tokens. */
function findSearches(history: readonly Answer[], { operation }: Listings.Listing): Seen[] {
  const clientOf = clientsOf(history);
  const own = history.filter((one) => one.operation.id === operation && succeeded(one) && !one.leftOut?.body);
  const followers = Map.groupBy(own, ({ input: { query } }) => query?.token);
  const givers = Map.groupBy(own, Searches.continuationOf);
  const next = (page: Answer): Answer | undefined => {
    const token = Searches.continuationOf(page);
    if (token === undefined) return undefined;
    // The same token may stand for the second page of any search.
    const isOnlyGiver = givers.get(token)!.length === 1;
    const isOfSame = (one: Answer) =>
      clientOf(one) === clientOf(page) && (isOnlyGiver || queryOf(one) === queryOf(page));
    return followers.get(token)?.find((one) => one.sentAt > page.sentAt && isOfSame(one));
  };
  const firsts = (followers.get(undefined) ?? []).filter(
    ({ intent }) => intent !== 'unauthorised' && intent !== 'malformed',
  );
  const unfiltered = firsts.find((one) => Object.keys(filtersOf(one)).length === 0);
  const first = unfiltered && Searches.foundOn({ operation, query: unfiltered.input.query ?? {} }, [unfiltered]);
  return firsts.map((page) => {
    const pages: [Answer, ...Answer[]] = [page];
    for (let one = next(page); one && !pages.includes(one); one = next(one)) pages.push(one);
    const found = Searches.foundOn({ operation, query: page.input.query ?? {} }, pages, first);
    return { found, client: clientOf(page), filters: filtersOf(page) };
  });
}

/** What searches there were of a listing; a monitor of each filter asks. */
const known = new WeakMap<readonly Answer[], Map<Listings.Listing, Seen[]>>();
export function searchesIn(history: readonly Answer[], listing: Listings.Listing): Seen[] {
  const ofHistory = known.get(history) ?? new Map<Listings.Listing, Seen[]>();
  known.set(history, ofHistory);
  const seen = ofHistory.get(listing) ?? findSearches(history, listing);
  ofHistory.set(listing, seen);
  return seen;
}

const byOf = (...founds: readonly Searches.Found[]) => founds.flatMap(({ pages }) => pages) as unknown as Shown['by'];

/** A contradiction of a law, as one of the exchanges that show it. */
function shownBy(found: Laws.Contradiction | undefined, ...founds: readonly Searches.Found[]): Shown {
  const by = byOf(...founds);
  if (!found) return kept(by);
  const [about = ''] = found.about;
  return contradiction(by, found.message, found.expected ?? about, found.actual ?? about, '/results');
}

/** Each complete search of a client with the one before it that has the same filters: both find the same, whatever the size of their pages. */
function* alike(seen: readonly Seen[]): Generator<[Searches.Found, Searches.Found]> {
  const before = new Map<string, Searches.Found>();
  for (const { found, client, filters } of seen.filter((one) => one.found.isWhole)) {
    const key = `${client} ${textOf(filters)}`;
    const earlier = before.get(key);
    if (earlier) yield [earlier, found];
    before.set(key, found);
  }
}

/** Walks with pages of several sizes visit the same customers. */
function* sameSet(history: readonly Answer[]): Generator<Shown> {
  for (const [one, other] of alike(searchesIn(history, Listings.customers))) {
    if (one.pages.length === 1 && other.pages.length === 1) continue;
    const how = `${Searches.sizeInWords(one.search)} finds other customers than ${Searches.sizeInWords(other.search)}`;
    const lost = Laws.missing(how, Laws.beyond(one, other), other) ?? Laws.missing(how, Laws.beyond(other, one), one);
    yield shownBy(lost, one, other);
  }
}

/** Number of pages after which entries are lost that neither others' changes nor chance explain: what comes and goes does so anywhere. */
const MOST_BY_CHANCE = 1;

/** Walks that lose the customers between their pages, and none elsewhere. */
function* lostBetweenPages(history: readonly Answer[]): Generator<Shown> {
  for (const [one, other] of alike(searchesIn(history, Listings.customers))) {
    const [lost, alsoLost] = [lostBetween(one, other), lostBetween(other, one)];
    if (!lost || !alsoLost || lost.length + alsoLost.length <= MOST_BY_CHANCE) continue;
    const [walk, customer] = lost.length > 0 ? [one, lost[0]!] : [other, alsoLost[0]!];
    const message = `between the pages of ${Searches.sizeInWords(walk.search)} customers are missing that another walk finds`;
    yield contradiction(byOf(walk === one ? other : one, walk), message, customer, 'absent', '/results');
  }
}

/** What a walk leaves out of another one just between two of its pages; undefined where they differ elsewhere, too. */
function lostBetween(walk: Searches.Found, other: Searches.Found): string[] | undefined {
  const lost = Laws.beyond(other, walk);
  const edges = walk.pages.slice(1).map((page, place) => {
    const before = Searches.foundOn(walk.search, [walk.pages[place]!]).ids.at(-1);
    return [before, Searches.foundOn(walk.search, [page]).ids[0]].join(' ');
  });
  const left = other.ids.filter((id) => !lost.includes(id));
  const isAtEdge = (id: string) => {
    const at = other.ids.indexOf(id);
    const before = other.ids.slice(0, at).findLast((one) => left.includes(one));
    const after = other.ids.slice(at).find((one) => left.includes(one));
    return edges.includes([before, after].join(' '));
  };
  return lost.every(isAtEdge) ? lost : undefined;
}

/** Searches that have a filter, each with those of the same client that lack nothing but it: the last before it, and the first after it. */
function* narrower(
  seen: readonly Seen[],
  { name }: Listings.Filter,
): Generator<{ wide: Seen; narrow: Seen; value: string }> {
  const keyOf = ({ client }: Seen, filters: Seen['filters']) => `${client} ${textOf(filters)}`;
  const byFilters = Map.groupBy(seen, (one) => keyOf(one, one.filters));
  for (const narrow of seen) {
    const { [name]: value, ...others } = narrow.filters;
    if (value === undefined) continue;
    const wides = byFilters.get(keyOf(narrow, others)) ?? [];
    const isBefore = (wide: Seen) => wide.found.pages[0]!.sentAt < narrow.found.pages[0]!.sentAt;
    for (const wide of [wides.findLast(isBefore), wides.find((one) => !isBefore(one))])
      if (wide) yield { wide, narrow, value: String(value) };
  }
}

/** A filter narrows a listing: it finds nothing that the listing leaves out, and all of it that shows its value. */
const narrows = (listing: Listings.Listing, filter: Listings.Filter): Monitor =>
  function* (history) {
    const { noun } = listing;
    for (const { wide, narrow, value } of narrower(searchesIn(history, listing), filter)) {
      const more = Laws.beyond(narrow.found, wide.found);
      const isOwn = (entry: Record<string, unknown>) => {
        const shown = memberOf(entry, filter.name);
        return isText(shown) && certainlySame(shown, value) && isText(entry.identifier);
      };
      const own = filter.isMember ? wide.found.entries.filter(isOwn).map(({ identifier }) => String(identifier)) : [];
      const lost = narrow.found.isWhole ? own.filter((id) => !Laws.holds(narrow.found, id)) : [];
      if (!wide.found.isWhole && own.length === 0) continue;
      const found =
        Laws.surplus(`a ${noun} is found by ${filter.name} that the listing without it leaves out`, more) ??
        Laws.missing(`a ${noun} that matches ${filter.name} is not found`, lost);
      yield shownBy(found, wide.found, narrow.found);
    }
  };

/** What the fixtures file says of a filter: what it finds, and what it leaves out. */
const findsKnown = (listing: Listings.Listing, filter: Listings.Filter): Monitor =>
  function* (history, known) {
    const { name, finds, leavesOut } = filter;
    const value = filter.given(known);
    const [wanted, unwanted] = [finds, leavesOut].map((key) => key && known.fixtures.users?.[key]);
    for (const { found, filters } of searchesIn(history, listing)) {
      if (value === undefined || Object.keys(filters).join() !== name || String(filters[name]) !== value) continue;
      const lost = found.isWhole && wanted !== undefined && !Laws.holds(found, wanted) ? [wanted] : [];
      const more = found.ids.filter((id) => unwanted !== undefined && certainlySame(id, unwanted));
      yield shownBy(
        Laws.missing(`a ${listing.noun} that matches ${name} is not found`, lost) ??
          Laws.surplus(`a ${listing.noun} that does not match ${name} is found`, more),
        found,
      );
    }
  };

const suspect = (requirement: string, monitor: Monitor) => watch({ requirement, monitor, isSuspicion: true });

suspect('users.list.pagination-same-set', sameSet);
watch({ requirement: 'users.list.pagination-same-set', monitor: lostBetweenPages, isSuspicion: false });
for (const listing of Listings.both)
  for (const filter of listing.filters) {
    suspect(filter.requirement, narrows(listing, filter));
    if (filter.finds) suspect(filter.requirement, findsKnown(listing, filter));
  }
