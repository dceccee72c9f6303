/** Looks up what the fixtures file provides, and what is missing. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import { memberOf } from '../answer.ts';

/** The first of the dotted keys (e.g. `cards.active`) that the fixtures lack; undefined if all are there. */
export function missingFixture(fixtures: Fixtures, keys: readonly string[]): string | undefined {
  return keys.find((key) => isEmpty(fixtureAt(fixtures, key)));
}

/** The value under a dotted key; undefined if there is none. */
export const fixtureAt = (fixtures: Fixtures, key: string): unknown =>
  key.split('.').reduce<unknown>(memberOf, fixtures);

/** Describes the value under a key without secrets: bodies and logins appear as "given" only. */
export function fixtureInWords(fixtures: Fixtures, key: string): string {
  const value = fixtureAt(fixtures, key);
  if (Array.isArray(value)) return `${value.length} given`;
  return typeof value === 'object' ? 'given' : String(value);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
