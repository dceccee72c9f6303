/** What the fixtures file gives and what is missing. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import { memberOf } from '../answer.ts';

/** The first of the keys (dotted, e.g. `cards.active`) that the fixtures do not give; undefined when all are there. */
export function missingFixture(fixtures: Fixtures, keys: readonly string[]): string | undefined {
  return keys.find((key) => isEmpty(key.split('.').reduce<unknown>(memberOf, fixtures)));
}

/** What the fixtures give under a key, in words that hold no secret: bodies and logins are only said to be there. */
export function fixtureInWords(fixtures: Fixtures, key: string): string {
  const value = key.split('.').reduce<unknown>(memberOf, fixtures);
  if (Array.isArray(value)) return `${value.length} given`;
  return typeof value === 'object' ? 'given' : String(value);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
