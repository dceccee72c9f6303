/** What laws see of a listing: its searches, by values of its filters that are known or invented (readings 20 and 22). */
import { entries, memberOf } from '../../../helpers/answer.ts';
import { type CheckOptions, type Context, scenario } from '../../../helpers/check.ts';
import { invented } from '../../../helpers/engine/forms/invented.ts';
import { type Contradiction, expectLaw, type Law } from '../../../helpers/engine/laws.ts';
import { type Find, type Found, findOnce, PAGE, type Search } from '../../../helpers/engine/searches.ts';
import { attempt, inconclusive, judgeEach, type Step } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { isText } from '../../shared/identifiers.ts';
import { firstPageOf } from '../../shared/requests.ts';
import { customers, type Filter, type Listing, listings, searchOf } from './listings.ts';

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
