/** SECURITY.md says of each promise how often it was tried, and that it held. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROMISES } from './promises.ts';
import { PAGE, rowsOf } from './table.ts';

const rows = rowsOf(readFileSync(PAGE, 'utf8'));

test('every promise has its row', () => {
  expect(rows.map(({ promise }) => promise)).toEqual(Object.values(PROMISES));
});

test.each(rows)('$promise: held whenever it was tried', ({ attempts, held }) => {
  expect(attempts).toBeGreaterThan(0);
  expect(held).toBe(attempts);
});
