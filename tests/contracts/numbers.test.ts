/** The numbers by which readings decide. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { numberInWords, numbers, numbersOf } from '../../contracts/numbers.ts';
import { ROOT } from '../tools/root.ts';

test('each decides something', () => {
  const code = globSync('{contracts,helpers,suites}/**/*.ts', { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .filter((text) => text.includes('numbers.ts'))
    .join('\n');
  const destructured = Array.from(code.matchAll(/const \{([^}]+)\} = numbers;/g), ([, names]) => names!).join();
  const isUsed = (name: string) => code.includes(`numbers.${name}`) || new RegExp(`\\b${name}\\b`).test(destructured);
  expect(Object.keys(numbers).filter((name) => !isUsed(name))).toEqual([]);
});

test('each belongs to a reading', () => {
  const page = readFileSync(join(ROOT, 'docs/readings.md'), 'utf8');
  const readings = Array.from(page.matchAll(/^### Reading (\d+)$/gm), ([, number]) => Number(number));
  expect(readings.flatMap(numbersOf)).toHaveLength(Object.keys(numbers).length);
});

test('is said with its unit', () => {
  expect(numbersOf(26).map(numberInWords)).toEqual([
    `${numbers.provisioned} milliseconds that provisionedDate may differ from the time of the request`,
  ]);
});
