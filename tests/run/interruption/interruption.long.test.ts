/** Ctrl-C and SIGKILL in the middle of changes to the target. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { cleanup } from '../../../cli/cleanup.ts';
import { soundRecord } from '../../../proof/hostile/outcome.ts';
import { startNode, startRun } from '../../../proof/hostile/run.ts';
import { inProcess } from '../../tools/in-process.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { holding, restorable } from './held.ts';

// Never reached but by a defect: whole runs take a few seconds each.
vi.setConfig({ testTimeout: 120_000 });

const ONLY = ['--only', 'cards.suspend,cards.transfer'];
/** A run without the worker that vitest gives it: the nightly tests kill whole ones. */
const RUN_ALONE = `
  const { readConfiguration } = await import('${import.meta.resolve('../../../helpers/configuration/index.ts')}');
  const { runInProcess } = await import('${import.meta.resolve('../../../run/in-process.ts')}');
  const { prepare } = await import('${import.meta.resolve('../../../run/prepare.ts')}');
  const given = { env: process.env, options: { only: 'cards.transfer' }, cwd: process.cwd() };
  const configuration = await readConfiguration(given);
  await runInProcess(configuration, configuration.run.reportDir, prepare(configuration));`;

test('Ctrl-C with a suspended card: it is undone, what was done is reported', async () => {
  const target = await holding(/POST .*\/suspend$/, () => sleep(300));
  const run = startRun(target.environment, ONLY);
  await target.held;
  expect(restorable(target)).not.toEqual(target.before);
  run.child.kill('SIGINT');
  const ended = await run.ended;
  expect(ended.code).toBe(130);
  const record = soundRecord(ended);
  expect(record.run).toMatchObject({ complete: false, incompleteBecause: expect.stringMatching(/^interrupted/) });
  expect(restorable(target)).toEqual(target.before);
});

test('a killed run leaves money on its way, and a cleanup moves it back', async () => {
  const target = await holding(/POST .*\/transfer$/);
  const run = startNode(['--input-type=module', '-e', RUN_ALONE], target.environment);
  await target.held;
  run.child.kill('SIGKILL');
  const { reports } = await run.ended;
  expect(restorable(target)).not.toEqual(target.before);
  const next = await runHere({ ...target.environment, RUN_REPORT_DIR: reports }, ['--only', 'users.get.shape']);
  const unfinished = join(reports, 'unfinished-1');
  expect(next.stdout).toContain(`npm run cleanup -- ${unfinished}`);
  expect(await inProcess(cleanup, [unfinished], target.environment)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^c\d+ cards\.transfer \S+: undone$/m),
  });
  expect(restorable(target)).toEqual(target.before);
});
