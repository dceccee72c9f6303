/** A verification that is killed in the middle of a change, and the next one in its directory. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCleanup, startNode } from '../../../proof/hostile/run.ts';
import { promise } from '../../docs/security/promises.ts';
import { holding, restorable } from '../../run/interruption/held.ts';
import { ROOT } from '../../tools/root.ts';

const startVerification = (environment: Record<string, string>) =>
  startNode([join(ROOT, 'cli/start.js'), 'verify-pact'], {
    TARGET_OPERATIONS: 'token.issue,cards.suspend,cards.unsuspend,cards.getStatus,cards.get,cards.getBalance',
    ...environment,
  });

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Whether a process is there and not only waiting to be collected. */
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

test.skipIf(!existsSync('/proc/self/task'))(
  'a killed verification leaves no process behind, and its change to the next one and a cleanup',
  async () => {
    const target = await holding(/POST .*\/suspend$/);
    const { TARGET_OPERATIONS: _, ...environment } = target.environment;
    const killed = startVerification({ ...environment, RUN_TIMEOUT_MS: '60000' });
    await target.held;
    const children = childrenOf(killed.child.pid!);
    expect(children).toHaveLength(1);
    const given = readFileSync(`/proc/${children[0]}/environ`, 'utf8');
    killed.child.kill('SIGKILL');
    await killed.ended;
    for (let times = 0; times < 100 && children.some(isAlive); times++) await sleep(100);
    expect(children.filter(isAlive)).toEqual([]);
    expect(given).not.toContain(environment.TARGET_CLIENT_SECRET);
    expect(restorable(target)).not.toEqual(target.before);
    const next = await startVerification({ ...environment, RUN_REPORT_DIR: killed.reports }).ended;
    expect(next.stderr).toContain(`npm run cleanup -- ${join(killed.reports, 'pact/unfinished-1')}`);
    const cleanup = await startCleanup(environment, join(killed.reports, 'pact/unfinished-1')).ended;
    expect(cleanup).toMatchObject({ code: 0, stdout: expect.stringMatching(/^c\d+ cards\.suspend \S+: undone$/m) });
    expect(restorable(target)).toEqual(target.before);
    promise('undone', 'SIGKILL to a verification', { attempts: 1, held: 1 });
  },
);

test('a second verification in the directory of one ends with 2, and touches nothing', async () => {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const target = await holding(/POST .*\/suspend$/, () => over);
  const first = startVerification({ ...target.environment, RUN_TIMEOUT_MS: '60000' });
  await target.held;
  const second = await startVerification({ ...target.environment, RUN_REPORT_DIR: first.reports }).ended;
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('is in use by a verification') });
  resolve();
  expect((await first.ended).code).toBe(0);
  expect(restorable(target)).toEqual(target.before);
  promise('one run', 'beside a verification', { attempts: 1, held: 1 });
});
