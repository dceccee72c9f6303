/** Pages of a listing. Source: `max` and `token` of GET /users/customers and GET /cards, and "Limits". */
import type { Call } from '../call.ts';

type Listing = 'users.list' | 'cards.list';

const largestPage: Record<Listing, number> = { 'users.list': 50, 'cards.list': 1000 };
const defaultPage = 50;

/** Results per page. @throws Refused for a max that is not an integer or outside the limits */
export function pageSize(call: Call): number {
  const listing = call.id as Listing;
  const asked = call.integer('max');
  const byDefault = asked ?? defaultPage;
  const within = byDefault >= 1 && byDefault <= largestPage[listing];
  const size = call.rules.pageSize(listing, asked, within ? byDefault : undefined);
  call.check(size !== undefined, 'limit', 'max', `max is between 1 and ${largestPage[listing]}.`);
  return size ?? byDefault;
}

/** The start and number of the requested page. @throws Refused for an unknown continuation token */
function position(call: Call): { from: number; page: number } {
  const token = call.text('token');
  const start = { from: 0, page: 1 };
  if (token === undefined) return start;
  const known = call.backend.continuations.get(token);
  call.check(known !== undefined, 'continuation', 'token', 'The continuation token is not known.');
  return known ?? start;
}

/** The results of the requested page, and the token of the next one (`null` at the end). */
export function page<T>(call: Call, items: readonly T[], size: number): { results: readonly T[]; next: string | null } {
  const { rules, backend } = call;
  const { from, page: number } = position(call);
  call.page = number;
  const total = items.length;
  const to = Math.min(from + size, total);
  const window = rules.pageWindow({ from, size, total, number }, { from, to, next: to < total ? to : null });
  const results = items.slice(Math.max(window.from, 0), Math.max(window.to, 0));
  if (window.next === null) return { results, next: null };
  const state = { from: window.next, page: number + 1 };
  const next = rules.continuationToken(state, Buffer.from(JSON.stringify(state)).toString('base64url'));
  backend.continuations.set(next, state);
  return { results, next };
}

/** The member continuationToken of a page, if any. */
export function continuation(call: Call, next: string | null): { continuationToken?: string | null } {
  if (next !== null) return { continuationToken: next };
  const end = call.rules.continuationEnd;
  if (end === 'absent') return {};
  return { continuationToken: end === 'null' ? null : '' };
}
