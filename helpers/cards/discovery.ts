/** Discovers a target's data by reading, where the fixtures file says nothing. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { memberOf } from '../answer.ts';

type Entry = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isInteger = (value: unknown): value is number | bigint => typeof value === 'bigint' || Number.isInteger(value);

/** The identifiers of a listing's entries, in order. */
export const identifiersOf = (entries: readonly Entry[]): string[] =>
  entries.map(({ identifier }) => identifier).filter(isText);

/** Cards that checks change, and that read-only checks therefore avoid. */
export function pooledCards({ cards = {} }: Fixtures): Set<string> {
  const { active = [], disposable = [], unused = [], fraud = [] } = cards;
  return new Set([...active, ...disposable, ...unused, ...fraud]);
}

/** A card for reading: an Active one that no check changes, or the one most likely to be Active, or any listed one. */
export function cardForReading(fixtures: Fixtures, listed: readonly Entry[]): string | undefined {
  const { active = [], disposable = [] } = fixtures.cards ?? {};
  const pooled = pooledCards(fixtures);
  const untouched = listed.filter(({ identifier, status }) => status === ACTIVE && !pooled.has(identifier as string));
  return identifiersOf(untouched)[0] ?? active[0] ?? disposable[0] ?? identifiersOf(listed)[0];
}

/** How many listed cards are in each state, in words. */
export function statesOf(listed: readonly Entry[]): string {
  const byState = Map.groupBy(listed, ({ status }) => (isText(status) ? status : 'without a status'));
  return [...byState].map(([status, cards]) => `${cards.length} ${status}`).join(', ');
}

/** A listing's customer programs by whether they are for instant issue; orders refer to them by rowId. */
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

/** The texts of a listing of names, such as the shipping methods. */
export function namesListed(body: unknown): string[] {
  const items = memberOf(body, 'items');
  return Array.isArray(items) ? items.filter(isText) : [];
}
