import type { Exchange } from '../exchange.ts';
import type { Json, JsonObject } from '../json.ts';

/** One page of a listing: its records, and the token for the next page if there is one. */
export interface Page<T> {
  records: T[];
  continuation: Json;
}

/** The number of records asked for, within what the listing allows. */
function asked(x: Exchange, most: number, usual: number): number {
  const max = x.integer('max', 'bad-max') ?? usual;
  x.refuseIf(max < 1 || (max > most && x.choices.largeMax === 'refuse'), 'bad-max', 'max');
  return x.choices.pageLength(Math.max(1, Math.min(max, most)), x);
}

/**
 * The page that the parameters `max` and `token` select. A continuation token keeps the filters it was made for
 * and the last record that was shown, so that it neither repeats nor skips when records are added.
 */
export function page<T extends { identifier: string }>(
  x: Exchange,
  limits: { most: number; usual: number },
  filterNames: readonly string[],
  select: (filters: URLSearchParams) => T[],
): Page<T> {
  const length = asked(x, limits.most, limits.usual);
  const filters = new URLSearchParams();
  for (const name of filterNames) {
    const value = x.query.get(name);
    if (value !== null) filters.set(name, value);
  }
  let selected = filters;
  let last: string | undefined;
  const token = x.query.get('token');
  if (token !== null) {
    const remembered = continuations.get(x.world)?.get(token);
    x.refuseIf(remembered?.operation !== x.operation, 'bad-continuation', 'token');
    selected = x.choices.resumed(new URLSearchParams(remembered?.filters), x);
    last = remembered?.last;
    const kept = new URLSearchParams(remembered?.filters);
    const repeated = [...filters].every(([name, value]) => kept.get(name) === value);
    x.refuseIf(!repeated, 'bad-continuation', 'token');
  }
  const all = select(selected);
  const from = last === undefined ? 0 : all.findIndex((record) => record.identifier === last) + 1;
  const records = all.slice(from, from + length);
  const more = from + length < all.length;
  return { records, continuation: more ? remember(x, selected, records) : x.choices.lastContinuation };
}

interface Remembered {
  operation: string;
  filters: string;
  last: string;
}

const continuations = new WeakMap<object, Map<string, Remembered>>();

function remember<T extends { identifier: string }>(x: Exchange, filters: URLSearchParams, records: T[]): string {
  const last = records.at(-1)!.identifier;
  const text = JSON.stringify([x.world.next('continuation'), x.operation]);
  const token = x.choices.continuation(text, x);
  const known = continuations.get(x.world) ?? new Map<string, Remembered>();
  continuations.set(x.world, known);
  known.set(token, { operation: x.operation, filters: filters.toString(), last });
  return token;
}

/** The body of a page, with the continuation token under the name that is chosen for the listing. */
export function pageBody(shown: JsonObject[], continuation: Json, member: string | undefined): JsonObject {
  return { results: shown, ...(member ? { [member]: continuation } : {}) };
}
