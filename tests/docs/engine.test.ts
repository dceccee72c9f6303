/** Trying again is the engine's: no suite waits until its interface is quiet, or repeats between controls by itself. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';

/** The age of a token is judged with tokens of its own, until tokens are led through their lives by the engine. */
const BY_HAND = ['suites/v3/token/ages.ts'];

test('no suite tries again by itself', () => {
  const found = globSync('suites/**/*.ts', { cwd: ROOT }).filter((file) =>
    /betweenAccepted|untilQuiet|Quiet\b/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(found).toEqual(BY_HAND);
});

test('no suite makes what resembles a value by itself', () => {
  const found = globSync('suites/**/*.ts', { cwd: ROOT }).filter((file) =>
    /\baltered\(|endedOtherwise|\.slice\(0, -1\)/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  // A part of a name is to find it: the filter takes what the name contains.
  expect(found).toEqual(['suites/v3/listings/names.ts']);
});

test('the client judges nothing', () => {
  for (const file of globSync('helpers/client/**/*.ts', { cwd: ROOT }))
    expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(/\bLedger\b|\.keep\(|requirement:/);
});

test('a monitor sends nothing', () => {
  for (const file of globSync('suites/**/*monitors.ts', { cwd: ROOT }))
    expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(/\bContext\b|\bt\.|\bawait\b/);
});

test('a table neither waits, nor judges an answer', () => {
  for (const file of [
    'suites/v1/cip/requests.ts',
    'suites/v1/cip/values.ts',
    'suites/v1/orders/requests.ts',
    'suites/v1/orders/table.ts',
    'suites/every-operation/parameters.ts',
  ])
    expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(
      /settle|eventually|expectRefused|inconclusive\(|\bfail\(/,
    );
});
