/** Bodies within the size limit that take many times their size in memory once they are parsed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promise } from '../../tests/docs/security/promises.ts';
import { MOST_MIB, soundRecord } from './outcome.ts';
import { startNode, startRun } from './run.ts';
import { type Call, hostileTarget, reply } from './target.ts';

/** As many as fit within both limits, of bytes and of values. */
const MOST_BYTES = 15.9 * 1024 * 1024;
const MOST_VALUES = 1_999_000;

const name = (index: number) => index.toString(36).padStart(5, 'x');
const namesFrom = (first: number, length: number) =>
  Array.from({ length }, (_, index) => `"${name(first + index)}":1`).join();

/** Parts of a body, by what it consists of, with the number of values and names of each. */
const PARTS: Record<string, [part: (index: number) => string, values: number]> = {
  'empty objects': [() => '{}', 2],
  'empty arrays': [() => '[]', 2],
  'objects of one member': [() => '{"a":1}', 3],
  'objects of a name each': [(index) => `{"${name(index)}":1}`, 3],
  'objects of duplicate members': [() => '{"a":1,"a":1,"a":1,"a":1}', 9],
  'objects of 9,000 names': [(index) => `{${namesFrom(index * 9000, 9000)}}`, 18_001],
  digits: [() => '1', 1],
  fractions: [() => '1.5', 1],
  'integers beyond 2^53': [() => '12345678901234567', 1],
  'empty texts': [() => '""', 1],
  'texts of escapes': [() => '"\\u00e4\\u20ac"', 1],
  '100 levels': [() => `${'['.repeat(100)}${']'.repeat(100)}`, 101],
};

const listed = Object.entries(PARTS).map(([what, [part, values]]): [string, () => string] => {
  const length = Math.floor(Math.min(MOST_BYTES / (part(1e6).length + 1), MOST_VALUES / values));
  return [what, () => `{ "items":[${Array.from({ length }, (_, index) => part(index)).join()}]}`];
});

/** A target that gives every answer after the login this body. */
function answering(body: string) {
  const answer = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
  return hostileTarget(({ response }: Call) => reply(response, answer), 'after login');
}

test.each([
  ...listed,
  ['names', () => `{ ${namesFrom(0, MOST_VALUES / 2 - 10)}}`],
  ['duplicate names', () => `{ ${Array.from({ length: MOST_VALUES / 2 - 10 }, () => '"aaaaa":1').join()}}`],
  ['one text', () => `"${'a'.repeat(MOST_BYTES)}"`],
  ['one text of escapes', () => `"${'\\u20ac'.repeat(MOST_BYTES / 6)}"`],
] satisfies [string, () => string][])('a body of %s ends the run in order', async (what, body) => {
  const target = await answering(body());
  // Its worker is given three times this to end, which may take long on a busy machine.
  const ended = await startRun({ ...target.environment, RUN_MAX_MINUTES: '0.25', RUN_TIMEOUT_MS: '60000' }).ended;
  soundRecord(ended);
  // Where the memory is used up before a body is judged, nothing is accused, and that is said.
  expect(ended.stdout).toMatch(ended.code === 3 ? /would take more than \d+ MiB of memory/ : /NONCONFORMANT/);
  expect([1, 3]).toContain(ended.code);
  promise('hostile', `a body of ${what}`, { attempts: 1, held: 1 });
});

test('the doctor stays within the same memory', async () => {
  const target = await answering(listed[0]![1]().replace(/}$/, ',"results":[]}'));
  const doctor = [join(import.meta.dirname, '../../cli/start.js'), 'doctor'];
  const ended = await startNode(doctor, { ...target.environment, RUN_TIMEOUT_MS: '60000' }).ended;
  expect(ended.code, ended.stderr).toBe(1);
  expect(ended.peakMiB).toBeLessThan(MOST_MIB);
  promise('hostile', 'a body for the doctor', { attempts: 1, held: 1 });
});
