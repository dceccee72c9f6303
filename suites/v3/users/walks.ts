/** Walks through the customers listing by its continuation token (reading 19). They only gather: checks judge. */
import { USERS_MAX } from '../../../contracts/v3/users.ts';
import { writeJson } from '../../../files/json.ts';
import { type Answer, describe, entries, member, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { rotated } from '../../../helpers/rotation.ts';
import type { Run } from '../../../helpers/run.ts';
import { identifiersOf, sameText } from '../../shared/identifiers.ts';

/** The reason why a walk stopped before its end. */
export interface WalkFault {
  kind: 'refused' | 'token-repeated' | 'token-refused' | 'no-progress' | 'customer-repeats';
  /** The customer or kind of fault concerned; the same when the fault recurs. */
  about: string;
  message: string;
}

/** A walk from page to page. */
export interface Walk {
  filter: Filter;
  /** The max of every request; undefined where none is sent. */
  size: number | undefined;
  pages: Answer[];
  /** Identifiers in the order in which they were listed. */
  seen: Set<string>;
  /** Listed customers without identifier. */
  withoutIdentifier: number;
  /** Whether the walk reached the last page. */
  ended: boolean;
  fault: WalkFault | undefined;
}

/** Query parameters beside max and token. */
export type Filter = Record<string, string>;

const MOST_PAGES = 40;
/** Pages to read of a whole listing where a narrower one can be walked instead. */
const FEW_PAGES = 6;
/** Number of consecutive pages without a new customer after which a walk counts as endless. */
const PAGES_WITHOUT_NEWS = 20;

/** Follows the continuation token from the first page to the end, a fault or `pages` pages. */
export async function walk(t: Context, filter: Filter, size: number | undefined, pages = MOST_PAGES): Promise<Walk> {
  t.prioritise();
  const walked: Walk = {
    filter,
    size,
    pages: [],
    seen: new Set(),
    withoutIdentifier: 0,
    ended: false,
    fault: undefined,
  };
  const tokens = new Set<string>();
  let withoutNews = 0;
  for (let token: string | undefined; walked.pages.length < pages; ) {
    const answer = await nextPage(t, { max: size, ...filter }, token);
    walked.pages.push(answer);
    if (!succeeded(answer))
      return token
        ? stopped(walked, 'token-refused', `its continuation token is refused: ${describe(answer)}`)
        : stopped(walked, 'refused', `refused: ${describe(answer)}`);
    const news = note(walked, answer);
    if (walked.fault) return walked;
    token = continuation(answer);
    if (token === undefined) return { ...walked, ended: true };
    if (tokens.has(token)) return stopped(walked, 'token-repeated', 'a continuation token is repeated');
    tokens.add(token);
    withoutNews = news ? 0 : withoutNews + 1;
    if (withoutNews === PAGES_WITHOUT_NEWS)
      return stopped(walked, 'no-progress', `${PAGES_WITHOUT_NEWS} consecutive pages bring nobody new`);
  }
  return walked;
}

/**
 * Reads the next page with max and filters sent again or, to a target that refuses that, with the token alone. If the token then is accepted
 * with them, the refusal had another reason, and that page counts: without the filters the target may continue another listing.
 */
async function nextPage(
  t: Context,
  query: Record<string, string | number | undefined>,
  token?: string,
): Promise<Answer> {
  if (token === undefined) return t.call('users.list', { query });
  const next = (beside: typeof query) => t.call('users.list', { query: { ...beside, token } }, { intent: 'refusable' });
  const first = await next(query);
  if (succeeded(first)) return first;
  const bare = await next({});
  if (!succeeded(bare)) return bare;
  const again = await next(query);
  return succeeded(again) ? again : bare;
}

const stopped = (walked: Walk, kind: WalkFault['kind'], message: string): Walk => ({
  ...walked,
  fault: { kind, about: kind, message: `${message} (page ${walked.pages.length}, ${sizeInWords(walked)})` },
});

/** The page size of a walk, for messages. */
export const sizeInWords = ({ size }: Walk) => (size === undefined ? 'without max' : `max=${size}`);

/** Notes the customers of a page. @returns whether it lists anybody: a customer listed before is a fault of its own */
function note(walked: Walk, page: Answer): boolean {
  const listed = entries(page);
  const identifiers = identifiersOf(listed);
  walked.withoutIdentifier += listed.length - identifiers.length;
  for (const identifier of identifiers) {
    if (walked.seen.has(identifier))
      walked.fault = {
        kind: 'customer-repeats',
        about: identifier,
        message: `customer ${identifier} is listed again on page ${walked.pages.length} (${sizeInWords(walked)})`,
      };
    walked.seen.add(identifier);
  }
  return listed.length > 0;
}

/** The continuation token of a page; absent, null and "" end the walk. */
export function continuation(page: Answer): string | undefined {
  const token = member(page, 'continuationToken');
  if (token === undefined || token === null || token === '') return undefined;
  return typeof token === 'string' ? token : writeJson(token);
}

/** A walk through the customers that a filter of the fixtures file finds; undefined where the file gives no value for it. */
const walkBy = (name: string, filterOf: (t: Context) => Filter | undefined) =>
  scenario(`walk through the customers by ${name}`, async (t) => {
    const filter = filterOf(t);
    return filter && walk(t, filter, USERS_MAX, FEW_PAGES);
  });
export const walkByParent = walkBy('parent', ({ fixtures: { users } }) =>
  users?.parentIdentifier ? { parentIdentifier: users.parentIdentifier } : undefined,
);
export const walkByName = walkBy('name', ({ fixtures: { users } }) =>
  users?.nameFragment ? { name: users.nameFragment } : undefined,
);

/** The listing without filter: walked to its end, or only a few pages of it where a narrower listing is known. */
export const walkOfAll = scenario('walk through all customers', async (t) => {
  const narrower = t.fixtures.users?.parentIdentifier ?? t.fixtures.users?.nameFragment;
  return walk(t, {}, USERS_MAX, narrower ? FEW_PAGES : MOST_PAGES);
});

/** Walks to judge, grouped by listing: each listing is walked with a second page size, and one of them with several. */
export const customerWalks = scenario('walks with pages of several sizes', async (t) => {
  const walks = await Promise.all([t.shared(walkByParent), t.shared(walkByName), t.shared(walkOfAll)]);
  const done = walks.filter((one) => one !== undefined);
  const chosen = await narrowest(t, done);
  if (!done.includes(chosen)) done.push(chosen);
  const listings = await Promise.all(
    done.map(async (one) => {
      if (!one.ended) return [one];
      const sizes =
        one === chosen ? otherSizes(one.seen.size) : [sizeOfFew(t, one) ?? leavingOne(one.seen.size) ?? USERS_MAX - 1];
      const resized: Walk[] = [];
      const others: (number | undefined)[] = one === chosen ? [...sizes, undefined] : sizes;
      for (const size of others) resized.push(await walk(t, one.filter, size));
      return [one, ...resized];
    }),
  );
  return { walks: listings.flat(), listings };
});

/** The walk through the smallest listing of more than 50 customers, else through all of them. */
async function narrowest(t: Context, done: Walk[]): Promise<Walk> {
  const long = done.filter((one) => one.ended && one.pages.length > 1 && one.seen.size > USERS_MAX);
  const least = long.toSorted((a, b) => a.seen.size - b.seen.size)[0];
  if (least) return least;
  const all = done.at(-1)!;
  const cut = done.filter(({ ended, fault, filter }) => !ended && !fault && Object.keys(filter).length > 0);
  if (cut.length > 0) return walk(t, Object.assign({}, ...cut.map(({ filter }) => filter)), USERS_MAX);
  return !all.ended && !all.fault && all.pages.length < MOST_PAGES ? walk(t, {}, USERS_MAX) : all;
}

/** A page size below any likely default. */
const SMALL = 10;

/** Other page sizes whose walks stay below the most pages: a small one, 49, and those that reveal off-by-one errors. */
function otherSizes(customers: number): number[] {
  const small = Math.max(1, Math.ceil(customers / 12), Math.min(Math.ceil(customers / 6), SMALL));
  const sizes = [small, USERS_MAX - 1].filter((size) => size < USERS_MAX && customers / size < MOST_PAGES);
  const revealing = [leavingOne(customers), dividing(customers, USERS_MAX - 1)].filter((size) => size !== undefined);
  return [...new Set([...sizes, ...revealing])];
}

/** A page size for a short listing, small enough for several pages but at most six, chosen by the seed; undefined where none fits. */
function sizeOfFew({ run }: Context, { filter, seen }: Walk): number | undefined {
  const sizes = Array.from({ length: SMALL - 2 }, (_, index) => index + 2);
  const fitting = sizes.filter((size) => seen.size > size && seen.size <= size * FEW_PAGES);
  if (fitting.length === 0) return undefined;
  return rotated(run, `users.list: small pages by ${Object.keys(filter).join(' and ')}`, fitting)[0];
}

/** The page size that leaves one customer for the last page. */
const leavingOne = (customers: number) => dividing(customers - 1, Math.min(USERS_MAX - 1, customers - 1));

/** The largest page size up to `most` that divides this number of customers evenly. */
function dividing(customers: number, most: number): number | undefined {
  for (let size = most; size > 0 && customers / size < MOST_PAGES - 1; size -= 1)
    if (customers % size === 0) return size;
  return undefined;
}

/** The last walk that must have the listing to itself, by run; the next one waits for it. Its checks are of the phase 'last', when nobody else lists. */
const alone = new WeakMap<Run, Promise<unknown>>();

/** Walks a listing again while no other such walk is under way: a newer listing may end the tokens of an earlier one. */
export function walkAlone(t: Context, { filter, size, pages }: Walk): Promise<Walk> {
  const earlier = alone.get(t.run) ?? Promise.resolve();
  const walked = earlier.then(() => walk(t, filter, size, Math.max(pages.length + 1, 2)));
  alone.set(
    t.run,
    walked.catch(() => undefined),
  );
  return walked;
}

/** Whether the fault of a walk recurs, so that the target causes it and not customers who come and go. */
export async function isReproducible(t: Context, one: Walk): Promise<boolean> {
  const again = await walkAlone(t, one);
  if (!one.fault || again.fault?.kind !== one.fault.kind) return false;
  const [page, pageAgain] = [one.pages[0]!, again.pages[0]!];
  if (again.fault.about !== one.fault.about) return isShuffled(page, pageAgain);
  if (one.fault.kind !== 'customer-repeats') return true;
  const [pageNow] = (await walk(t, one.filter, one.size, 1)).pages;
  return [page, pageNow!].every((other) => isSameSet(customersOn(other), customersOn(pageAgain)));
}

const customersOn = (page: Answer) => new Set(identifiersOf(entries(page)));

/** Whether a walk lists the customer. */
export const contains = (walked: Walk, customer: string): boolean =>
  [...walked.seen].some((seen) => sameText(seen, customer));

/** Whether two sets hold the same. */
export const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((member) => other.has(member));

/** Whether the order of a page changes between readings: a customer who comes or goes leaves the order of the others alone. */
function isShuffled(page: Answer, again: Answer): boolean {
  const before = new Map(identifiersOf(entries(page)).map((identifier, index) => [identifier, index]));
  const places = identifiersOf(entries(again)).flatMap((identifier) => before.get(identifier) ?? []);
  const descents = places.filter((place, index) => index > 0 && place < places[index - 1]!).length;
  return descents > Math.max(2, places.length / 4);
}
