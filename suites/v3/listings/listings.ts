/** The listings of customers and of cards: their filters, values that these take, and what laws see of them (readings 20 and 22). */
import type { Fixtures } from '../../../contracts/fixtures.ts';
import { type Answer, entries, member, memberOf, type QueryValue } from '../../../helpers/answer.ts';
import { type CheckOptions, type Context, perOperation, type Scenario } from '../../../helpers/check.ts';
import { expectAccepted, type RequestToAccept } from '../../../helpers/engine/acceptance.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { attempt, inconclusive, judgeEach, type Step } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { isText, isWhole } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';

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
  like?: Parameters<typeof Forms.lookAlikes>[0] | undefined;
  /** The keys of the fixtures file for a customer that it finds, and for one that it leaves out. */
  finds?: CustomerKey;
  leavesOut?: CustomerKey;
}

/** A key of the fixtures file that names a customer. */
export type CustomerKey = Exclude<keyof NonNullable<Fixtures['users']> & `${string}Identifier`, 'v1Identifier'>;

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

const ofUsers = (
  name: string,
  requirement: string,
  key: 'parentIdentifier' | 'nameFragment' | 'v1Identifier',
  more: Pick<Filter, 'like' | 'finds' | 'leavesOut'>,
): Filter => ({ name, requirement, given: ({ fixtures }) => fixtures.users?.[key], ...more });

export const customers: Listing = {
  operation: 'users.list',
  noun: 'customer',
  maxAccepted: 'users.list.max-accepted',
  maxRespected: 'users.list.max-respected',
  unknownValue: 'users.list.unknown-filter-value',
  paddedValue: 'users.list.padded-filter-value',
  filters: [
    ofUsers('parentIdentifier', 'users.list.filter-parent', 'parentIdentifier', {
      like: 'filterOfCustomer',
      finds: 'childIdentifier',
      leavesOut: 'unrelatedIdentifier',
    }),
    ofUsers('name', 'users.list.filter-name', 'nameFragment', {
      finds: 'nameMatchIdentifier',
      leavesOut: 'nameMismatchIdentifier',
    }),
    ofUsers('v1Identifier', 'users.list.filter-v1-identifier', 'v1Identifier', {
      like: 'filterOfMember',
      finds: 'v1MatchIdentifier',
    }),
  ],
  first: Requests.firstCustomers,
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
    ofCards('programIdentifier', 'cards.list.filter-program', 'filterOfOrder'),
    ofCards('orderIdentifier', 'cards.list.filter-order', 'filterOfOrder'),
    ofCards('externalIdentifier', 'cards.list.filter-external', 'filterOfMember', true),
  ],
  first: Requests.firstCards,
  pages: 1,
};

export const both: readonly Listing[] = [customers, cards];

/** A search of a listing: its largest page, unless the query says otherwise. */
export const searchOf = (
  { operation, pages }: Listing,
  query: Record<string, QueryValue>,
  more?: Partial<Searches.Search>,
): Searches.Search => ({ operation, query: { max: Searches.PAGE, ...query }, pages, ...more });

/** The query of a listing that has a card, by what its record shows. */
export function of(t: Context, record: Answer): Searches.Search['query'] {
  const shown = ['externalIdentifier', 'customerIdentifier'].filter((name) => isText(member(record, name)));
  const [by] = t.rotated('the filter of a listing that has a card', shown, { isOnce: true });
  return { max: Searches.PAGE, ...(by && { [by]: member(record, by) as string }) };
}

// ---- what laws see of a listing --------------------------------------------------------------------------------------

/** A text that no name contains. */
export const UNMATCHED = 'qxzzxq';

/** The value of each filter of a listing that finds entries, where one is known, and an invented one. */
const valuesOf = perOperation(
  (operation) => `values of the filters of ${operation}`,
  async (t, operation) => {
    const { filters, first } = both.find((one) => one.operation === operation)!;
    const values: Record<string, { known: string | undefined; invented: string }> = {};
    for (const { name, given, isMember } of filters) {
      const listed = async () => entries(await t.shared(first)).map((entry) => memberOf(entry, name));
      const known = given(t) ?? (isMember ? (await listed()).find(isText) : undefined);
      values[name] = { known, invented: name === 'name' ? UNMATCHED : Forms.invented(known ?? '0') };
    }
    return values;
  },
);

/** What a law sees of a listing. */
export type View = Awaited<ReturnType<typeof viewOf>>;

/** @param find makes the searches; by default each once in the run */
export async function viewOf(
  t: Context,
  listing: Listing,
  find: Searches.Find = (search) => Searches.findOnce(t, search),
) {
  const { operation } = listing;
  const values = await t.shared(valuesOf(operation));

  /** The filters for which a value is known. */
  const known = listing.filters.filter(({ name }) => values[name]!.known !== undefined);

  /** The value that a filter finds entries by. @throws Inconclusive when none is known */
  const knownOf = ({ name }: Filter): string =>
    values[name]!.known ?? inconclusive(`no value is known to filter by ${name}`);

  /** A value of a filter that nothing has. */
  const inventedOf = ({ name }: Filter): string => values[name]!.invented;

  /** What one page of a search shows, whatever its filters and max. */
  const search = (query: Searches.Search['query'], more: Partial<Searches.Search> = {}): Promise<Searches.Found> =>
    find({ operation, query, ...more });

  /**
   * What a search finds that has to be accepted, if only when it is asked again.
   * @throws Nonconformance, Inconclusive; see expectAccepted
   */
  async function accepted(
    query: Searches.Search['query'],
    request: Pick<RequestToAccept, 'what' | 'control' | 'fuller'>,
  ) {
    const found = await search(query, { intent: 'valid' });
    if (found.isAccepted) return found;
    const { input } = await expectAccepted(t, { operation, input: { query }, ...request });
    const again = await Searches.makeSearch(t, { operation, query: input.query! });
    return again.isAccepted ? again : inconclusive(`${request.what} is accepted, but not each time`);
  }

  /** What a filter finds by its known value, or by another one. */
  const by = (filter: Filter, value = knownOf(filter)): Promise<Searches.Found> =>
    find(searchOf(listing, { [filter.name]: value }, { intent: value === knownOf(filter) ? 'valid' : 'refusable' }));

  /** What a filter finds by a value that nothing has. */
  const byInvented = (filter: Filter, beside: Searches.Search['query'] = {}): Promise<Searches.Found> =>
    search({ max: Searches.PAGE, [filter.name]: inventedOf(filter), ...beside }, { intent: 'unknown' });

  /** The first page of the unfiltered listing. */
  const first = (): Promise<Searches.Found> => find(Requests.firstPageOf(operation));

  /** As much of the unfiltered listing as a run reads: a listing without pages may give more than 50 entries at once. */
  async function all(): Promise<Searches.Found> {
    if (listing === customers) {
      const isNarrower = known.some(({ name }) => name !== 'v1Identifier');
      return find(searchOf(customers, {}, { intent: 'valid', pages: isNarrower ? customers.pages : MOST_PAGES }));
    }
    const found = [await first()];
    for (const max of BEYOND_DEFAULT) found.push(await search({ max }));
    return found.reduce((largest, one) => (one.ids.length > largest.ids.length ? one : largest));
  }

  return { t, listing, find, known, knownOf, inventedOf, search, accepted, by, byInvented, first, all };
}

/** Whether entries are those of the unfiltered listing, though some of it comes and goes. */
export const areAll = (found: Searches.Found, all: Searches.Found): boolean =>
  found.isAccepted && all.ids.length > 1 && isWhole(found.ids, all.ids);

/** Judges what searches of a listing find. It may throw Inconclusive or Skipped. */
export type Judge<Row> = (
  view: View,
  row: Row,
) => Promise<Laws.Contradiction | undefined> | Laws.Contradiction | undefined;

/** Declares checks of a listing: a law, or one that holds for every row, by what gives the rows and then by what judges each. */
export function lawsOf(listing: Listing) {
  const laws =
    <Row>(requirement: string, name: string, rowsOf: (view: View) => Promise<readonly Row[]>) =>
    (judge: Judge<Row>, options: CheckOptions = {}): void =>
      check(requirement, name, options, async (t) => {
        const view = await viewOf(t, listing);
        // It shows what is accepted before anything else is asked for, and it is all that a law shows whose rows follow with other seeds.
        await view.first();
        const judged: Step<void>[] = [];
        for (const row of await rowsOf(view)) {
          const law: Laws.Law = async (find) => judge(await viewOf(t, listing, find), row);
          judged.push(await attempt(() => Laws.expectLaw(t, requirement, law)));
        }
        judgeEach(judged);
      });
  const law = (requirement: string, name: string, judge: Judge<undefined>): void =>
    laws(requirement, name, async () => [undefined])(judge);
  return { law, laws };
}

/** Pages of the unfiltered listing of customers: all of them, or a few where a narrower listing is known. */
export const MOST_PAGES = 40;

/** Values of max above the default of the cards listing, which the documents neither allow nor forbid. */
export const BEYOND_DEFAULT = [Searches.PAGE + 1, 1000];
