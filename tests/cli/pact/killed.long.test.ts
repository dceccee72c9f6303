/** A verification that is killed in the middle of a change, and the next one in its directory. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startNode } from '../../../proof/hostile/run.ts';
import { promise } from '../../docs/security/promises.ts';
import { expectCleanup, type HeldTarget, holding, interrupted, restorable } from '../../run/interruption/held.ts';
import { ROOT } from '../../tools/root.ts';

const TARGET_OPERATIONS = 'token.issue,cards.suspend,cards.unsuspend,cards.getStatus,cards.get,cards.getBalance';
const startVerification = ({ environment }: HeldTarget, more: Record<string, string>) =>
  startNode([join(ROOT, 'cli/start.js'), 'verify-pact'], { ...environment, TARGET_OPERATIONS, ...more });

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Whether a process is there and not only waiting to be collected. */
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

test.skipIf(!existsSync('/proc/self/task'))(
  'a killed verification leaves no process behind, and its change to the next one and a cleanup',
  async () => {
    const target = await holding(/POST .*\/suspend$/);
    const killed = startVerification(target, { RUN_TIMEOUT_MS: '60000' });
    await target.held;
    const children = childrenOf(killed.child.pid!);
    expect(children).toHaveLength(1);
    expect(readFileSync(`/proc/${children[0]}/environ`, 'utf8')).not.toContain(target.environment.TARGET_CLIENT_SECRET);
    const { reports } = await interrupted(killed, target, 'SIGKILL');
    await expect.poll(() => children.filter(isAlive)).toEqual([]);
    const next = await startVerification(target, { RUN_REPORT_DIR: reports }).ended;
    const aside = join(reports, 'pact/unfinished-1');
    expect(next.stderr).toContain(`npm run cleanup -- ${aside}`);
    await expectCleanup(target, aside, 'cards.suspend');
    promise('undone', 'SIGKILL to a verification', { attempts: 1, held: 1 });
  },
);

test('a second verification in the directory of one ends with 2, and touches nothing', async () => {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const target = await holding(/POST .*\/suspend$/, () => over);
  const first = startVerification(target, { RUN_TIMEOUT_MS: '60000' });
  await target.held;
  const second = await startVerification(target, { RUN_REPORT_DIR: first.reports }).ended;
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('is in use by a verification') });
  resolve();
  expect((await first.ended).code).toBe(0);
  expect(restorable(target)).toEqual(target.before);
  promise('one run', 'beside a verification', { attempts: 1, held: 1 });
});
