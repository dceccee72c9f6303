/** What of a target's data can be found out by reading: used where the fixtures file says nothing. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { memberOf } from '../answer.ts';

type Entry = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isInteger = (value: unknown): value is number | bigint => typeof value === 'bigint' || Number.isInteger(value);

/** Identifiers of the entries of a listing, in its order. */
export const identifiersOf = (entries: readonly Entry[]): string[] =>
  entries.map(({ identifier }) => identifier).filter(isText);

/** Cards that checks change: of no use to those that only read. */
export function pooledCards({ cards = {} }: Fixtures): Set<string> {
  const { active = [], disposable = [], unused = [], fraud = [] } = cards;
  return new Set([...active, ...disposable, ...unused, ...fraud]);
}

/** A card for reading: an Active one that no check changes, else the likeliest to be Active, else any that is listed. */
export function cardForReading(fixtures: Fixtures, listed: readonly Entry[]): string | undefined {
  const { active = [], disposable = [] } = fixtures.cards ?? {};
  const pooled = pooledCards(fixtures);
  const untouched = listed.filter(({ identifier, status }) => status === ACTIVE && !pooled.has(identifier as string));
  return identifiersOf(untouched)[0] ?? active[0] ?? disposable[0] ?? identifiersOf(listed)[0];
}

/** How many of the cards listed are in which state, in words. */
export function statesOf(listed: readonly Entry[]): string {
  const byState = Map.groupBy(listed, ({ status }) => (isText(status) ? status : 'without a status'));
  return [...byState].map(([status, cards]) => `${cards.length} ${status}`).join(', ');
}

/** The customer programs of a listing by whether they are for instant issue; rowId is what orders name. */
export function programsByFlags(items: readonly Entry[]): {
  instantIssue?: number | bigint;
  personalized?: number | bigint;
} {
  const withFlag = (flag: boolean) =>
    items
      .filter((item) => item.isInstantIssue === flag && item.isDeleted !== true)
      .map(({ rowId }) => rowId)
      .find(isInteger);
  return { instantIssue: withFlag(true), personalized: withFlag(false) };
}

/** Texts of a listing of names, such as the shipping methods. */
export function namesListed(body: unknown): string[] {
  const items = memberOf(body, 'items');
  return Array.isArray(items) ? items.filter(isText) : [];
}
