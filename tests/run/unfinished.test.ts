import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { REPORTS, writeReports } from '../../reports/all.ts';
import { readRecord } from '../../reports/record.ts';
import { finish } from '../../run/finish.ts';
import { prepare } from '../../run/prepare.ts';
import { announce, nothingYet, recoverRecord } from '../../run/unfinished.ts';
import { BASE, workspace } from '../helpers/configuration/workspace.ts';
import { check, exchange } from '../reports/record-builder.ts';
import { inProcess } from '../tools/in-process.ts';

/** A run that has begun. */
async function begun() {
  const { cwd, read } = workspace();
  const configuration = await read(BASE, { seed: '7' });
  announce(configuration);
  const { reportDir, history } = configuration.run;
  return { cwd, configuration, history, directory: reportDir, exchanges: join(reportDir, 'exchanges.ndjson') };
}

/** The end of a run in which one check passed. */
function ended(configuration: Configuration, environment: Record<string, string> = {}) {
  const passed = { ...check('passed'), requirement: 'users.get.shape' } as Outcome;
  return inProcess(
    async () => finish(configuration, { ...nothingYet(new Date()), outcomes: [passed] }),
    [],
    environment,
  );
}

test('of a killed run the record is what its exchanges showed, and reports can be made of it', async () => {
  const { cwd, directory, exchanges } = await begun();
  const broken = exchange(2, { findings: [{ requirement: 'cards.get.shape', message: 'the body is empty' }] });
  const lines = [exchange(1), broken].map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(exchanges, `${lines}{"id":"x00003","oper`);
  recoverRecord(directory);
  const { run, summary, requirements } = readRecord(directory).conformance;
  expect(run).toMatchObject({ seed: 7, requests: 2, complete: false });
  expect(summary).toMatchObject({ verdict: 'nonconformant', must: { failed: 1, passed: 0 } });
  const failure = { verdict: 'failed', reason: 'the body is empty', checks: [{ exchanges: ['x00002'] }] };
  expect(requirements.find(({ id }) => id === 'cards.get.shape')).toMatchObject(failure);
  expect(writeReports(directory, { history: join(cwd, 'history') }).files).toHaveLength(REPORTS.length);
});

test.each(['exchanges.ndjson', 'changes.ndjson'])('where somebody spoilt %s the verdict is given', async (name) => {
  const { configuration, directory } = await begun();
  writeFileSync(join(directory, name), 'no line of ours\n');
  expect(await ended(configuration)).toMatchObject({ code: 3, stdout: expect.stringContaining('INCOMPLETE') });
  expect(readRecord(join(directory, 'conformance.json')).conformance.summary.must.passed).toBe(1);
});

test.each(['{', '', '[]', '{"schemaVersion":2}', '{"schemaVersion":1}'])(
  'a baseline that cannot be read ends a run before anything is dropped: %s',
  async (text) => {
    const { configuration, directory, cwd } = await begun();
    const [record, baseline] = [join(directory, 'conformance.json'), join(cwd, 'baseline.json')];
    writeFileSync(record, 'of an earlier run');
    writeFileSync(baseline, text);
    configuration.run.baseline = baseline;
    expect(() => prepare(configuration)).toThrow(/^RUN_BASELINE: /);
    expect(readFileSync(record, 'utf8')).toBe('of an earlier run');
  },
);

test('a history, a step summary or a page that cannot be written is a note, and the verdict is given', async () => {
  const { cwd, configuration, history, directory } = await begun();
  const { code } = await ended(configuration);
  const [file] = readdirSync(history).filter((name) => name.endsWith('.ndjson'));
  const [remembered, summary] = [join(history, file!), join(cwd, 'summary')];
  rmSync(remembered);
  rmSync(join(directory, 'index.html'));
  mkdirSync(join(directory, 'index.html'));
  expect(spawnSync('mkfifo', [remembered, summary]).status).toBe(0);
  const again = await ended(configuration, { GITHUB_STEP_SUMMARY: summary });
  expect(again).toMatchObject({ code, stdout: expect.stringContaining('INCOMPLETE') });
  expect(again.stderr.trim().split('\n')).toEqual([
    `${history} could not be written: ${remembered}: is not a file`,
    `GITHUB_STEP_SUMMARY could not be written: ${summary}: is not a file`,
    expect.stringMatching(/index\.html could not be written: /),
  ]);
  expect(readRecord(directory).conformance.summary.must.passed).toBe(1);
});

test('making the record of a killed run changes nothing where a link leads', async () => {
  const { cwd, directory, exchanges } = await begun();
  const victim = join(cwd, 'victim');
  writeFileSync(victim, 'one\ntwo');
  symlinkSync(victim, exchanges);
  expect(() => recoverRecord(directory)).toThrow(`${exchanges}: is a link; remove it`);
  expect(readFileSync(victim, 'utf8')).toBe('one\ntwo');
});
