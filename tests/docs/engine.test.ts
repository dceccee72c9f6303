/** Trying again is the engine's: no suite waits until its interface is quiet, or repeats between controls by itself. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';

const tables = [
  'suites/v1/cip/{requests,values}.ts',
  'suites/v1/orders/{requests,table}.ts',
  'suites/every-operation/parameters.ts',
];

test.each<[string, string[], RegExp, string[]]>([
  // The age of a token is judged with tokens of its own, until tokens are led through their lives by the engine.
  [
    'no suite tries again by itself',
    ['suites/**/*.ts'],
    /betweenAccepted|untilQuiet|Quiet\b/,
    ['suites/v3/token/ages.ts'],
  ],
  // A part of a name is to find it: the filter takes what the name contains.
  [
    'no suite makes what resembles a value by itself',
    ['suites/**/*.ts'],
    /\baltered\(|endedOtherwise|\.slice\(0, -1\)/,
    ['suites/v3/listings/names.ts'],
  ],
  ['the client judges nothing', ['helpers/client/**/*.ts'], /\bLedger\b|\.keep\(|requirement:/, []],
  ['a monitor sends nothing', ['suites/**/*monitors.ts'], /\bContext\b|\bt\.|\bawait\b/, []],
  [
    'a table neither waits, nor judges an answer',
    tables,
    /settle|eventually|expectRefused|inconclusive\(|\bfail\(/,
    [],
  ],
])('%s', (_, patterns, words, byHand) => {
  const files = globSync(patterns, { cwd: ROOT });
  expect(files.length).toBeGreaterThanOrEqual(patterns.length);
  expect(files.filter((file) => words.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual(byHand);
});
