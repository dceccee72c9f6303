/** The example of a fixtures file is complete; that a run with it lacks nothing is in `whole-runs.test.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fixtures } from '../../../contracts/fixtures.ts';
import { ROOT } from '../../tools/root.ts';

const example = readFileSync(join(ROOT, 'docs/fixtures.example.json'), 'utf8');

/** Dotted keys of the fixtures file, down to what is a list or a body. */
function keysOf(schema: z.ZodType, path = ''): string[] {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (!(inner instanceof z.ZodObject)) return [path];
  return Object.entries(inner.shape).flatMap(([name, of]) => keysOf(of as z.ZodType, path ? `${path}.${name}` : name));
}

const keys = keysOf(fixtures);

test('it has every key', () => {
  const parsed: unknown = JSON.parse(example);
  const at = (key: string) =>
    key.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], parsed);
  expect(keys.filter((key) => at(key) === undefined)).toEqual([]);
});

test('docs/fixtures.md speaks of every key', () => {
  const page = readFileSync(join(ROOT, 'docs/fixtures.md'), 'utf8');
  expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});
