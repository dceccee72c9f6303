/** Following the continuation token of the customers listing (reading 19). */
import { type Answer, entries, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { contradiction, isShownAgain, kept } from '../../../helpers/evidence/monitor.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { check, watch } from '../../declare.ts';
import { identifiersOf } from '../../shared/identifiers.ts';
import * as Listings from './listings.ts';
import * as Views from './views.ts';

/** A search that is followed, and the same with the largest pages. */
type Followed = { largest: Searches.Search; search: Searches.Search; found: Searches.Found };

/** Searches of customers that a run follows: by each filter of the fixtures and unfiltered, with pages of several sizes. */
export const customerSearches = scenario('searches with pages of several sizes', async (t): Promise<Followed[]> => {
  t.prioritiseAboveAll();
  const view = await Views.viewOf(t, Listings.customers);
  await view.first();
  const found: Searches.Found[] = [];
  for (const filter of view.known.filter(({ leavesOut }) => leavesOut)) found.push(await view.by(filter));
  found.push(await view.all());
  const chosen = await narrowest(view, found);
  const followed: Followed[] = [];
  for (const whole of new Set([...found, chosen])) {
    const largest = whole.search;
    followed.push({ largest, search: largest, found: whole });
    if (!whole.hasEnded) continue;
    for (const max of whole === chosen ? [...manySizes(whole.ids.length), undefined] : [oneSize(t, whole)]) {
      const search = { ...largest, query: { ...largest.query, max }, pages: Listings.MOST_PAGES };
      followed.push({ largest, search, found: await view.find(search) });
    }
  }
  return followed;
});

/** Pages of a short listing. */
const FEW_PAGES = 6;

/** The smallest search of more than 50 customers that ended, else the unfiltered one. */
async function narrowest({ find }: Views.View, found: readonly Searches.Found[]): Promise<Searches.Found> {
  const long = found.filter(({ hasEnded, pages, ids }) => hasEnded && pages.length > 1 && ids.length > Searches.PAGE);
  const [least] = long.toSorted((a, b) => a.ids.length - b.ids.length);
  if (least) return least;
  const all = found.at(-1)!;
  if (all.hasEnded || all.stop) return all;
  const cut = found.filter((one) => one !== all && !one.hasEnded && !one.stop);
  const query = Object.assign({}, ...cut.map(({ search }) => search.query));
  return find(Listings.searchOf(Listings.customers, query, { pages: Listings.MOST_PAGES }));
}

/** Sizes of small pages of which some begin where the largest ones do: what is kept of these by where they begin shows there. */
const BESIDE_LARGEST = [5, 10, 25];

/** Page sizes whose pages stay few enough: a small one, 49, and those that reveal errors by one. */
function manySizes(total: number): number[] {
  const small = BESIDE_LARGEST.find((size) => total / size <= FEW_PAGES) ?? Math.ceil(total / 12);
  const sizes = [small, Searches.PAGE - 1].filter((size) => size < Searches.PAGE && total / size < Listings.MOST_PAGES);
  const revealing = [leavingOne(total), dividing(total, Searches.PAGE - 1)].filter((size) => size !== undefined);
  return [...new Set([...sizes, ...revealing])];
}

/** A page size for a short listing, below any likely default, for two pages to six, chosen by the seed; else one that leaves one over. */
function oneSize(t: Context, { search, ids }: Searches.Found): number {
  const fitting = [2, 3, 4, 5, 6, 7, 8, 9].filter((size) => ids.length > size && ids.length <= size * FEW_PAGES);
  if (fitting.length === 0) return leavingOne(ids.length) ?? Searches.PAGE - 1;
  const filters = Object.keys(search.query).filter((name) => name !== 'max');
  return t.rotated(`users.list: small pages by ${filters.join(' and ')}`, fitting)[0]!;
}

/** The page size that leaves one customer for the last page. */
const leavingOne = (total: number) => dividing(total - 1, Math.min(Searches.PAGE - 1, total - 1));

/** The largest page size up to `most` that divides this number evenly. */
function dividing(total: number, most: number): number | undefined {
  for (let size = most; size > 0 && total / size < Listings.MOST_PAGES - 1; size -= 1)
    if (total % size === 0) return size;
  return undefined;
}

/** Declares a check of the customers that following each search shows. @param isEvidence whether a search can show it */
function whileFollowing(
  requirement: string,
  isEvidence: (followed: Followed) => boolean,
  judge: (found: Searches.Found, largest: Searches.Found, again: () => Promise<Searches.Found>) => Views.Judgement,
): void {
  Views.lawsOf(Listings.customers).laws(
    requirement,
    'pages of several sizes',
    ({ t }) => t.shared(customerSearches),
    async ({ find }, { search, largest }) => {
      const whole = await find(largest);
      return judge(await find(search), whole, () => find({ ...search, pages: 1 }));
    },
    { phase: 'last' },
  );
  check(requirement, 'enough customers to judge by', { phase: 'last' }, async (t) => {
    const followed = await t.shared(customerSearches);
    if (followed.some(isEvidence)) return;
    const stopped = followed.find(({ found }) => found.stop);
    if (stopped) inconclusive(`a search was stopped: ${stopped.found.stop!.message}`);
    if (followed.some(({ found }) => found.ids.length < found.entries.length))
      inconclusive('customers are listed without identifier');
    inconclusive(
      followed.some(({ found }) => !found.hasEnded)
        ? 'no listing with more than 50 customers ends within 40 pages: users.parentIdentifier or users.nameFragment name a narrower one'
        : 'all customers fit on one page',
    );
  });
}

/** A contradiction where a search was stopped for one of these reasons. */
function stoppedBy(found: Searches.Found, ...kinds: Searches.Stop['kind'][]): Laws.Contradiction | undefined {
  if (!found.stop || !kinds.includes(found.stop.kind)) return undefined;
  const { kind, about, message } = found.stop;
  return { about: [about], message, expected: 'the next page', actual: kind, found };
}

const hasSeveralPages = ({ found }: Followed) => found.hasEnded && found.pages.length > 1;

whileFollowing('users.list.pagination-ends', hasSeveralPages, (found) =>
  stoppedBy(found, 'token-repeated', 'token-refused', 'no-progress'),
);

const tokenOf = ({ input: { query } }: Answer) => (query?.token === undefined ? undefined : String(query.token));
const filtersOf = ({ input: { query = {} } }: Answer) =>
  Object.entries({ ...query, token: undefined, max: undefined })
    .toSorted()
    .join();

/** By continuation token, the pages that gave it. */
type Givers = ReadonlyMap<string | undefined, readonly Answer[]>;

/** The page whose continuation token led to another one; undefined for a first page. */
function giverOf(page: Answer, givers: Givers): Answer | undefined {
  const token = tokenOf(page);
  const isBefore = (one: Answer) => one !== page && one.answeredAt <= page.sentAt && filtersOf(one) === filtersOf(page);
  return token === undefined ? undefined : givers.get(token)?.findLast(isBefore);
}

/** The pages from which one was reached, the first of them first. */
function pagesBefore(page: Answer, givers: Givers): Answer[] {
  const before = new Set<Answer>();
  let one = giverOf(page, givers);
  while (one && !before.has(one)) {
    before.add(one);
    one = giverOf(one, givers);
  }
  return [...before].toReversed();
}

/** No customer of a page was on those before it, whoever followed them: each comes by the continuation token of another. */
function* repeatsNobody(history: readonly Answer[]) {
  const pages = history.filter((answer) => answer.operation.id === 'users.list' && succeeded(answer));
  const givers = Map.groupBy(pages, Searches.continuationOf);
  for (const page of pages) {
    const before = pagesBefore(page, givers);
    const pageOf = new Map(before.flatMap((one) => identifiersOf(entries(one)).map((id) => [id, one] as const)));
    const found = identifiersOf(entries(page));
    const twice = found.find((id) => pageOf.has(id));
    const message = `the customer ${twice} is on two pages of one listing`;
    if (twice !== undefined) yield contradiction([pageOf.get(twice)!, page], message, 'nobody twice', twice);
    else if (found.length > 0 && pageOf.size > 0) yield kept([...before, page]);
  }
}

watch({
  requirement: 'users.list.pagination-repeats-nobody',
  monitor: repeatsNobody,
  isSuspicion: true,
  isConfirmed: isShownAgain,
});

whileFollowing(
  'users.list.pagination-repeats-nobody',
  (followed) => hasSeveralPages(followed) && followed.found.isWhole,
  async (found, _largest, again) => {
    const stopped = stoppedBy(found, 'repeated');
    if (!stopped) return undefined;
    // In an order that changes all the time, somebody else is repeated each time.
    const isShuffled = inOtherOrder(identifiersOf(entries(found.pages[0]!)), (await again()).ids);
    const about = isShuffled ? ['the order'] : stopped.about;
    return { ...stopped, about, expected: 'nobody twice', actual: stopped.about[0]! };
  },
);

whileFollowing(
  'users.list.pagination-same-set',
  ({ search, largest, found }) => search !== largest && found.isWhole,
  (found, largest) => {
    const how = `${Searches.sizeInWords(found.search)} finds other customers than ${Searches.sizeInWords(largest.search)}`;
    return Laws.surplus(how, Laws.beyond(found, largest)) ?? Laws.missing(how, Laws.beyond(largest, found));
  },
);

/** Whether the order of what is in both lists differs: somebody who comes or goes leaves the order of the others alone. */
function inOtherOrder(before: readonly string[], after: readonly string[]): boolean {
  const placeOf = new Map(before.map((identifier, index) => [identifier, index]));
  const places = after.flatMap((identifier) => placeOf.get(identifier) ?? []);
  const descents = places.filter((place, index) => index > 0 && place < places[index - 1]!).length;
  return descents > Math.max(2, places.length / 4);
}
