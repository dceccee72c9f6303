/** Ctrl-C and SIGKILL in the middle of changes to the target. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { soundRecord } from '../../../proof/hostile/outcome.ts';
import { startRun } from '../../../proof/hostile/run.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { expectCleanup, holding, interrupted, restorable } from './held.ts';

const ONLY = ['--only', 'cards.suspend,cards.transfer'];

test('Ctrl-C with a suspended card: it is undone, what was done is reported', async () => {
  const target = await holding(/POST .*\/suspend$/, () => sleep(300));
  const ended = await interrupted(startRun(target.environment, ONLY), target, 'SIGINT');
  expect(ended.code).toBe(130);
  const { run } = soundRecord(ended);
  expect(run).toMatchObject({ complete: false, incompleteBecause: expect.stringMatching(/^interrupted/) });
  expect(restorable(target)).toEqual(target.before);
});

test('a killed run leaves money on its way, and a cleanup moves it back', async () => {
  const target = await holding(/POST .*\/transfer$/);
  const { reports } = await interrupted(startRun(target.environment, ONLY), target, 'SIGKILL');
  const next = await runHere({ ...target.environment, RUN_REPORT_DIR: reports }, ['--only', 'users.get.shape']);
  const unfinished = join(reports, 'unfinished-1');
  expect(next.stdout).toContain(`npm run cleanup -- ${unfinished}`);
  await expectCleanup(target, unfinished, 'cards.transfer');
});
