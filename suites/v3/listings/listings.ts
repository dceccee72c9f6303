/** The listings of customers and of cards: their filters, and values that these are known to take (readings 20 and 22). */
import { type Answer, entries, member, memberOf, type QueryValue } from '../../../helpers/answer.ts';
import { type CheckOptions, type Context, type Scenario, scenario } from '../../../helpers/check.ts';
import { invented } from '../../../helpers/engine/forms/invented.ts';
import type { lookAlikes } from '../../../helpers/engine/forms/look-alikes.ts';
import { type Contradiction, expectLaw, type Law } from '../../../helpers/engine/laws.ts';
import { type Find, type Found, findOnce, PAGE, type Search } from '../../../helpers/engine/searches.ts';
import { attempt, inconclusive, judgeEach, type Step } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { isText } from '../../shared/identifiers.ts';
import { firstCards, firstCustomers, firstPageOf } from '../../shared/requests.ts';

/** A filter of a listing. */
export interface Filter {
  name: string;
  /** The requirement that it narrows the listing. */
  requirement: string;
  /** The value of the fixtures file that it finds entries by. */
  given(t: Context): string | undefined;
  /** Whether the entries show the value, so that it can be discovered, and they can be judged by it. */
  isMember?: boolean;
  /** What resembles its values; absent where a part of a value finds the same. */
  like?: Parameters<typeof lookAlikes>[0] | undefined;
  /** The keys of the fixtures file for a customer that it finds, and for one that it leaves out. */
  finds?: CustomerKey;
  leavesOut?: CustomerKey;
}

/** A key of the fixtures file that names a customer. */
export type CustomerKey =
  | 'customerIdentifier'
  | 'parentIdentifier'
  | 'childIdentifier'
  | 'unrelatedIdentifier'
  | 'nameMatchIdentifier'
  | 'nameMismatchIdentifier'
  | 'v1MatchIdentifier'
  | 'writableCustomerIdentifier';

/** A listing. */
export interface Listing {
  operation: 'users.list' | 'cards.list';
  /** An entry in words. */
  noun: string;
  /** The requirements that a max from 1 to 50 is accepted and respected, and that an unknown value of a filter is not ignored, nor a blank around a known one. */
  maxAccepted: string;
  maxRespected: string;
  unknownValue: string;
  paddedValue: string;
  filters: readonly Filter[];
  /** Its first page, of the largest size. */
  first: Scenario<Answer>;
  /** Number of pages read of what a filter finds. */
  pages: number;
}

const ofUsers =
  (key: 'parentIdentifier' | 'nameFragment' | 'v1Identifier'): Filter['given'] =>
  ({ fixtures }) =>
    fixtures.users?.[key];

export const customers: Listing = {
  operation: 'users.list',
  noun: 'customer',
  maxAccepted: 'users.list.max-accepted',
  maxRespected: 'users.list.max-respected',
  unknownValue: 'users.list.unknown-filter-value',
  paddedValue: 'users.list.padded-filter-value',
  filters: [
    {
      name: 'parentIdentifier',
      requirement: 'users.list.filter-parent',
      given: ofUsers('parentIdentifier'),
      like: 'filterOfCustomer',
      finds: 'childIdentifier',
      leavesOut: 'unrelatedIdentifier',
    },
    {
      name: 'name',
      requirement: 'users.list.filter-name',
      given: ofUsers('nameFragment'),
      finds: 'nameMatchIdentifier',
      leavesOut: 'nameMismatchIdentifier',
    },
    {
      name: 'v1Identifier',
      requirement: 'users.list.filter-v1-identifier',
      given: ofUsers('v1Identifier'),
      like: 'filterOfMember',
      finds: 'v1MatchIdentifier',
    },
  ],
  first: firstCustomers,
  pages: 6,
};

type CardFilter = 'customerIdentifier' | 'programIdentifier' | 'orderIdentifier' | 'externalIdentifier';
const ofCards = (name: CardFilter, requirement: string, like: Filter['like'], isMember = false): Filter => ({
  name,
  requirement,
  like,
  isMember,
  given: ({ fixtures }) => fixtures.cards?.filters?.[name],
});

export const cards: Listing = {
  operation: 'cards.list',
  noun: 'card',
  maxAccepted: 'cards.list.max-accepted',
  maxRespected: 'cards.list.max-respected',
  unknownValue: 'cards.list.unknown-filter-value',
  paddedValue: 'cards.list.padded-filter-value',
  filters: [
    ofCards('customerIdentifier', 'cards.list.filter-customer', 'filterOfCustomer', true),
    ofCards('programIdentifier', 'cards.list.filter-program', 'filter'),
    ofCards('orderIdentifier', 'cards.list.filter-order', 'filterOfOrder'),
    ofCards('externalIdentifier', 'cards.list.filter-external', 'filterOfMember', true),
  ],
  first: firstCards,
  pages: 1,
};

export const listings: readonly Listing[] = [customers, cards];

/** A search of a listing: its largest page, unless the query says otherwise. */
export const searchOf = (
  { operation, pages }: Listing,
  query: Record<string, QueryValue>,
  more?: Partial<Search>,
): Search => ({
  operation,
  query: { max: PAGE, ...query },
  pages,
  ...more,
});

/** Values of the filters of a listing: those that find entries, and invented ones. */
export interface Values {
  known: Record<string, string>;
  invented: Record<string, string>;
}

const valuesByListing = new Map(
  listings.map((listing) => [
    listing,
    scenario(`values of the filters of ${listing.operation}`, async (t): Promise<Values> => {
      const values: Values = { known: {}, invented: {} };
      for (const filter of listing.filters) {
        const listed = async () => entries(await t.shared(listing.first)).map((entry) => memberOf(entry, filter.name));
        const value = filter.given(t) ?? (filter.isMember ? (await listed()).find(isText) : undefined);
        if (value !== undefined) values.known[filter.name] = value;
        values.invented[filter.name] = filter.name === 'name' ? UNMATCHED : invented(value ?? '0');
      }
      return values;
    }),
  ]),
);

/** A text that no name contains. */
export const UNMATCHED = 'qxzzxq';

/** What a law sees of a listing. */
export class View {
  readonly find: Find;
  readonly t: Context;
  readonly listing: Listing;
  readonly #values: Values;

  private constructor(find: Find, t: Context, listing: Listing, values: Values) {
    this.find = find;
    this.t = t;
    this.listing = listing;
    this.#values = values;
  }

  /** @param find makes the searches; by default each once in the run */
  static async of(t: Context, listing: Listing, find: Find = (search) => findOnce(t, search)): Promise<View> {
    return new View(find, t, listing, await t.shared(valuesByListing.get(listing)!));
  }

  /** The filters for which a value is known. */
  get known(): readonly Filter[] {
    return this.listing.filters.filter(({ name }) => this.#values.known[name] !== undefined);
  }

  /** The value that a filter finds entries by. @throws Inconclusive when none is known */
  valueOf({ name }: Filter): string {
    return this.#values.known[name] ?? inconclusive(`no value is known to filter by ${name}`);
  }

  /** A value of a filter that nothing has. */
  inventedOf({ name }: Filter): string {
    return this.#values.invented[name]!;
  }

  /** What one page of a search shows, whatever its filters and max. */
  search(query: Search['query'], more: Partial<Search> = {}): Promise<Found> {
    return this.find({ operation: this.listing.operation, query, ...more });
  }

  /** What a filter finds by its known value, or by another one. */
  by(filter: Filter, value = this.valueOf(filter)): Promise<Found> {
    const intent = value === this.valueOf(filter) ? 'valid' : 'refusable';
    return this.find(searchOf(this.listing, { [filter.name]: value }, { intent }));
  }

  /** What a filter finds by a value that nothing has. */
  byInvented(filter: Filter, beside: Search['query'] = {}): Promise<Found> {
    return this.search({ max: PAGE, [filter.name]: this.inventedOf(filter), ...beside }, { intent: 'unknown' });
  }

  /** The first page of the unfiltered listing. */
  first(): Promise<Found> {
    return this.find(firstPageOf(this.listing.operation));
  }

  /** As much of the unfiltered listing as a run reads: a listing without pages may give more than 50 entries at once. */
  async all(): Promise<Found> {
    if (this.listing === customers) {
      const isNarrower = this.known.some(({ name }) => name !== 'v1Identifier');
      return this.find(searchOf(customers, {}, { intent: 'valid', pages: isNarrower ? customers.pages : MOST_PAGES }));
    }
    const found = [await this.first()];
    for (const max of BEYOND_DEFAULT) found.push(await this.search({ max }));
    return found.reduce((largest, one) => (one.ids.length > largest.ids.length ? one : largest));
  }
}

/** Judges what searches of a listing find. It may throw Inconclusive or Skipped. */
type Judge<Row> = (view: View, row: Row) => Promise<Contradiction | undefined> | Contradiction | undefined;

/** Declares checks of a listing: a law, or laws that each hold for every row. */
export function lawsOf(listing: Listing) {
  function laws<Row>(
    requirement: string,
    name: string,
    rowsOf: (view: View) => Promise<readonly Row[]>,
    judge: Judge<Row>,
    options: CheckOptions = {},
  ): void {
    check(requirement, name, options, async (t) => {
      const view = await View.of(t, listing);
      // It shows what is accepted before anything else is asked for, and it is all that a law shows whose rows follow with other seeds.
      await view.first();
      const judged: Step<void>[] = [];
      for (const row of await rowsOf(view)) {
        const law: Law = async (find) => judge(await View.of(t, listing, find), row);
        judged.push(await attempt(() => expectLaw(t, requirement, law)));
      }
      judgeEach(judged);
    });
  }
  const law = (requirement: string, name: string, judge: Judge<undefined>, options?: CheckOptions): void =>
    laws(requirement, name, async () => [undefined], judge, options);
  return { law, laws };
}

/** Pages of the unfiltered listing of customers: all of them, or a few where a narrower listing is known. */
export const MOST_PAGES = 40;

/** Values of max above the default of the cards listing, which the documents neither allow nor forbid. */
export const BEYOND_DEFAULT = [PAGE + 1, 1000];

/** The query of a listing that has a card, by what its record shows. */
export function listingOf(record: Answer): Record<string, string | number> {
  for (const name of ['externalIdentifier', 'customerIdentifier']) {
    const value = member(record, name);
    if (typeof value === 'string' && value !== '') return { max: PAGE, [name]: value };
  }
  return { max: PAGE };
}
