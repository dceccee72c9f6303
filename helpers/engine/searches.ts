/** Searches of listings: what is asked for, and what is found, page after page (readings 19, 20 and 22). They judge nothing. */
import { operation as operationById } from '../../contracts/operations.ts';
import { writeJson } from '../../files/json.ts';
import { type Answer, bodyOf, describe, entries, type Intent, member, type QueryValue, succeeded } from '../answer.ts';
import { identifiersOf } from '../cards/discovery.ts';
import type { Context, Scenario } from '../context.ts';
import { outlineOf } from '../contract-rules/outline.ts';

/** A search of a listing. It holds no continuation token, so that it can be made again at any time. */
export interface Search {
  operation: string;
  /** Filters and max. */
  query: Record<string, QueryValue>;
  /** Number of pages to follow at most; by default one. */
  pages?: number;
  /** By default `refusable`: which filters and values go together is not shown. */
  intent?: Intent;
}

/** Why a search stopped before its last page. */
export interface Stop {
  kind: 'refused' | 'token-repeated' | 'token-refused' | 'no-progress' | 'repeated';
  /** What is the same when it happens again: the entry that is listed twice, else the kind. */
  about: string;
  message: string;
}

export interface Found {
  search: Search;
  pages: Answer[];
  entries: Record<string, unknown>[];
  /** Identifiers of the entries, in their order. */
  ids: string[];
  /** Whether the first page was accepted. */
  isAccepted: boolean;
  /** Whether its last page was read. */
  hasEnded: boolean;
  /** Whether these are certainly all entries that the search finds, each with an identifier. */
  isWhole: boolean;
  stop: Stop | undefined;
}

export type Find = (search: Search) => Promise<Found>;

/** Results on a page where max is absent, and the most that a page holds. */
export const PAGE = 50;
/** Number of consecutive pages without a new entry after which a search counts as endless. */
const PAGES_WITHOUT_NEWS = 20;

/** The same text for equal searches. */
export const keyOf = ({ operation, query, pages = 1 }: Search): string =>
  `${operation} ${writeJson(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .sort(),
  )} ${pages}`;

/** The search in words: `users.list by name, max=50`. */
function nameOf(search: Search): string {
  const { operation, query } = search;
  const by = Object.keys(query).filter((name) => name !== 'max' && query[name] !== undefined);
  return `${operation}${by.length > 0 ? ` by ${by.join(' and ')}` : ''}, ${sizeInWords(search)}`;
}

/** Makes a search, or returns what it found earlier in the run. */
export function findOnce(t: Context, search: Search): Promise<Found> {
  const ofRun = t.run.once(findOnce, () => new Map<string, Scenario<Found>>());
  const key = keyOf(search);
  const known = ofRun.get(key) ?? { name: nameOf(search), body: (own) => makeSearch(own, search) };
  ofRun.set(key, known);
  return t.shared(known);
}

/** Makes a search: reads its pages from the first to the last, or until something stops it. */
export async function makeSearch(t: Context, search: Search): Promise<Found> {
  if ((search.pages ?? 1) > 1) t.prioritise();
  const found: Found = {
    search,
    pages: [],
    entries: [],
    ids: [],
    isAccepted: false,
    hasEnded: false,
    isWhole: false,
    stop: undefined,
  };
  const known = new Set<string>();
  const tokens = new Set<string>();
  let withoutNews = 0;
  for (let token: string | undefined; found.pages.length < (search.pages ?? 1); ) {
    const page = await readPage(t, search, token);
    found.pages.push(page);
    if (!succeeded(page))
      return token === undefined
        ? stopped(found, 'refused', `refused: ${describe(page)}`)
        : stopped(found, 'token-refused', `its continuation token is refused: ${describe(page)}`);
    found.isAccepted = true;
    const listed = entries(page);
    const news = identifiersOf(listed);
    const repeated = repeatedIn(news, known);
    found.entries = found.entries.concat(listed);
    found.ids = found.ids.concat(news);
    if (repeated !== undefined) return stopped(found, 'repeated', `${repeated} is listed again`, repeated);
    token = continuationOf(page);
    if (token === undefined) return { ...found, hasEnded: true, isWhole: await isWhole(t, found) };
    if (tokens.has(token)) return stopped(found, 'token-repeated', 'a continuation token is repeated');
    tokens.add(token);
    withoutNews = listed.length > 0 ? 0 : withoutNews + 1;
    if (withoutNews === PAGES_WITHOUT_NEWS)
      return stopped(found, 'no-progress', `${PAGES_WITHOUT_NEWS} consecutive pages bring nothing new`);
  }
  return found;
}

/**
 * Reads a page with max and filters sent again or, to a target that refuses that, with the token alone. If the token then is accepted with
 * them, the refusal had another reason, and that page counts: without the filters the target may continue another listing.
 */
async function readPage(t: Context, { operation, query, intent = 'refusable' }: Search, token?: string) {
  if (token === undefined) return t.call(operation, { query }, { intent });
  const next = (beside: Search['query']) => t.call(operation, { query: { ...beside, token } }, { intent: 'refusable' });
  const first = await next(query);
  if (succeeded(first)) return first;
  const bare = await next({});
  // A new token may take as long as any effect to be known everywhere.
  if (!succeeded(bare)) await t.settle();
  const again = await next(query);
  return succeeded(again) ? again : bare;
}

/** The first identifier that was known before, or stands twice; then all of them are known. */
export function repeatedIn(identifiers: readonly string[], known = new Set<string>()): string | undefined {
  let repeated: string | undefined;
  for (const identifier of identifiers) {
    if (known.has(identifier)) repeated ??= identifier;
    known.add(identifier);
  }
  return repeated;
}

export const sizeInWords = ({ query: { max } }: Search): string => (max === undefined ? 'without max' : `max=${max}`);

const stopped = (found: Found, kind: Stop['kind'], message: string, about: string = kind): Found => ({
  ...found,
  stop: { kind, about, message: `${message} (page ${found.pages.length}, ${sizeInWords(found.search)})` },
});

/** The continuation token of a page; undefined on the last one, where it is absent, null or "". */
export function continuationOf(page: Answer): string | undefined {
  const token = member(page, 'continuationToken');
  if (token === undefined || token === null || token === '') return undefined;
  return typeof token === 'string' ? token : writeJson(token);
}

/** What pages show that others read, each by the continuation token of the one before it. @param first the unfiltered listing, where it was read */
export function foundOn(search: Search, pages: readonly [Answer, ...Answer[]], first?: Found): Found {
  const listed = pages.flatMap(entries);
  const last = pages.at(-1)!;
  const found: Found = {
    search,
    pages: [...pages],
    entries: listed,
    ids: identifiersOf(listed),
    isAccepted: pages.every(succeeded),
    hasEnded: succeeded(last) && continuationOf(last) === undefined,
    isWhole: false,
    stop: undefined,
  };
  return {
    ...found,
    isWhole: found.hasEnded && (isEvidentlyWhole(found) ?? (first !== undefined && isApart(found, first))),
  };
}

/**
 * Whether a search that has ended found everything: each entry has an identifier and, where the document shows no way to continue, there are
 * fewer than asked for and no undocumented member that may lead to more. A target may hold less on a page than it is asked for: others on a
 * page as long as the first of all may be some of more.
 */
const isWhole = async (t: Context, found: Found): Promise<boolean> =>
  isEvidentlyWhole(found) ??
  isApart(found, await findOnce(t, { operation: found.search.operation, query: { max: PAGE }, intent: 'valid' }));

/** The same, as far as the search itself shows it; undefined where the first page of the unfiltered listing does. */
function isEvidentlyWhole({ search, pages, entries: found, ids }: Found): boolean | undefined {
  const { operation, query } = search;
  if (ids.length < found.length) return false;
  const last = pages.at(-1)!;
  if (!last.json?.ok) return false;
  const documented = outlineOf(operationById(operation).success!.body as never).members!;
  if (documented.has('continuationToken')) return true;
  const isFull = found.length >= Math.min(Number(query.max ?? PAGE), PAGE);
  if (isFull || !Object.keys(bodyOf(last) ?? {}).every((name) => documented.has(name))) return false;
  return Object.keys(query).every((name) => name === 'max') ? true : undefined;
}

/** Whether entries are not just a page of others that is as long as the first of all. */
const isApart = ({ ids }: Found, first: Found): boolean =>
  ids.length !== first.ids.length || ids.every((id) => first.ids.includes(id));
