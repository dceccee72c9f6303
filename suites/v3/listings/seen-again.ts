/** What searches that others made contradict each time, as often as a run makes them before it accuses (readings 20, 22 and 47). */
import { numbers } from '../../../contracts/numbers.ts';
import { type Answer, memberOf, succeeded } from '../../../helpers/answer.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import type * as Searches from '../../../helpers/engine/searches.ts';
import { contradiction, type Known, type Monitor, type Shown } from '../../../helpers/evidence/monitor.ts';
import { watch } from '../../declare.ts';
import { certainlySame, sameText } from '../../shared/identifiers.ts';
import * as Listings from './listings.ts';
import { type Seen, searchesIn, textOf } from './seen.ts';

/** Searches of one client that ask for the same, in the order in which they were made. */
interface Repeated {
  client: string | undefined;
  filters: Seen['filters'];
  /** Whether each was made with a value that names nothing. */
  isUnknown: boolean;
  searches: readonly Searches.Found[];
  /** What each of them finds. */
  ids: readonly string[];
}

/** Searches that were made often enough. */
function repeatedIn(history: readonly Answer[], listing: Listings.Listing): Repeated[] {
  const keyOf = ({ client, filters, found }: Seen) => `${client} ${textOf(filters)} ${found.search.query.max}`;
  return [...Map.groupBy(searchesIn(history, listing), keyOf).values()].flatMap((seen) => {
    if (seen.length < numbers.shownAgain) return [];
    const [first, ...others] = seen.map(({ found }) => found) as [Searches.Found, ...Searches.Found[]];
    const isUnknown = seen.every(({ found }) => found.pages[0]!.intent === 'unknown');
    const { client, filters } = seen[0]!;
    return { client, filters, isUnknown, searches: [first, ...others], ids: Laws.inEach([first, ...others]) };
  });
}

/** Repeated searches, by what they ask for beside max. */
class Searched {
  readonly all: readonly Repeated[];
  readonly #byFilters: ReadonlyMap<string, readonly Repeated[]>;

  constructor(all: readonly Repeated[]) {
    this.all = all;
    this.#byFilters = Map.groupBy(all, ({ client, filters }) => `${client} ${textOf(filters)}`);
  }

  /** Those of the same client with some filters, whatever their max. */
  by(client: string | undefined, filters: Seen['filters']): readonly Repeated[] {
    return this.#byFilters.get(`${client} ${textOf(filters)}`) ?? [];
  }

  /** Those that lack nothing but one filter of a search. */
  without(name: string, { client, filters: { [name]: _, ...others } }: Repeated): readonly Repeated[] {
    return this.by(client, others);
  }
}

const sentAt = ({ pages }: Searches.Found): number => pages[0]!.sentAt;
const answeredAt = ({ pages }: Searches.Found): number => pages.at(-1)!.answeredAt;

/** Whether each of two was searched for once what the other one had found must have shown everywhere: nothing came, or went, in between. */
function alternate(one: Repeated, other: Repeated, settleMs: number): boolean {
  const follows = (late: Repeated, early: Repeated) => {
    const first = Math.min(...early.searches.map(answeredAt));
    return late.searches.some((found) => sentAt(found) >= first + settleMs);
  };
  return follows(one, other) && follows(other, one);
}

/** Whether searches that contradict each other alternate; those of one kind, whether they are as far apart. */
function areApart(by: readonly Repeated[], settleMs: number): boolean {
  const last = by.at(-1)!;
  const others = by.filter((one) => one !== last);
  return (others.length > 0 ? others : by).every((one) => alternate(one, last, settleMs));
}

/** What one finds each time and another never, all of whose searches are complete. */
const beyond = ({ ids }: Repeated, { searches }: Repeated): string[] =>
  searches.every(({ isWhole }) => isWhole) ? ids.filter((id) => !searches.some((found) => Laws.holds(found, id))) : [];

const namesOf = ({ filters }: Repeated): string[] => Object.keys(filters);

/** Entries that contradict what is said of a filter; the last of the searches is the one that shows it. */
interface Contradicting {
  message: string;
  ids: readonly string[];
  by: readonly [Repeated, ...Repeated[]];
  isMissing?: true;
}

/** A search finds what one without the filter leaves out, or one with it alone, or the same with another max. */
function* surplus(searched: Searched, name: string): Generator<Contradicting> {
  for (const narrow of searched.all.filter(({ filters }) => name in filters)) {
    for (const same of searched.by(narrow.client, narrow.filters))
      yield {
        message: 'is found with one max, and left out with another',
        ids: beyond(narrow, same),
        by: [same, narrow],
      };
    const others = namesOf(narrow).filter((one) => one !== name);
    for (const other of others)
      for (const wide of searched.without(other, narrow))
        yield { message: `is found beside ${other} that it leaves out`, ids: beyond(narrow, wide), by: [wide, narrow] };
    for (const wide of others.length === 0 ? searched.without(name, narrow) : [])
      yield { message: 'is found that the listing leaves out', ids: beyond(narrow, wide), by: [wide, narrow] };
  }
}

/** What shows the value of a filter is not found by it, or what each of two filters finds not by both. */
function* lost(searched: Searched, { name, isMember }: Listings.Filter): Generator<Contradicting> {
  for (const narrow of searched.all.filter(({ filters }) => name in filters)) {
    const [other, ...more] = namesOf(narrow).filter((one) => one !== name);
    for (const one of other === undefined || more.length > 0 ? [] : searched.without(other, narrow))
      for (const beside of searched.without(name, narrow)) {
        const ids = beyond(one, narrow).filter((id) => beside.ids.includes(id));
        yield {
          message: `is not found beside ${other}, which finds it, too`,
          ids,
          by: [beside, one, narrow],
          isMissing: true,
        };
      }
    for (const wide of isMember ? searched.without(name, narrow) : []) {
      const value = String(narrow.filters[name]);
      const shows = (id: string) => wide.searches.every((found) => isShown(found, id, name, value));
      yield {
        message: 'is not found that shows its value',
        ids: beyond(wide, narrow).filter(shows),
        by: [wide, narrow],
        isMissing: true,
      };
    }
  }
}

const isShown = ({ entries }: Searches.Found, id: string, name: string, value: string): boolean =>
  entries.some((entry) => entry.identifier === id && memberOf(entry, name) === value);

/** Letters and signs of which identifiers are made. */
const PLAIN = /^[\w.-]+$/;

/** Whether a value resembles another one: half of that stands in it. */
function resembles(value: string, known: string): boolean {
  const half = Math.ceil(known.length / 2);
  return value.includes(known.slice(0, half)) || value.includes(known.slice(-half));
}

/** What a value finds is found by another one, too, that names nothing. */
function* misnamed(
  searched: Searched,
  { name, like }: Listings.Filter,
  isNamed: (identifier: string) => boolean,
): Generator<Contradicting> {
  if (!like) return;
  const alone = searched.all.filter((one) => namesOf(one).join() === name);
  for (const unknown of alone.filter(({ isUnknown }) => isUnknown))
    for (const known of alone.filter(({ isUnknown, client }) => !isUnknown && client === unknown.client)) {
      const [invented, right] = [unknown, known].map(({ filters }) => String(filters[name])) as [string, string];
      const isLike = PLAIN.test(invented) || resembles(invented, right);
      if (!isLike || sameText(invented, right) || isNamed(invented)) continue;
      const ids = known.ids.filter((id) => unknown.ids.includes(id));
      yield { message: 'is found by a value that names nothing', ids, by: [known, unknown] };
    }
}

/** What is found by a name is not found by a part of it. */
function* partly(searched: Searched, { name }: Listings.Filter): Generator<Contradicting> {
  if (name !== 'name') return;
  const alone = searched.all.filter((one) => namesOf(one).join() === name);
  const textIn = ({ filters }: Repeated) => String(filters[name]).trim();
  for (const part of alone.filter((one) => textIn(one).length >= LEAST_PART))
    for (const whole of alone.filter((one) => one.client === part.client && textIn(one) !== textIn(part)))
      if (textIn(whole).includes(textIn(part)))
        yield {
          message: 'is not found by a part of what finds it',
          ids: beyond(whole, part),
          by: [whole, part],
          isMissing: true,
        };
}

/** A target may refuse to search for less. */
const LEAST_PART = 3;

/** What the fixtures file promises of a value is not found by it, or is found though it promises the contrary. */
function* promised(searched: Searched, filter: Listings.Filter, known: Known): Generator<Contradicting> {
  const { name, finds, leavesOut } = filter;
  const value = filter.given(known);
  for (const one of searched.all) {
    if (value === undefined || namesOf(one).join() !== name || String(one.filters[name]) !== value) continue;
    const { searches, ids } = one;
    const [wanted, unwanted] = [finds, leavesOut].map((key) => key && known.fixtures.users?.[key]);
    const isLost = (id: string) => searches.every((found) => found.isWhole && !Laws.holds(found, id));
    const isEmpty = !finds && searches.every((found) => found.isWhole && found.ids.length === 0);
    const missing = isEmpty ? ['an entry'] : [wanted].filter((id) => id !== undefined && isLost(id));
    const message = 'is not found that the fixtures file names';
    yield { message, ids: missing as string[], by: [one], isMissing: true };
    const more = ids.filter((id) => unwanted !== undefined && certainlySame(id, unwanted));
    yield { message: 'is found that the fixtures file names as no match', ids: more, by: [one] };
  }
}

/** Customers that something shows to exist. */
function namedIn(history: readonly Answer[], { fixtures: { users } }: Known): (identifier: string) => boolean {
  const found = history.filter((one) => one.operation.id === 'users.get' && succeeded(one));
  const named = new Set(found.map(({ input }) => input.path?.identifier));
  return (identifier) => named.has(identifier) || identifier === users?.foreignCustomerIdentifier;
}

/** What contradicts the laws of a filter each time that it is searched for. */
const contradictsEachTime = (listing: Listings.Listing, filter: Listings.Filter): Monitor =>
  function* (history, known) {
    const searched = new Searched(repeatedIn(history, listing));
    const found = [
      ...surplus(searched, filter.name),
      ...lost(searched, filter),
      ...misnamed(searched, filter, namedIn(history, known)),
      ...partly(searched, filter),
      ...promised(searched, filter, known),
    ];
    for (const { message, ids, by, isMissing } of found) {
      const [about] = ids;
      const last = by.at(-1)!;
      if (about === undefined || !areApart(by, known.settleMs)) continue;
      const pages = by.flatMap(({ searches }) => searches.flatMap((one) => one.pages)) as unknown as Shown['by'];
      const what = `each of ${last.searches.length} times a ${listing.noun} ${message} (${filter.name})`;
      yield contradiction(pages, what, isMissing ? about : 'absent', isMissing ? 'absent' : about, '/results');
    }
  };

for (const listing of Listings.both)
  for (const filter of listing.filters)
    watch({ requirement: filter.requirement, monitor: contradictsEachTime(listing, filter), isSuspicion: false });
