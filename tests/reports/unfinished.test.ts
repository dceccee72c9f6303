import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { writeReports } from '../../reports/all.ts';
import { readRecord } from '../../reports/record.ts';
import { finish } from '../../run/finish.ts';
import { announce, nothingYet, recoverRecord } from '../../run/unfinished.ts';
import { BASE } from '../configuration/workspace.ts';
import { exchange } from './record-builder.ts';

test('of a killed run the record is what its exchanges showed, and reports can be made of it', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'killed-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
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
    const cwd = mkdtempSync(join(tmpdir(), 'spoilt-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const configuration = await readConfiguration({ env: BASE, options: {}, cwd });
    const directory = configuration.run.reportDir;
    announce(configuration);
    writeFileSync(join(directory, name), 'no line of ours\n');
    const printed = {
      log: vi.spyOn(console, 'log').mockReturnValue(),
      error: vi.spyOn(console, 'error').mockReturnValue(),
    };
    const passed = {
      requirement: 'users.get.shape',
      name: 'it',
      verdict: 'passed',
      message: '',
      durationMs: 1,
      exchanges: ['x00001'],
    };
    expect(finish(configuration, { ...nothingYet(new Date()), outcomes: [passed as Outcome] })).toBe(3);
    expect(printed.log.mock.calls.flat().join()).toContain('INCOMPLETE');
    expect(readRecord(join(directory, 'conformance.json')).conformance.summary.must.passed).toBe(1);
  },
);
