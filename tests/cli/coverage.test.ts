/** `--require-coverage`: how much of the documents traffic has to exercise. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { judge } from '../../cli/judge.ts';
import { readRecord } from '../../reports/record.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { cards, entry, issued } from '../witness/entries.ts';

const folder = temporaryDirectory(afterAll);
const path = (name: string) => join(folder, name);
const archive = (name: string, ...entries: unknown[]) =>
  writeFileSync(path(name), JSON.stringify({ log: { version: '1.2', entries } }));
archive('sound.har', issued(0, 't-1'), cards(1, 't-1'));
const wrong = {
  request: 'GET /cards/cards',
  headers: { Authorization: 'Bearer t-1' },
  answer: { results: [{ identifier: 7 }] },
};
archive('broken.har', issued(0, 't-1'), entry(wrong));
archive('elsewhere.har', entry({ request: 'GET https://shop.example/cart', answer: {} }));

/** A judgement in which cards.list and token.issue are in scope, and others as `operations` says. */
const judged = (recording: string, required: string, operations = 'token.issue,cards.list,cards.get,users.list') =>
  inProcess(judge, [path(recording), '--require-coverage', required, '--report-dir', path('reports')], {
    TARGET_OPERATIONS: operations,
    RUN_HISTORY: path('history'),
  });

test.each([
  ['50', 0],
  ['51', 1],
  ['operations=50%', 0],
  ['operations=60', 1],
  ['statements=1', 0],
  ['statements=99', 1],
  ['0', 0],
])('of four operations two were called: with %s the exit code is %i', async (required, code) => {
  const ended = await judged('sound.har', required);
  const [of, percent] = /^\d/.test(required) ? ['operations', required] : (required.split('=') as [string, string]);
  const said =
    code === 0
      ? ''
      : expect.stringMatching(
          new RegExp(`^--require-coverage: \\d+ of \\d+ ${of} .*fewer than ${Number.parseInt(percent!, 10)} %\\n$`),
        );
  expect(ended).toMatchObject({ code, stderr: said });
  // What was not exercised says nothing about the target.
  expect(readRecord(path('reports')).conformance.summary.verdict).toBe('conformant');
});

test('what is not in scope is not required', async () => {
  expect(await judged('sound.har', '100', 'token.issue,cards.list')).toMatchObject({ code: 0 });
});

test('a finding is no better with enough coverage, and where nothing was seen the exit code stays 2', async () => {
  expect(await judged('broken.har', '50')).toMatchObject({ code: 1, stderr: '' });
  expect(await judged('elsewhere.har', '50')).toMatchObject({ code: 2 });
});

test.each(['', 'all', '101', '-1', '5.5', 'cards=50', 'statements', 'statements='])(
  'no percentage: "%s"',
  async (required) => {
    const ended = await judged('sound.har', required);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is not a percentage') });
  },
);
