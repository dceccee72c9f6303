/** What the fixtures file gives and what is missing. */
import type { Fixtures } from '../contracts/fixtures.ts';
import { memberOf } from './answer.ts';

/** The first of the keys (dotted, e.g. `cards.active`) that the fixtures do not give; undefined when all are there. */
export function missingFixture(fixtures: Fixtures, keys: readonly string[]): string | undefined {
  return keys.find((key) => isEmpty(key.split('.').reduce<unknown>(memberOf, fixtures)));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
