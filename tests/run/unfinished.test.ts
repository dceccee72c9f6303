import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { writeReports } from '../../reports/all.ts';
import { readRecord } from '../../reports/record.ts';
import { finish } from '../../run/finish.ts';
import { announce, nothingYet, recoverRecord } from '../../run/unfinished.ts';
import { BASE } from '../helpers/configuration/workspace.ts';
import { exchange } from '../reports/record-builder.ts';
import { temporaryDirectory } from '../tools/directory.ts';

const passed = {
  requirement: 'users.get.shape',
  name: 'it',
  verdict: 'passed',
  message: '',
  durationMs: 1,
  exchanges: ['x00001'],
} as Outcome;

test('of a killed run the record is what its exchanges showed, and reports can be made of it', async () => {
  const cwd = temporaryDirectory();
  const configuration = await readConfiguration({ env: BASE, options: { seed: '7' }, cwd });
  const directory = configuration.run.reportDir;
  announce(configuration);
  const broken = exchange(2, { findings: [{ requirement: 'cards.get.shape', message: 'the body is empty' }] });
  const lines = [exchange(1), broken].map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(join(directory, 'exchanges.ndjson'), lines);
  appendFileSync(join(directory, 'exchanges.ndjson'), '{"id":"x00003","oper');
  recoverRecord(directory);
  const { run, summary, requirements } = readRecord(directory).conformance;
  expect(run).toMatchObject({ seed: 7, requests: 2, complete: false });
  expect(summary).toMatchObject({ verdict: 'nonconformant', must: { failed: 1, passed: 0 } });
  expect(requirements.find(({ id }) => id === 'cards.get.shape')).toMatchObject({
    verdict: 'failed',
    reason: 'the body is empty',
    checks: [{ exchanges: ['x00002'] }],
  });
  expect(writeReports(directory, { history: join(cwd, 'history') }).files).toHaveLength(3);
});

test.each(['exchanges.ndjson', 'changes.ndjson'])(
  'of a run whose %s somebody spoilt the verdict is given',
  async (name) => {
    const cwd = temporaryDirectory();
    const configuration = await readConfiguration({ env: BASE, options: {}, cwd });
    const directory = configuration.run.reportDir;
    announce(configuration);
    writeFileSync(join(directory, name), 'no line of ours\n');
    const printed = {
      log: vi.spyOn(console, 'log').mockReturnValue(),
      error: vi.spyOn(console, 'error').mockReturnValue(),
    };
    expect(finish(configuration, { ...nothingYet(new Date()), outcomes: [passed] })).toBe(3);
    expect(printed.log.mock.calls.flat().join()).toContain('INCOMPLETE');
    expect(readRecord(join(directory, 'conformance.json')).conformance.summary.must.passed).toBe(1);
  },
);

test('a pipe in place of the history or of the step summary is a note, and the verdict is given', async () => {
  const cwd = temporaryDirectory();
  const configuration = await readConfiguration({ env: BASE, options: {}, cwd });
  const { reportDir, history } = configuration.run;
  announce(configuration);
  const printed = {
    log: vi.spyOn(console, 'log').mockReturnValue(),
    error: vi.spyOn(console, 'error').mockReturnValue(),
  };
  const findings = { ...nothingYet(new Date()), outcomes: [passed] };
  const code = finish(configuration, findings);
  const [file] = readdirSync(history).filter((name) => name.endsWith('.ndjson'));
  const pipes = [join(history, file!), join(cwd, 'summary')];
  rmSync(pipes[0]!);
  expect(spawnSync('mkfifo', pipes).status).toBe(0);
  vi.stubEnv('GITHUB_STEP_SUMMARY', pipes[1]);
  expect(finish(configuration, findings)).toBe(code);
  expect(printed.log.mock.calls.at(-1)!.join()).toContain('INCOMPLETE');
  expect(printed.error.mock.calls.flat()).toEqual([
    `${history} could not be written: ${pipes[0]}: is not a file`,
    `GITHUB_STEP_SUMMARY could not be written: ${pipes[1]}: is not a file`,
  ]);
  expect(readRecord(reportDir).conformance.summary.must.passed).toBe(1);
});

test('making the record of a killed run changes nothing where a link leads', async () => {
  const cwd = temporaryDirectory();
  const configuration = await readConfiguration({ env: BASE, options: {}, cwd });
  const { reportDir } = configuration.run;
  announce(configuration);
  const victim = join(cwd, 'victim');
  writeFileSync(victim, 'one\ntwo');
  symlinkSync(victim, join(reportDir, 'exchanges.ndjson'));
  expect(() => recoverRecord(reportDir)).toThrow(`${join(reportDir, 'exchanges.ndjson')}: is a link; remove it`);
  expect(readFileSync(victim, 'utf8')).toBe('one\ntwo');
});
