/** Every way in which a run is interrupted, in the middle of every kind of change that can be taken back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { soundRecord } from '../../../proof/hostile/outcome.ts';
import { startCleanup, startNpm, startRun } from '../../../proof/hostile/run.ts';
import { promise } from '../../docs/security/promises.ts';
import { conformance, writeRecord } from '../../reports/record-builder.ts';
import { signedIn } from '../../sandbox/client.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { expectCleanup, holding, interrupted, restorable, suspending } from './held.ts';

const ONLY = ['--only', 'cards.suspend,cards.transfer,users.setPermissions'];
const NOTHING_LEFT = 'Nothing is left to undo.\n';

test.each([
  ['SIGINT', 'a suspended card', /POST .*\/suspend$/],
  ['SIGTERM', 'money on its way', /POST .*\/transfer$/],
  ['SIGINT', 'other permissions', /(POST|PUT) .*\/permissions$/],
  ['SIGHUP', 'a suspended card', /POST .*\/suspend$/],
  ['SIGHUP', 'money on its way', /POST .*\/transfer$/],
] as const)('%s with %s: it is undone, what was done is reported', async (signal, what, which) => {
  const target = await holding(which, () => sleep(300));
  const ended = await interrupted(startRun(target.environment, ONLY), target, signal);
  expect(ended.code).toBe(130);
  const { run, requirements } = soundRecord(ended);
  expect(run).toMatchObject({ complete: false, incompleteBecause: expect.stringMatching(/^interrupted/) });
  expect(requirements.some(({ verdict }) => verdict === 'passed')).toBe(true);
  expect(restorable(target)).toEqual(target.before);
  expect((await startCleanup(target.environment, ended.reports).ended).stdout).toBe(NOTHING_LEFT);
  promise('undone', `${signal} ${what}`, { attempts: 1, held: 1 });
});

test.each([
  ['SIGINT', 130],
  // npm itself is ended by it, and the run goes on to its end.
  ['SIGHUP', 137],
] as const)('a terminal sends %s to the process group of npm: as if it were the run alone', async (signal, code) => {
  const target = await holding(/POST .*\/suspend$/, () => sleep(300));
  const run = startNpm(target.environment, ONLY);
  await target.held;
  process.kill(-run.child.pid!, signal);
  const ended = await run.ended;
  expect(ended.code).toBe(code);
  expect(soundRecord(ended).run.incompleteBecause).toMatch(/^interrupted/);
  expect(restorable(target)).toEqual(target.before);
  promise('undone', `${signal} to npm`, { attempts: 1, held: 1 });
});

test('npm alone is ended: the run ends in order', async () => {
  const target = await holding(/POST .*\/suspend$/, () => sleep(1000));
  const ended = await interrupted(startNpm(target.environment, ONLY), target, 'SIGTERM');
  expect(soundRecord(ended).run.incompleteBecause).toMatch(/^interrupted/);
  expect(restorable(target)).toEqual(target.before);
});

test('a second signal waits for nothing, and still leaves a report and what to undo', async () => {
  const target = await holding(/POST .*\/suspend$/);
  const run = startRun({ ...target.environment, RUN_TIMEOUT_MS: '60000' }, ONLY);
  await target.held;
  run.child.kill('SIGINT');
  await sleep(1500);
  expect(run.child.exitCode).toBe(null);
  const ended = await interrupted(run, target, 'SIGINT');
  expect(ended.code).toBe(130);
  expect(soundRecord(ended).run.incompleteBecause).toMatch(/^interrupted/);
  await expectCleanup(target, ended.reports, 'cards.suspend');
});

test.each([
  ['cards.suspend', /POST .*\/suspend$/],
  ['cards.transfer', /POST .*\/transfer$/],
  ['users.setPermissions', /(POST|PUT) .*\/permissions$/],
])('a killed run leaves %s open, and a cleanup undoes it, once', async (operation, which) => {
  const target = await holding(which);
  const { reports } = await interrupted(startRun(target.environment, ONLY), target, 'SIGKILL');
  await expectCleanup(target, reports, operation);
  expect(readFileSync(join(reports, 'changes.ndjson'), 'utf8')).toContain('"event":"undone"');
  expect((await startCleanup(target.environment, reports).ended).stdout).toBe(NOTHING_LEFT);
  promise('undone', `SIGKILL ${operation}`, { attempts: 1, held: 1 });
});

test('the time is up: what was not done is blocked, and nothing is left changed', async () => {
  const target = await holding(/no such address/);
  const environment = { ...target.environment, RUN_MAX_MINUTES: '0.05', RUN_RATE: '40' };
  const ended = await startRun(environment, ONLY).ended;
  expect(ended.code).toBe(3);
  const { run, summary } = soundRecord(ended);
  expect(run).toMatchObject({ complete: false, incompleteBecause: expect.stringContaining('RUN_MAX_MINUTES') });
  expect(summary).toMatchObject({ verdict: 'incomplete', must: { failed: 0 } });
  expect(summary.must.blocked).toBeGreaterThan(0);
  expect(restorable(target)).toEqual(target.before);
});

test('a cleanup goes on undoing after a signal', async () => {
  const target = await holding(/POST .*\/unsuspend$/, () => sleep(500));
  const { v3, fixtures } = await signedIn(target.sandbox);
  const cards: string[] = fixtures.cards.active.slice(0, 2);
  for (const card of cards) await v3('POST', `/cards/cards/${card}/suspend`);
  const changes = cards.map((card, index) => suspending(`c0000${index + 1}`, card));
  const reports = writeRecord(temporaryDirectory(), conformance([]), [], changes);
  const cleanup = startCleanup(target.environment, reports);
  const stdout = expect.stringMatching(/^c00001 cards\.suspend \S+: undone\nc00002 cards\.suspend \S+: undone$/m);
  expect(await interrupted(cleanup, target, 'SIGINT')).toMatchObject({ code: 130, stdout });
  expect(restorable(target)).toEqual(target.before);
  promise('undone', 'SIGINT to a cleanup', { attempts: 1, held: 1 });
});
