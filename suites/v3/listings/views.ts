/** What checks see of a listing: what its filters find, and whether that keeps a law (readings 20 and 22). */
import { entries, memberOf } from '../../../helpers/answer.ts';
import { type CheckOptions, type Context, perOperation } from '../../../helpers/check.ts';
import { expectAccepted, type RequestToAccept } from '../../../helpers/engine/acceptance.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { inconclusive, judgeInTurn } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { givenToken, isText, isWhole } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import * as Listings from './listings.ts';

/** A text that no name contains. */
export const UNMATCHED = 'qxzzxq';

/** The value of each filter of a listing that finds entries, where one is known, and an invented one. */
const valuesOf = perOperation(
  (operation) => `values of the filters of ${operation}`,
  async (t, operation) => {
    const { filters, first } = Listings.both.find((one) => one.operation === operation)!;
    const values: Record<string, { known: string | undefined; invented: string }> = {};
    for (const { name, given, isMember } of filters) {
      const listed = async () => entries(await t.shared(first)).map((entry) => memberOf(entry, name));
      const known = given(t) ?? (isMember ? (await listed()).find(isText) : undefined);
      values[name] = { known, invented: name === 'name' ? UNMATCHED : Forms.invented(known ?? '0') };
    }
    return values;
  },
);

type Values = Readonly<Record<string, { known: string | undefined; invented: string }>>;

/** What a law sees of a listing. */
export class View {
  readonly t: Context;
  readonly listing: Listings.Listing;
  /** Makes the searches. */
  readonly find: Searches.Find;
  /** The filters for which a value is known. */
  readonly known: readonly Listings.Filter[];
  readonly #values: Values;

  constructor(t: Context, listing: Listings.Listing, find: Searches.Find, values: Values) {
    this.t = t;
    this.listing = listing;
    this.find = find;
    this.#values = values;
    this.known = listing.filters.filter(({ name }) => values[name]!.known !== undefined);
  }

  /** The value that a filter finds entries by. @throws Inconclusive when none is known */
  knownOf = ({ name }: Listings.Filter): string =>
    this.#values[name]!.known ?? inconclusive(`no value is known to filter by ${name}`);

  /** A value of a filter that nothing has. */
  inventedOf = ({ name }: Listings.Filter): string => this.#values[name]!.invented;

  /** What one page of a search shows, whatever its filters and max. */
  search(query: Searches.Search['query'], more: Partial<Searches.Search> = {}): Promise<Searches.Found> {
    return this.find({ operation: this.listing.operation, query, ...more });
  }

  /** What a search finds that has to be accepted, if only when it is asked again. @throws Nonconformance, Inconclusive; see expectAccepted */
  async accepted(query: Searches.Search['query'], request: Omit<RequestToAccept, 'operation' | 'input'>) {
    const found = await this.search(query, { intent: 'valid' });
    if (found.isAccepted) return found;
    const { operation } = this.listing;
    const { input } = await expectAccepted(this.t, { operation, input: { query }, ...request });
    const again = await Searches.makeSearch(this.t, { operation, query: input.query! });
    return again.isAccepted ? again : inconclusive(`${request.what} is accepted, but not each time`);
  }

  /** What a filter finds by its known value, or by another one. */
  by(filter: Listings.Filter, value = this.knownOf(filter)): Promise<Searches.Found> {
    const intent = value === this.knownOf(filter) ? 'valid' : 'refusable';
    return this.find(Listings.searchOf(this.listing, { [filter.name]: value }, { intent }));
  }

  /** What a filter finds by a value that nothing has. */
  byInvented(filter: Listings.Filter, beside: Searches.Search['query'] = {}): Promise<Searches.Found> {
    const query = { max: Searches.PAGE, [filter.name]: this.inventedOf(filter), ...beside };
    return this.search(query, { intent: 'unknown' });
  }

  /** The first page of the unfiltered listing. */
  first(): Promise<Searches.Found> {
    return this.find(Requests.firstPageOf(this.listing.operation));
  }

  /** As much of the unfiltered listing as a run reads: a listing without pages may give more than 50 entries at once. */
  async all(): Promise<Searches.Found> {
    const { listing, known, find } = this;
    const { operation } = listing;
    if (listing === Listings.customers) {
      const isNarrower = known.some(({ name }) => name !== 'v1Identifier');
      const pages = isNarrower ? listing.pages : Listings.MOST_PAGES;
      return find(Listings.searchOf(listing, {}, { intent: 'valid', pages }));
    }
    const found = [await this.first()];
    for (const max of Listings.BEYOND_DEFAULT) found.push(await find({ operation, query: { max } }));
    return found.reduce((largest, one) => (one.ids.length > largest.ids.length ? one : largest));
  }
}

/** @param find makes the searches; by default each once in the run */
export async function viewOf(
  t: Context,
  listing: Listings.Listing,
  find: Searches.Find = (search) => Searches.findOnce(t, search),
): Promise<View> {
  return new View(t, listing, find, await t.shared(valuesOf(listing.operation)));
}

/** The query of the second page of a listing; undefined where the first says of none. */
export async function laterPage(t: Context, { operation }: Listings.Listing) {
  const query = { max: 1 };
  const token = givenToken(await t.call(operation, { query }), 'continuationToken');
  return token ? { ...query, token } : undefined;
}

/** Whether entries are those of the unfiltered listing, though some of it comes and goes. */
export const areAll = (found: Searches.Found, all: Searches.Found): boolean =>
  found.isAccepted && all.ids.length > 1 && isWhole(found.ids, all.ids);

/** What searches of a listing contradict, if anything. */
export type Judgement = Laws.Contradiction | undefined | Promise<Laws.Contradiction | undefined>;

/** Judges what searches of a listing find. It may throw Inconclusive or Skipped. */
type Judge<Row> = (view: View, row: Row) => Judgement;

/** Declares checks of a listing. */
export function lawsOf(listing: Listings.Listing) {
  /** A law that holds for every row. */
  function laws<Row>(
    requirement: string,
    name: string,
    rowsOf: (view: View) => Promise<readonly Row[]>,
    judge: Judge<Row>,
    options: CheckOptions = {},
  ): void {
    check(requirement, name, options, async (t) => {
      const view = await viewOf(t, listing);
      // It shows what is accepted before anything else is asked for, and it is all that a law shows whose rows follow with other seeds.
      await view.first();
      const lawOf =
        (row: Row): Laws.Law =>
        async (find) =>
          judge(await viewOf(t, listing, find), row);
      await judgeInTurn(await rowsOf(view), (row) => Laws.expectLaw(t, requirement, lawOf(row)));
    });
  }
  /** A law. */
  const law = (requirement: string, name: string, judge: Judge<undefined>): void =>
    laws(requirement, name, async () => [undefined], judge);
  return { law, laws };
}
