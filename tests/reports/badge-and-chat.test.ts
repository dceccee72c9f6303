import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { report } from '../../cli/report.ts';
import { badgeOf, badgeSvg } from '../../reports/badge.ts';
import { chatJson } from '../../reports/chat.ts';
import { viewOf } from '../../reports/view.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import {
  compareRuns,
  conformance,
  everyVerdict,
  HOSTILE,
  judged,
  manyFailed,
  recordOf,
  writeRecord,
} from './record-builder.ts';

const dir = temporaryDirectory(afterAll);
const passed = judged('cards.get.shape', 'passed');
const failed = judged('cards.get.identifier', 'failed', { message: 'another card came back' });
const skipped = judged('users.get.shape', 'skipped');
const blocked = judged('users.get.shape', 'blocked');

test.each([
  ['conformant', [passed], 'conformant', false],
  ['partial', [passed, skipped], 'conformant, partial', false],
  ['nonconformant', [passed, failed], 'nonconformant, 1 failed', true],
  ['incomplete', [passed, blocked], 'incomplete', false],
])('the badge of a %s run', (_, requirements, message, isError) => {
  expect(badgeOf(conformance(requirements))).toMatchObject({
    schemaVersion: 1,
    label: 'conformance',
    message,
    isError,
  });
});

test('each verdict has a colour of its own, and the sandbox is named', () => {
  const colours = [[passed], [passed, skipped], [passed, failed], [passed, blocked]].map(
    (requirements) => badgeOf(conformance(requirements)).color,
  );
  expect(new Set(colours).size).toBe(4);
  const embedded = conformance([passed], { target: { embedded: true } });
  expect(badgeOf(embedded).label).toBe('conformance of the sandbox');
});

test('the SVG has a name, loads nothing, and text of the target stays text', () => {
  const svg = badgeSvg(conformance(everyVerdict(), { target: { name: HOSTILE } }));
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20" role="img" aria-label="conformance: nonconformant, \d failed"><title>/,
  );
  expect(svg).not.toMatch(/<script|<img|href|url\((?!#)|(?!\n)\p{C}/u);
});

const textOf = (...args: Parameters<typeof viewOf>) => (JSON.parse(chatJson(viewOf(...args))) as { text: string }).text;

test('the message has the verdict, what changed, the first causes, and the address of the page', () => {
  const record = conformance([failed, passed]);
  const comparison = compareRuns(
    recordOf(conformance([judged('cards.get.identifier', 'passed'), passed])),
    recordOf(record),
  );
  const page = 'https://ci.example/7?a=1&b=2';
  expect(textOf(record, { comparison, page }).split('\n')).toEqual([
    'NONCONFORMANT sample 1.2.3: 1 must requirement failed',
    'Since 2025-01-01 03:00 UTC, version 1.2.3, conformant: 1 new',
    '• cards.get.identifier: another card came back',
    page,
  ]);
});

test('a message stays short, and leads to no file of this machine', () => {
  const many = manyFailed(40).map((one, index) => ({
    ...one,
    checks: one.checks.map((check) => ({ ...check, message: `way ${'abcdefghij'[index % 10]}` })),
  }));
  const lines = textOf(conformance(many), { page: 'index.html' }).split('\n');
  expect(lines.length).toBeLessThan(10);
  expect(lines.at(-1)).toMatch(/^and \d+ more causes$/);
});

test('a known failure is named with its date and link once it is soon due', () => {
  const due = (expires: string) => {
    const known = { reason: 'mended in spring', link: 'https://tracker.example/7', expires, state: 'known' } as const;
    return textOf(conformance([judged('cards.close.status', 'failed', {}, { known })]));
  };
  expect(due('2025-01-10')).toContain(
    'Known until 2025-01-10: cards.close.status, mended in spring, https://tracker.example/7',
  );
  expect(due('2025-03-01')).not.toContain('Known until');
});

test('a message mentions nobody and has no markup, whatever a target answers', () => {
  const text = textOf(conformance([judged('cards.get.shape', 'failed', { message: `${HOSTILE} <!channel> @all` })]));
  expect(text).not.toMatch(/[<>@&`]|\]\(|(?!\n)\p{C}/u);
});

test('report writes them where it is asked to', async () => {
  const directory = writeRecord(join(dir, 'run'), conformance(everyVerdict()));
  const [json, svg, chat] = ['badge.json', 'badge.svg', 'chat.json'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  const args = [directory, '--badge', json, '--badge', svg, '--chat', chat];
  const { code, stdout } = await inProcess(report, args, { RUN_HISTORY: join(dir, 'history') });
  expect(code).toBe(0);
  for (const file of [json, svg, chat]) expect(stdout).toContain(`${file}\n`);
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ message: 'nonconformant, 3 failed' });
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg /);
  expect(JSON.parse(readFileSync(chat, 'utf8'))).toEqual({ text: expect.stringMatching(/^NONCONFORMANT sample/) });
});
