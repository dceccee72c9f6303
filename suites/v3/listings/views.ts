/** What checks see of a listing: what its filters find, and whether that keeps a law (readings 20 and 22). */
import { entries, memberOf } from '../../../helpers/answer.ts';
import { type CheckOptions, type Context, perOperation } from '../../../helpers/check.ts';
import { expectAccepted, type RequestToAccept } from '../../../helpers/engine/acceptance.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { attempt, type Fact, inconclusive, judgeEach } from '../../../helpers/verdict.ts';
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

/** What a law sees of a listing. */
export type View = Awaited<ReturnType<typeof viewOf>>;

/** @param find makes the searches; by default each once in the run */
export async function viewOf(
  t: Context,
  listing: Listings.Listing,
  find: Searches.Find = (search) => Searches.findOnce(t, search),
) {
  const { operation } = listing;
  const values = await t.shared(valuesOf(operation));

  /** The filters for which a value is known. */
  const known = listing.filters.filter(({ name }) => values[name]!.known !== undefined);

  /** The value that a filter finds entries by. @throws Inconclusive when none is known */
  const knownOf = ({ name }: Listings.Filter): string =>
    values[name]!.known ?? inconclusive(`no value is known to filter by ${name}`);

  /** A value of a filter that nothing has. */
  const inventedOf = ({ name }: Listings.Filter): string => values[name]!.invented;

  /** What one page of a search shows, whatever its filters and max. */
  const search = (query: Searches.Search['query'], more: Partial<Searches.Search> = {}): Promise<Searches.Found> =>
    find({ operation, query, ...more });

  /** What a search finds that has to be accepted, if only when it is asked again. @throws Nonconformance, Inconclusive; see expectAccepted */
  async function accepted(query: Searches.Search['query'], request: Omit<RequestToAccept, 'operation' | 'input'>) {
    const found = await search(query, { intent: 'valid' });
    if (found.isAccepted) return found;
    const { input } = await expectAccepted(t, { operation, input: { query }, ...request });
    const again = await Searches.makeSearch(t, { operation, query: input.query! });
    return again.isAccepted ? again : inconclusive(`${request.what} is accepted, but not each time`);
  }

  /** What a filter finds by its known value, or by another one. */
  const by = (filter: Listings.Filter, value = knownOf(filter)): Promise<Searches.Found> => {
    const intent = value === knownOf(filter) ? 'valid' : 'refusable';
    return find(Listings.searchOf(listing, { [filter.name]: value }, { intent }));
  };

  /** What a filter finds by a value that nothing has. */
  const byInvented = (filter: Listings.Filter, beside: Searches.Search['query'] = {}): Promise<Searches.Found> =>
    search({ max: Searches.PAGE, [filter.name]: inventedOf(filter), ...beside }, { intent: 'unknown' });

  /** The first page of the unfiltered listing. */
  const first = (): Promise<Searches.Found> => find(Requests.firstPageOf(operation));

  const all = () => readAll(listing, known, find);

  return { t, listing, find, known, knownOf, inventedOf, search, accepted, by, byInvented, first, all };
}

/** As much of the unfiltered listing as a run reads: a listing without pages may give more than 50 entries at once. */
async function readAll(
  listing: Listings.Listing,
  known: readonly Listings.Filter[],
  find: Searches.Find,
): Promise<Searches.Found> {
  if (listing === Listings.customers) {
    const isNarrower = known.some(({ name }) => name !== 'v1Identifier');
    const pages = isNarrower ? listing.pages : Listings.MOST_PAGES;
    return find(Listings.searchOf(listing, {}, { intent: 'valid', pages }));
  }
  const found = [await find(Requests.firstPageOf(listing.operation))];
  for (const max of Listings.BEYOND_DEFAULT) found.push(await find({ operation: listing.operation, query: { max } }));
  return found.reduce((largest, one) => (one.ids.length > largest.ids.length ? one : largest));
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
      const judged: Fact<void>[] = [];
      for (const row of await rowsOf(view)) {
        const law: Laws.Law = async (find) => judge(await viewOf(t, listing, find), row);
        judged.push(await attempt(() => Laws.expectLaw(t, requirement, law)));
      }
      judgeEach(judged.map((fact) => () => fact.get()));
    });
  }
  /** A law. */
  const law = (requirement: string, name: string, judge: Judge<undefined>): void =>
    laws(requirement, name, async () => [undefined], judge);
  return { law, laws };
}
