/** `verify DIR`, and what `report DIR --attest` writes for it. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judge } from '../../cli/judge.ts';
import { report } from '../../cli/report.ts';
import { verify } from '../../cli/verify.ts';
import type { Conformance, Exchange } from '../../contracts/record.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { faults } from '../../proof/faults/index.ts';
import type { Statement } from '../../reports/attestation.ts';
import { summarise } from '../../reports/verdicts.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { conformance, judged, writeRecord } from '../reports/record-builder.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { runHere } from '../tools/run-in-process.ts';
import { environmentOf } from '../tools/sandboxes.ts';

const dir = temporaryDirectory(afterAll);
const path = (name: string) => join(dir, name);
const sound = path('sound');
const broken = path('broken');

beforeAll(async () => {
  const args = ['--only', 'users.get,cards.getBalance'];
  await runHere({ RUN_REPORT_DIR: sound }, args, dir);
  await using sandbox = await startSandbox({ rules: { money: String } });
  await runHere({ ...sandbox.environment, RUN_REPORT_DIR: broken }, args, dir);
}, 60_000);

const readConformance = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'conformance.json'), 'utf8')) as Conformance;

/** A copy of a record with something changed in it. */
function changed(
  name: string,
  from: string,
  change: (record: Conformance, exchanges: Exchange[]) => Exchange[] | undefined,
): string {
  const directory = path(name);
  cpSync(from, directory, { recursive: true });
  const record = readConformance(directory);
  const lines = readFileSync(join(directory, 'exchanges.ndjson'), 'utf8').trim().split('\n');
  const exchanges = lines.map((line) => JSON.parse(line) as Exchange);
  return writeRecord(directory, record, change(record, exchanges) ?? exchanges);
}

const requirementIn = ({ requirements }: Conformance, id: string) => requirements.find((one) => one.id === id)!;

/** Makes a failed requirement passed, with all that follows from it. */
function forge(record: Conformance, id: string): void {
  const forged = requirementIn(record, id);
  Object.assign(forged, { verdict: 'passed', reason: '' });
  for (const check of forged.checks) Object.assign(check, { verdict: 'passed', message: '' });
  record.summary = summarise(record.requirements, record.run.complete);
}

test.each([
  ['sound', sound],
  ['broken', broken],
])('the record of a run of a %s target holds, and sends nothing', async (_, directory) => {
  const { code, stdout } = await inProcess(verify, [directory]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/ {6}0 {2}do not hold\n/) });
  const [, follows] = /^ *(\d+) {2}follow from the recorded exchanges: /m.exec(stdout)!;
  expect(Number(follows)).toBeGreaterThan(5);
});

test.each([
  [
    'a request that broke another requirement besides',
    'a proxy is found without both of programIdentifier and isDigital',
    'cards.get',
  ],
  ['a rule that needs the fixtures of the run', 'related cards are listed every second time', 'cards.listRelated'],
])('the record holds where a failure rests on %s', async (_, name, selected) => {
  const { sandbox, condemns } = faults.find((fault) => fault.name === name)!;
  const directory = path(selected);
  await using target = await startSandbox(sandbox);
  const environment = environmentOf(target);
  await runHere({ ...environment, RUN_REPORT_DIR: directory }, ['--only', selected], dir);
  for (const id of condemns) expect(requirementIn(readConformance(directory), id).verdict).toBe('failed');
  const { code, stdout } = await inProcess(verify, [directory]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/ {6}0 {2}do not hold\n/) });
});

test('the record of a recording whose answers are not whole holds', async () => {
  const cut = changed('cut', sound, (_, exchanges) =>
    exchanges.map((one) =>
      one.operation === 'users.get' && one.response?.status === 200
        ? { ...one, response: { ...one.response, body: one.response.body!.slice(0, 20), truncated: true } }
        : one,
    ),
  );
  const judged = path('judged');
  await inProcess(judge, [cut, '--report-dir', judged, '--history', path('history')]);
  const { code, stdout } = await inProcess(verify, [judged]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/ {6}0 {2}do not hold\n/) });
});

test('the record holds where a number was masked, so that a body is JSON no more', async () => {
  const masked = changed('masked', sound, (_, exchanges) =>
    exchanges.map((one) => {
      const body = one.response?.body?.replace(/("balance": ?)[\d.]+/, '$1<REDACTED_CARD_NUMBER>');
      return one.response && body ? { ...one, response: { ...one.response, body } } : one;
    }),
  );
  expect(readFileSync(join(masked, 'exchanges.ndjson'), 'utf8')).toContain('<REDACTED_CARD_NUMBER>');
  const { code, stdout } = await inProcess(verify, [masked]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/ {6}0 {2}do not hold\n/) });
});

test('what only a run can show is not claimed to follow', async () => {
  const { stdout } = await inProcess(verify, [sound]);
  expect(stdout).toMatch(
    /^ *[1-9]\d* {2}are claimed by the run, and exchanges alone cannot show them: \d+ passed, 0 failed$/m,
  );
});

describe('a record that was changed does not hold', () => {
  test.each<[string, () => string, RegExp]>([
    [
      'a failure was made to pass',
      () => changed('forged', broken, (record) => void forge(record, 'cards.getBalance.shape')),
      /cards\.getBalance\.shape: recorded as passed, but the recorded exchanges break it: /,
    ],
    [
      'a verdict was changed alone',
      () =>
        changed('alone', broken, (record) => {
          requirementIn(record, 'cards.getBalance.shape').verdict = 'passed';
          return undefined;
        }),
      /cards\.getBalance\.shape: recorded as passed, but its checks say failed/,
    ],
    [
      'an answer was mended',
      () =>
        changed('mended', broken, (_, exchanges) =>
          exchanges.map((one) =>
            one.operation === 'cards.getBalance' && one.response?.body
              ? { ...one, response: { ...one.response, body: one.response.body.replace(/"([\d.]+)"/g, '$1') } }
              : one,
          ),
        ),
      /cards\.getBalance\.shape: recorded as failed, but the recorded exchanges do not show that/,
    ],
    [
      'evidence was taken out',
      () =>
        changed('lost', sound, (record, exchanges) => {
          const [id] = requirementIn(record, 'users.get.shape').checks[0]!.exchanges;
          return exchanges.filter((one) => one.id !== id);
        }),
      /users\.get\.shape: its evidence x\d+ is not among the recorded exchanges/,
    ],
    [
      'a requirement was taken out',
      () =>
        changed('fewer', sound, (record) => {
          record.requirements.shift();
          record.summary = summarise(record.requirements, true);
          return undefined;
        }),
      /token\.issue\.\S+: is not in the record/,
    ],
    [
      'the counts were changed',
      () =>
        changed('counts', sound, (record) => {
          record.summary.must.passed++;
          return undefined;
        }),
      /summary: does not follow from the verdicts/,
    ],
  ])('%s', async (_, make, said) => {
    const { code, stdout } = await inProcess(verify, [make()]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(said) });
    expect(stdout).toContain('The record does not hold');
  });
});

test.each<[string, () => string, string]>([
  ['a record that is not there', () => path('none'), 'there is no such file'],
  [
    'a record of another catalogue',
    () => writeRecord(path('other'), conformance([judged('cards.get.shape', 'passed')])),
    'was judged by catalogue d1 of prepaid-card-conformance 0.1.0',
  ],
  ['a record without exchanges', () => changed('empty', sound, () => []), 'nothing was seen'],
])('%s ends with 2 and one line', async (_, make, said) => {
  const { code, stdout, stderr } = await inProcess(verify, [make()]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(said);
  expect(stderr).toMatch(/^.+\n$/);
});

describe('report --attest', () => {
  const file = path('statement.json');
  const [dossier, url] = [path('dossier.html'), 'https://ci.example/7'];
  const attest = (directory: string, ...args: string[]) =>
    inProcess(report, [directory, '--attest', file, ...args], { RUN_HISTORY: path('history') });
  const statement = () => JSON.parse(readFileSync(file, 'utf8')) as Statement;
  const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

  test('writes an in-toto Statement of test results with digests of record, dossier, catalogue and suite', async () => {
    const stdout = expect.stringContaining(`${dossier}\n${file}\n`);
    expect(await attest(broken, '--dossier', dossier, '--report-url', url)).toMatchObject({ code: 0, stdout });
    const { _type, predicateType, subject, predicate } = statement();
    expect({ _type, predicateType }).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    });
    const names = ['conformance.json', 'exchanges.ndjson', 'changes.ndjson'];
    const digestOf = (from: string) => ({ sha256: sha256(readFileSync(from)) });
    expect(subject).toEqual([
      ...names.map((name) => ({ name, digest: digestOf(join(broken, name)) })),
      { name: 'dossier.html', digest: digestOf(dossier) },
    ]);
    const { configuration, passedTests, failedTests, ...rest } = predicate;
    expect(rest).toEqual({ result: 'FAILED', url, warnedTests: [] });
    expect(failedTests).toEqual(['cards.getBalance.shape']);
    expect(passedTests).toContain('users.get.shape');
    expect(configuration).toMatchObject([
      { name: 'catalogue', digest: { sha256: sha256(JSON.stringify(requirements)) } },
      {
        uri: expect.stringMatching(/^pkg:npm\/prepaid-card-conformance@\d/),
        digest: { sha256: expect.stringMatching(/^[\da-f]{64}$/) },
        annotations: { risk: 'irreversible', selection: 'only users.get,cards.getBalance', verdict: 'nonconformant' },
      },
    ]);
  });

  test('does not say that everything passed where something was not seen', async () => {
    await attest(changed('partial', sound, (record) => void Object.assign(record.summary, { partial: true })));
    expect(statement().predicate.result).toBe('WARNED');
    await attest(
      changed('incomplete', sound, (record) => void Object.assign(record.summary, { verdict: 'incomplete' })),
    );
    expect(statement().predicate.result).toBe('FAILED');
    await attest(sound);
    expect(statement().predicate.result).toBe('PASSED');
  });

  test('is what verify holds a record against', async () => {
    await attest(sound);
    expect(await inProcess(verify, [sound, '--statement', file])).toMatchObject({ code: 0 });
    const { code, stdout } = await inProcess(verify, [broken, '--statement', file]);
    expect(code).toBe(1);
    expect(stdout).toContain('conformance.json: is not the file that the statement is about');
    expect(stdout).toContain('statement: its result does not follow from the record');
    writeFileSync(file, '{}');
    const stderr = '--statement: is not an in-toto Statement of test results\n';
    expect(await inProcess(verify, [sound, '--statement', file])).toMatchObject({ code: 2, stderr });
  });

  test('refuses what another version of the suite judged', async () => {
    const other = writeRecord(path('older'), conformance([judged('cards.get.shape', 'passed')]));
    const stderr = expect.stringContaining('attest it with that version');
    expect(await attest(other)).toMatchObject({ code: 2, stderr });
  });
});
