import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { Program } from '../../cli/command.ts';
import { compare } from '../../cli/compare.ts';
import { matrix } from '../../cli/matrix.ts';
import { merge } from '../../cli/merge.ts';
import { report } from '../../cli/report.ts';
import { HOLDER } from '../../files/hold.ts';
import { parseKnownFailures } from '../../helpers/configuration/known-failures.ts';
import { writeReports } from '../../reports/all.ts';
import { readRecord } from '../../reports/record.ts';
import {
  check,
  conformance,
  everyVerdict,
  exchange,
  HOSTILE,
  requirement,
  writeRecord,
} from '../reports/record-builder.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';

const dir = temporaryDirectory(afterAll);
const exchanges = [1, 2, 3].map((number) => exchange(number, { check: HOSTILE }));
const old = writeRecord(join(dir, 'old'), conformance(everyVerdict()), exchanges);
const changed = everyVerdict().map((one) =>
  one.id === 'token.issue.status' ? requirement(one.id, [check('failed')]) : one,
);
const later = writeRecord(join(dir, 'later'), conformance(changed), exchanges);

const run = (program: Program, ...args: string[]) => inProcess(program, args, { RUN_HISTORY: join(dir, 'history') });

describe('compare', () => {
  test('ends with 0 and says so when nothing changed', async () => {
    const { code, stdout } = await run(compare, old, join(old, 'conformance.json'));
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Unchanged') });
  });

  test('ends with 1 when a must no longer passes, and writes what was asked for', async () => {
    const [json, yaml] = [join(dir, 'comparison.json'), join(dir, 'known.yaml')];
    const { code } = await run(compare, old, later, '--format', 'json', '--out', json, '--write-known-failures', yaml);
    expect(code).toBe(1);
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ regressions: ['token.issue.status'] });
    const known = parseKnownFailures(readFileSync(yaml, 'utf8'));
    expect(known.map(({ id }) => id)).toEqual([
      'token.issue.status',
      'cards.suspend.requires-token',
      'cards.get.identifier',
      'cards.list.max-abc',
    ]);
    expect(known[2]?.link).toBe('https://tracker.example/7');
    const again = await run(compare, old, later, '--write-known-failures', yaml);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/^[^\n]*EEXIST[^\n]*known\.yaml[^\n]*\n$/) });
  });

  test.each([
    ['a file that is not there', ['old', 'none'], /none: there is no such file/],
    ['a foreign file', ['old', 'foreign.json'], /foreign\.json: is not the record of a run/],
    ['a missing argument', ['old'], /missing required argument/],
    ['an unknown option', ['old', 'later', '--fromat', 'json'], /unknown option '--fromat'/],
    ['an unknown format', ['old', 'later', '--format', 'pdf'], /Allowed choices are text, markdown, json, html/],
  ])('ends with 2 and one line for %s', async (_, args, message) => {
    writeFileSync(join(dir, 'foreign.json'), '{"name":"x"}');
    const paths = args.map((arg) => (arg.startsWith('-') || arg === 'json' || arg === 'pdf' ? arg : join(dir, arg)));
    const { code, stdout, stderr } = await run(compare, ...paths);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim()).not.toContain('\n');
  });
});

test('matrix writes one page and prints where', async () => {
  const out = join(dir, 'pages', 'matrix.html');
  expect(await run(matrix, old, join(later, 'conformance.json'), '--out', out)).toEqual({
    code: 0,
    stdout: `${out}\n`,
    stderr: '',
  });
  expect(readFileSync(out, 'utf8')).toMatch(/^<!doctype html>/);
});

test('matrix links to the report of a directory, whatever it is called', async () => {
  for (const name of ['javascript:alert(1)', 'a#b?c%41 "d"']) {
    const out = join(dir, 'links.html');
    writeReports(writeRecord(join(dir, name), conformance(everyVerdict())));
    expect(await run(matrix, join(dir, name), old, '--out', out)).toMatchObject({ code: 0 });
    const links = readFileSync(out, 'utf8').matchAll(/href="([^"]*index\.html)/g);
    const linked = Array.from(links, ([, link]) => fileURLToPath(new URL(link!, pathToFileURL(out))));
    expect(new Set(linked)).toEqual(new Set([join(dir, name, 'index.html')]));
  }
});

test('merge writes a report directory and says what came out; it refuses what is no shard', async () => {
  const shard = (index: number, verdict: 'passed' | 'failed') => {
    const ids = ['cards.get.shape', 'cards.get.identifier'];
    const requirements = ids.map((id, i) =>
      i === index - 1 ? requirement(id, [check(verdict)]) : requirement(id, [], { leftOut: 'shard' }),
    );
    const record = conformance(requirements, { run: { selection: `shard ${index}/2` } });
    return writeRecord(join(dir, `shard-${index}`), record, [exchange(1)]);
  };
  const out = join(dir, 'merged');
  const shards = [shard(1, 'passed'), shard(2, 'failed')];
  const onGitHub = {
    RUN_HISTORY: join(dir, 'history'),
    GITHUB_ACTIONS: 'true',
    RUN_REPORT_URL: 'https://ci.example/7',
  };
  const { code, stdout } = await inProcess(merge, [...shards, '--out', out], onGitHub);
  expect(code).toBe(1);
  expect(stdout).toContain('NONCONFORMANT');
  expect(stdout).toMatch(/^::error .*%0Ahttps:\/\/ci\.example\/7#f-cards\.get\.identifier$/m);
  expect(readRecord(out).conformance.summary.must).toMatchObject({ passed: 1, failed: 1, skipped: 0 });
  expect(readdirSync(out)).toContain('index.html');
  expect(await run(merge, old, later)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not the record of a shard'),
  });
});

test('merge refuses a RUN_FAIL_ON that it does not know', async () => {
  const { code, stderr } = await inProcess(merge, [old], { RUN_FAIL_ON: 'regression' });
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'RUN_FAIL_ON: must be one of failures, regressions\n' });
});

describe('report', () => {
  test('makes every report again from the directory alone', async () => {
    const { code, stdout } = await run(report, old, '--baseline', later);
    expect(code).toBe(0);
    const files = ['junit.xml', 'summary.md', 'index.html', 'comparison.json', 'delta.json', 'delta.md'];
    expect(stdout).toBe(files.map((name) => `${join(old, name)}\n`).join(''));
    expect(readFileSync(join(old, 'summary.md'), 'utf8')).toContain('## Since the baseline');
  });

  test('writes the exchanges that show one failure as HTTP Archive', async () => {
    const failed = check('failed', { name: 'every exchange of the run', exchanges: ['x00002'], shownBy: 'x00002' });
    const record = conformance([requirement('cards.get.shape', [failed]), requirement('users.get.shape', [])]);
    const directory = writeRecord(join(dir, 'archived'), record, [exchange(1), exchange(2), exchange(3)]);
    const har = join(dir, 'failure.har');
    expect(await run(report, directory, '--har', har, '--failure', 'cards.get.shape')).toMatchObject({ code: 0 });
    const { log } = JSON.parse(readFileSync(har, 'utf8')) as { log: { entries: { request: { url: string } }[] } };
    expect(log.entries.map(({ request }) => request.url)).toEqual([exchange(2).request.url]);
    for (const [args, message] of [
      [['--har', har, '--failure', 'users.get.shape'], 'users.get.shape: did not fail in that run'],
      [['--failure', 'cards.get.shape'], '--failure: goes with --har FILE, --postman FILE or --http FILE'],
      [['--postman', har], '--postman and --http: need --failure ID'],
    ] as const)
      expect(await run(report, directory, ...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      });
  });

  test('writes how a failure is reproduced for API clients, to whom two braces of a target are text', async () => {
    const failed = check('failed', { name: 'every exchange of the run', exchanges: ['x00002'], shownBy: 'x00002' });
    const record = conformance([requirement('cards.get.shape', [failed])]);
    const { request, ...others } = exchange(2);
    const hostile = {
      ...others,
      request: { ...request, url: `${request.url}/{{HOME}}`, body: '{"comment":"{{HOME}}"}' },
    };
    const directory = writeRecord(join(dir, 'for-clients'), record, [exchange(1), hostile]);
    const [postman, http] = [join(dir, 'failure.json'), join(dir, 'failure.http')];
    const args = ['--postman', postman, '--http', http, '--failure', 'cards.get.shape'];
    expect(await run(report, directory, ...args)).toMatchObject({ code: 0, stdout: expect.stringContaining(http) });
    const { item } = JSON.parse(readFileSync(postman, 'utf8')) as {
      item: { request: { url: string; body: { raw: string } } }[];
    };
    const [{ request: sent }] = item as [(typeof item)[number]];
    expect(sent.url).toContain('/%7B%7BHOME}}');
    expect(JSON.parse(sent.body.raw)).toEqual({ comment: '{{HOME}}' });
    for (const text of [sent.body.raw, readFileSync(http, 'utf8')]) expect(text).not.toContain('{{HOME');
  });

  test('ends with 2 on a directory whose exchanges are cut off, and writes nothing', async () => {
    const cut = writeRecord(join(dir, 'cut'), conformance(everyVerdict()), [exchange(1)]);
    writeFileSync(join(cut, 'exchanges.ndjson'), '{"id":"x00001","oper');
    const { code, stderr } = await run(report, cut);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^[^\n]*exchanges\.ndjson line 1: is not whole JSON[^\n]*\n$/);
    expect(
      readdirSync(cut)
        .filter((name) => name !== HOLDER)
        .sort(),
    ).toEqual(['changes.ndjson', 'conformance.json', 'exchanges.ndjson']);
  });

  test('adds the summary to the summary of a step', () => {
    const stepSummary = join(dir, 'step.md');
    writeFileSync(stepSummary, 'before\n');
    writeReports(old, { stepSummary });
    expect(readFileSync(stepSummary, 'utf8')).toMatch(/^before\n# Conformance: nonconformant/);
  });
});
