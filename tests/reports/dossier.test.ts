import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { report } from '../../cli/report.ts';
import type { RequirementResult } from '../../contracts/record.ts';
import { digestsOf } from '../../reports/dossier/digests.ts';
import { dossier } from '../../reports/dossier/index.ts';
import { statementOf } from '../../reports/statement.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { synthetic } from './page/synthetic.ts';
import {
  conformance,
  everyVerdict,
  exchange,
  HOSTILE,
  judged,
  lacking,
  recordOf,
  writeRecord,
} from './record-builder.ts';

const dir = temporaryDirectory(afterAll);
const path = (name: string) => join(dir, name);

/** What a reader sees, roughly: the markup without elements, and without the record inside. */
const read = (markup: string) => markup.replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gs, ' ').replace(/\s+/g, ' ');

/** Writes the dossier of a report directory. */
async function dossierOf(directory: string, ...args: string[]): Promise<string> {
  const file = `${directory}.html`;
  const environment = { RUN_HISTORY: path('history') };
  const { code, stderr } = await inProcess(report, [directory, '--dossier', file, ...args], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return readFileSync(file, 'utf8');
}

const run = synthetic(3);
const typical = writeRecord(path('typical'), run.conformance, run.exchanges);

describe('of a run with some failures', async () => {
  const text = await dossierOf(typical);
  const sheets = text.split('class="sheet').slice(1).map(read);
  const [first = '', ...rest] = sheets;
  const causes = rest.slice(0, -1);

  test('the first page has verdict, scope, counts and the causes by weight', () => {
    const said = ['Nonconformant, partial', '3 must requirements failed', 'Example Cards Sandbox 2026.05'];
    const scope = [
      '2026-05-11 02:00 UTC',
      'reversible',
      'Operations',
      'catalogue sha256:9f2c1d70a4b8e6531c0d, seed 42',
    ];
    expect(lacking(first, [...said, ...scope, '3 causes, by weight'])).toEqual([]);
    expect(causes).toHaveLength(3);
    for (const sheet of causes) expect(first).toContain(/Cause \d of 3, (\S+) ,/.exec(sheet)![1]!);
  });

  test('each cause has a page with the quoted sentence, its section, what was found, two exchanges at most, and how to see it again', () => {
    const failed = run.conformance.requirements.filter(
      ({ level, verdict }) => level === 'must' && verdict === 'failed',
    );
    expect(failed).toHaveLength(3);
    for (const { id, text: statement, source, checks } of failed) {
      const sheet = causes.find((one) => one.includes(`Requirement ${id} `))!;
      const { message, difference } = checks[0]!;
      const row = statementOf(id, difference?.pointer)?.text ?? '';
      const again = [`--only ${id}`, `npm run replay -- DIR ${id}`, '--as DIR'].slice(
        0,
        run.conformance.run.rotated ? 3 : 2,
      );
      const quoted = [statement, row, `section “${source.section}”`, message];
      expect(
        lacking(
          sheet,
          [...quoted, ...again].map((one) => one.replace(/\s+/g, ' ')),
        ),
      ).toEqual([]);
    }
    const figures = text.split('class="sheet').map((sheet) => sheet.split('<figure').length - 1);
    expect(Math.max(...figures)).toBeLessThanOrEqual(2);
    expect(Math.min(...figures.slice(2, -1))).toBeGreaterThan(0);
  });

  test('the last page has what was not seen, advice, and the digests of what it was made from', () => {
    const digestOf = (name: string) =>
      createHash('sha256')
        .update(readFileSync(join(typical, name)))
        .digest('hex');
    const digests = ['conformance.json', 'exchanges.ndjson'].map(digestOf);
    expect(lacking(sheets.at(-1)!, ['RUN_RISK', 'token.issue.no-store', 'Nothing was compared', ...digests])).toEqual(
      [],
    );
  });

  test('it loads nothing, runs no script, and holds no path of this machine', () => {
    expect(text).not.toMatch(/<(?:link|img|iframe|object|embed|base)\b|\bsrc=|@import|url\(|\bstyle="|\bon\w+="/);
    expect(text).toContain("default-src 'none'; style-src 'unsafe-inline'");
    expect([...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script type="application/gzip" id="record">',
    ]);
    for (const place of [dir, process.cwd()]) expect(text).not.toContain(place);
  });
});

test('it names no file of the machine of the run, neither in commands nor in the record inside', async () => {
  const options = { risk: 'safe', seed: '42', 'env-file': '/home/somebody/vendor.env' };
  const named = resolve(path('placed'));
  const results = [judged('cards.get.identifier', 'failed', { message: `see ${named}/exchanges.ndjson in ${named}` })];
  const directory = writeRecord(named, conformance(results, { run: { options } }), [exchange(1)]);
  const text = await dossierOf(directory);
  expect(text).not.toContain('vendor.env');
  expect(text).not.toContain(named);
  expect(text).toContain('see exchanges.ndjson in .');
  const later = [judged('cards.get.identifier', 'failed', { message: 'see exchanges.ndjson in .' })];
  const compared = await dossierOf(
    writeRecord(path('later'), conformance(later), [exchange(1)]),
    '--since',
    `${named}.html`,
  );
  expect(read(compared)).toContain('failing as before');
  const [, packed] = /id="record">([^<]*)</.exec(text)!;
  expect(gunzipSync(Buffer.from(packed!, 'base64')).toString()).not.toMatch(/vendor\.env|placed/);
});

describe('--since', async () => {
  const of = (verdict: 'passed' | 'failed', name: string) =>
    writeRecord(
      path(name),
      conformance([judged('cards.get.identifier', verdict), judged('cards.get.shape', 'passed')]),
      [exchange(1)],
    );
  const [old, now] = [of('passed', 'old'), of('failed', 'now')];
  await dossierOf(old);

  test.each(['old.html', 'old', 'old/conformance.json'])('compares with %s', async (name) => {
    const text = read(await dossierOf(now, '--since', path(name)));
    expect(text).toContain('Since 2025-01-01 03:00 UTC, version 1.2.3, conformant: 1 new');
    expect(text).toMatch(/new: it is failed cards\.get\.identifier/);
  });

  test.each([
    ['a page that is no dossier', 'other.html', 'is not a dossier'],
    ['a file that is not there', 'none.html', 'none.html: cannot be read (ENOENT)'],
    ['a foreign file', 'other.json', 'is not the record of a run'],
  ])('ends with 2 for %s', async (_, name, said) => {
    writeFileSync(path('other.html'), '<!doctype html>');
    writeFileSync(path('other.json'), '{}');
    const { code, stderr } = await inProcess(report, [now, '--dossier', path('x.html'), '--since', path(name)]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
  });

  test('goes with --dossier alone', async () => {
    expect(await inProcess(report, [now, '--since', old])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--since: goes with --dossier FILE'),
    });
  });
});

test('known failures are listed with their dates and links, apart from the causes', async () => {
  const known = {
    reason: 'mended in spring',
    link: 'https://tracker.example/7',
    expires: '2026-12-31',
    state: 'known',
  } as const;
  const results: RequirementResult[] = [...everyVerdict(), judged('cards.close.status', 'failed', {}, { known })];
  const text = await dossierOf(writeRecord(path('known'), conformance(results), [exchange(1)]));
  const last = text.split('class="sheet').at(-1)!;
  expect(read(last)).toMatch(/cards\.close\.status until 2026-12-31 : mended in spring/);
  expect(last).toContain('<a href="https://tracker.example/7" rel="noreferrer">');
});

test('text of the target neither becomes markup, nor is it longer than its page has room for', () => {
  const long = synthetic(40, `${HOSTILE} ${'W'.repeat(5000)}`);
  const record = recordOf(long.conformance, long.exchanges);
  const text = dossier(record, digestsOf(record));
  const markup = text.replace(/<style>.*?<\/style>|<script type="application\/gzip".*?<\/script>/gs, '');
  expect(markup).not.toMatch(/<script|<img|href="(?!#)/i);
  expect(markup).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
  for (const sheet of markup.split('class="sheet').slice(1))
    expect(sheet.split('<details')[0]!.length).toBeLessThan(20_000);
});

test('a run that shows nothing wrong has no pages of causes', async () => {
  const calm = synthetic(0);
  const text = await dossierOf(writeRecord(path('calm'), calm.conformance, calm.exchanges));
  expect(text.split('class="sheet')).toHaveLength(3);
  expect(read(text)).toContain('No must requirement failed');
});
