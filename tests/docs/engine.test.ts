/** Trying again is the engine's: no suite waits until its interface is quiet, or repeats between controls by itself. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';

const SUITES = 'suites/**/*.ts';
const TABLES = 'suites/{v1/cip/{requests,values},v1/orders/{requests,table},every-operation/parameters}.ts';
const RESEMBLING = /\baltered\(|endedOtherwise|\.slice\(0, -1\)/;

test.each([
  // The age of a token is judged with tokens of its own, until tokens are led through their lives by the engine.
  ['no suite tries again by itself', SUITES, /betweenAccepted|untilQuiet|Quiet\b/, 'suites/v3/token/ages.ts'],
  // A part of a name is to find it: the filter takes what the name contains.
  ['no suite makes what resembles a value by itself', SUITES, RESEMBLING, 'suites/v3/listings/names.ts'],
  ['the client judges nothing', 'helpers/client/**/*.ts', /\bLedger\b|\.keep\(|requirement:/, ''],
  ['a monitor sends nothing', 'suites/**/*monitors.ts', /\bContext\b|\bt\.|\bawait\b/, ''],
  [
    'a table neither waits, nor judges an answer',
    TABLES,
    /settle|eventually|expectRefused|inconclusive\(|\bfail\(/,
    '',
  ],
])('%s', (_, pattern, words, byHand) => {
  const files = globSync(pattern, { cwd: ROOT });
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => words.test(readFileSync(join(ROOT, file), 'utf8'))).join()).toBe(byHand);
});
