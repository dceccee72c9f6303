import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import type { Program } from '../../cli/command.ts';
import { compare } from '../../cli/compare.ts';
import { matrix } from '../../cli/matrix.ts';
import { merge } from '../../cli/merge.ts';
import { report } from '../../cli/report.ts';
import type { RequirementResult } from '../../contracts/record.ts';
import { HOLDER } from '../../files/hold.ts';
import { parseKnownFailures } from '../../helpers/configuration/known-failures.ts';
import { COMPARISONS, REPORTS, writeReports } from '../../reports/all.ts';
import { readRecord } from '../../reports/record.ts';
import {
  check,
  conformance,
  everyVerdict,
  exchange,
  judged,
  requirement,
  writeRecord,
} from '../reports/record-builder.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';

const dir = temporaryDirectory(afterAll);
const path = (name: string) => join(dir, name);
const exchanges = [1, 2, 3].map((number) => exchange(number));
const old = writeRecord(path('old'), conformance(everyVerdict()), exchanges);
const [first, ...others] = everyVerdict() as [RequirementResult, ...RequirementResult[]];
const later = writeRecord(path('later'), conformance([requirement(first.id, [check('failed')]), ...others]), exchanges);

/** A failure shown by an exchange in which the target gave an API client's variable. */
const shown = exchange(2);
Object.assign(shown.request, { url: `${shown.request.url}/{{HOME}}`, body: '{"comment":"{{HOME}}"}' });
const failed = check('failed', { name: 'every exchange of the run', exchanges: [shown.id], shownBy: shown.id });
const failure = conformance([requirement('cards.get.shape', [failed]), requirement('users.get.shape', [])]);
const failing = writeRecord(path('failing'), failure, [exchange(1), shown, exchange(3)]);

const sound = writeRecord(path('sound'), conformance([requirement('cards.get.shape', [check('passed')])]), exchanges);
const cut = writeRecord(path('cut'), conformance(everyVerdict()));
writeFileSync(join(cut, 'exchanges.ndjson'), '{"id":"x00001","oper');
writeFileSync(path('foreign.json'), '{"name":"x"}');

const run = (program: Program, args: string[], environment: Record<string, string> = {}) =>
  inProcess(program, args, { RUN_HISTORY: path('history'), ...environment });

interface Folders {
  variable: { key: string; value: string }[];
  item: { name: string; item: { request: { url: string }; event: { script: { exec: string[] } }[] }[] }[];
}

/** Whether the tests of a request pass by an answer with this status, and do nothing else. */
function isGreen(lines: readonly string[], code: number): boolean {
  const tests: boolean[] = [];
  const pm = {
    response: { code, json: () => ({ status: 'Active' }) },
    test: (_name: string, body: () => void) => body(),
    expect: <T>(value: T) => ({ to: { satisfy: (holds: (value: T) => boolean) => tests.push(holds(value)) } }),
  };
  runInNewContext(lines.join('\n'), { pm });
  expect(tests).toHaveLength(1);
  return tests[0]!;
}

test.each<[string, Program, string[], string]>([
  ['compare with a file that is not there', compare, [old, path('none')], 'none: there is no such file'],
  ['compare with a foreign file', compare, [old, path('foreign.json')], 'foreign.json: is not the record of a run'],
  ['compare without an argument', compare, [old], 'missing required argument'],
  ['an unknown option', compare, [old, later, '--fromat', 'json'], "unknown option '--fromat'"],
  ['an unknown format', compare, [old, later, '--format', 'pdf'], 'Allowed choices are text, markdown, json, html'],
  ['merge of what is no shard', merge, [old, later, '--out', path('out')], 'is not the record of a shard'],
  ['report on cut exchanges', report, [cut], 'exchanges.ndjson line 1: is not whole JSON'],
  ['a HAR of no failure', report, [failing, '--har', path('har'), '--failure', 'users.get.shape'], 'did not fail in'],
  ['a failure for no file', report, [failing, '--failure', 'cards.get.shape'], '--failure: goes with --har FILE, '],
  ['a collection where nothing failed', report, [sound, '--postman', path('x')], 'nothing failed in that run'],
  ['requests where nothing failed', report, [sound, '--http', path('x')], '--http: nothing failed in that run'],
])('%s ends with 2 and one line', async (_, program, args, said) => {
  const { code, stdout, stderr } = await run(program, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(said);
  expect(stderr).toMatch(/^.+\n$/);
});

describe('compare', () => {
  test('ends with 0 and says so when nothing changed', async () => {
    const stdout = expect.stringContaining('Unchanged');
    expect(await run(compare, [old, join(old, 'conformance.json')])).toMatchObject({ code: 0, stdout });
  });

  test('ends with 1 when a must no longer passes, and writes what was asked for, over nothing', async () => {
    const [json, yaml] = [path('comparison.json'), path('known.yaml')];
    const asked = ['--format', 'json', '--out', json, '--write-known-failures', yaml];
    expect(await run(compare, [old, later, ...asked])).toMatchObject({ code: 1 });
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ regressions: ['token.issue.status'] });
    const known = parseKnownFailures(readFileSync(yaml, 'utf8'));
    const ids = ['token.issue.status', 'cards.suspend.requires-token', 'cards.get.identifier', 'cards.list.max-abc'];
    expect(known.map(({ id }) => id)).toEqual(ids);
    expect(known[2]?.link).toBe('https://tracker.example/7');
    const stderr = expect.stringMatching(/^.*EEXIST.*known\.yaml.*\n$/);
    expect(await run(compare, [old, later, '--write-known-failures', yaml])).toMatchObject({ code: 2, stderr });
  });
});

test('matrix writes one page and prints where', async () => {
  const out = path('pages/matrix.html');
  const ended = await run(matrix, [old, join(later, 'conformance.json'), '--out', out]);
  expect(ended).toEqual({ code: 0, stdout: `${out}\n`, stderr: '' });
  expect(readFileSync(out, 'utf8')).toMatch(/^<!doctype html>/);
});

test.each(['javascript:alert(1)', 'a#b?c%41 "d"'])(
  'matrix links to the report in a directory called %s',
  async (name) => {
    const out = path('links.html');
    writeReports(writeRecord(path(name), conformance(everyVerdict())));
    expect(await run(matrix, [path(name), old, '--out', out])).toMatchObject({ code: 0 });
    const links = readFileSync(out, 'utf8').matchAll(/href="([^"]*index\.html)/g);
    const linked = Array.from(links, ([, link]) => fileURLToPath(new URL(link!, pathToFileURL(out))));
    expect(new Set(linked)).toEqual(new Set([join(path(name), 'index.html')]));
  },
);

test('merge writes a report directory and says what came out', async () => {
  const shard = (index: number, verdict: 'passed' | 'failed') => {
    const requirements = ['cards.get.shape', 'cards.get.identifier'].map((id, i) =>
      i === index - 1 ? requirement(id, [check(verdict)]) : requirement(id, [], { leftOut: 'shard' }),
    );
    const record = conformance(requirements, { run: { selection: `shard ${index}/2` } });
    return writeRecord(path(`shard-${index}`), record, [exchange(1)]);
  };
  const out = path('merged');
  const onGitHub = { GITHUB_ACTIONS: 'true', RUN_REPORT_URL: 'https://ci.example/7' };
  const { code, stdout } = await run(merge, [shard(1, 'passed'), shard(2, 'failed'), '--out', out], onGitHub);
  expect(code).toBe(1);
  expect(stdout).toContain('NONCONFORMANT');
  expect(stdout).toMatch(/^::error .*%0Ahttps:\/\/ci\.example\/7#f-cards\.get\.identifier$/m);
  expect(readRecord(out).conformance.summary.must).toMatchObject({ passed: 1, failed: 1, skipped: 0 });
  expect(readdirSync(out)).toContain('index.html');
});

test('merge refuses a RUN_FAIL_ON that it does not know', async () => {
  const stderr = 'RUN_FAIL_ON: must be one of failures, regressions\n';
  expect(await run(merge, [old], { RUN_FAIL_ON: 'regression' })).toEqual({ code: 2, stdout: '', stderr });
});

describe('report', () => {
  test('makes every report again from the directory alone', async () => {
    const har = path('all.har');
    const { code, stdout } = await run(report, [old, '--baseline', later, '--har', har]);
    expect(code).toBe(0);
    const files = [...REPORTS, ...COMPARISONS].map(({ file }) => file);
    expect(stdout).toBe([...files.map((name) => join(old, name)), har, ''].join('\n'));
    expect(JSON.parse(readFileSync(har, 'utf8')).log.entries).toHaveLength(exchanges.length);
    expect(readFileSync(join(old, 'summary.md'), 'utf8')).toContain('## Since the baseline');
  });

  test('writes the exchanges that show one failure, as text for API clients, to whom two braces are variables', async () => {
    const [har, postman, http] = [path('failure.har'), path('failure.json'), path('failure.http')];
    const files = ['--har', har, '--postman', postman, '--http', http];
    const stdout = expect.stringContaining(http);
    expect(await run(report, [failing, ...files, '--failure', 'cards.get.shape'])).toMatchObject({ code: 0, stdout });
    const { log } = JSON.parse(readFileSync(har, 'utf8')) as { log: { entries: { request: { url: string } }[] } };
    const address = shown.request.url.replace('{{HOME}}', '%7B%7BHOME%7D%7D');
    expect(log.entries.map(({ request }) => request.url)).toEqual([address]);
    const { item } = JSON.parse(readFileSync(postman, 'utf8')) as {
      item: [{ request: { url: string; body: { raw: string } } }];
    };
    const [{ request }] = item;
    expect(request.url).toContain('/%7B{HOME}}');
    expect(JSON.parse(request.body.raw)).toEqual({ comment: '{{HOME}}' });
    for (const text of [request.body.raw, readFileSync(http, 'utf8')]) expect(text).not.toContain('{{HOME');
  });

  test('writes all failures as one collection, whose requests have variables for hosts, and tests that pass once repaired', async () => {
    const ids = ['cards.get.foreign', `users.get.requires-token'); steal('`, 'cards.suspend.not-active'];
    const requirements = ids.map((id, index) =>
      judged(id, 'failed', {
        exchanges: [`x0000${index + 1}`],
        shownBy: `x0000${index + 1}`,
        difference: [
          { expected: 'a refusal', actual: 'status 200' },
          { expected: 'status 401 or 403', actual: 'status 200' },
          { expected: 'not Active', actual: 'Active', pointer: '/status' },
        ][index]!,
      }),
    );
    const all = path('several');
    writeRecord(all, conformance(requirements), [exchange(1), exchange(2, { operation: 'users.get' }), exchange(3)]);
    const postman = path('all.json');
    expect(await run(report, [all, '--postman', postman])).toMatchObject({ code: 0 });
    const { item, variable } = JSON.parse(readFileSync(postman, 'utf8')) as Folders;
    expect(item.map(({ name }) => name).toSorted()).toEqual(ids.toSorted());
    expect(variable.filter(({ key }) => key.endsWith('_HOST'))).toEqual([
      { key: 'TARGET_BASE_HOST', value: 'https://api.example', description: 'scheme and host of the target' },
    ]);
    for (const { name, item: requests } of item) {
      expect(requests.map(({ request }) => request.url)).toEqual([
        expect.stringMatching(/^\{\{TARGET_BASE_HOST\}\}\/cards\//),
      ]);
      const codes = [200, 401, 403, 404, 500].filter((code) => isGreen(requests[0]!.event[0]!.script.exec, code));
      expect(codes).toEqual([[401, 403, 404], [401, 403], []][ids.indexOf(name)]);
    }
  });

  test('writes all failures as one .http file, in which what an answer gives is for the requests of the same failure', async () => {
    const session = (id: number, gives: string) =>
      exchange(id, {
        operation: 'portal.login',
        gives,
        response: {
          status: 200,
          headers: {},
          body: '{"sessionId":"<REDACTED_SESSION_ID>"}',
          bodyBytes: 40,
          truncated: false,
        },
      });
    const using = (id: number, credential: string) =>
      exchange(id, {
        operation: 'portal.getShippingMethods',
        credential,
        request: {
          method: 'GET',
          url: 'https://api.example/x?sessionId=<REDACTED_SESSION_ID>',
          headers: {},
          body: null,
        },
      });
    const requirements = ['portal.getShippingMethods.shape', 'portal.getShippingMethods.status'].map((id, index) =>
      judged(id, 'failed', {
        message: `failure ${index}`,
        exchanges: [`x0000${2 * index + 2}`],
        shownBy: `x0000${2 * index + 2}`,
      }),
    );
    const all = path('sessions');
    writeRecord(all, conformance(requirements), [session(1, 's1'), using(2, 's1'), session(3, 's2'), using(4, 's2')]);
    const http = path('all.http');
    expect(await run(report, [all, '--http', http])).toMatchObject({ code: 0 });
    const text = readFileSync(http, 'utf8');
    for (const [number, request] of [
      [1, 1],
      [2, 3],
    ] as const) {
      expect(text).toContain(
        `@TARGET_SESSION_ID_OF_FAILURE_${number} = {{request${request}.response.body.$.sessionId}}`,
      );
      expect(text).toContain(`sessionId={{%TARGET_SESSION_ID_OF_FAILURE_${number}}}`);
    }
    expect(text.match(/^### Request/gm)).toHaveLength(4);
  });

  test('writes nothing where the exchanges are cut off', async () => {
    await run(report, [cut]);
    const written = readdirSync(cut).filter((name) => name !== HOLDER);
    expect(written.sort()).toEqual(['changes.ndjson', 'conformance.json', 'exchanges.ndjson']);
  });

  test('adds the summary to the summary of a step', () => {
    const stepSummary = path('step.md');
    writeFileSync(stepSummary, 'before\n');
    writeReports(old, { stepSummary });
    expect(readFileSync(stepSummary, 'utf8')).toMatch(/^before\n# Conformance: nonconformant/);
  });
});
