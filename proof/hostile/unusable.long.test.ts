/** Targets that nothing, or next to nothing, can be judged of: what a run says of them, and its exit code. */
import { describe, expect, test, vi } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { runHere } from '../../tests/tools/run-in-process.ts';
import { BROKEN } from './behaviours.ts';
import { soundRecord } from './outcome.ts';
import { startRun } from './run.ts';
import { hostileTarget, pointedAt } from './target.ts';

// Never reached but by a defect: whole runs take a few seconds each.
vi.setConfig({ testTimeout: 120_000 });

describe('exit code 2 within seconds, saying what to look at', () => {
  test('nothing listens', async () => {
    const sandbox = await startSandbox();
    const environment = pointedAt('http://127.0.0.1:9', sandbox);
    await sandbox.close();
    const ended = await startRun(environment).ended;
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('127.0.0.1:9: the connection was refused');
    expect(soundRecord(ended).summary.must).toMatchObject({ passed: 0, failed: 0, inconclusive: 0 });
  });

  test('the credentials are wrong', async () => {
    const target = await hostileTarget(({ response }) => void response.destroy(), 'login');
    const environment = {
      ...target.sandbox.environment,
      TARGET_CLIENT_SECRET: 'a-secret-that-is-wrong',
      TARGET_PORTAL_PASSWORD: 'a-password-that-is-wrong',
    };
    const ended = await runHere(environment);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(
      /token endpoint itself refuses the .*: token\.issue answers status 40[01].*check TARGET_CLIENT_ID/,
    );
    expect(ended.stderr).toMatch(
      /portal\.login answers status 400.*check TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD/,
    );
    expect(ended.stdout + ended.stderr).not.toContain('that-is-wrong');
    // In the record what follows the word 'credentials' may be taken for them, and redacted.
    const reasons = soundRecord(ended).requirements.map(({ reason }) => reason);
    expect(reasons).toContainEqual(expect.stringContaining('token.issue answers status 40'));
  });
});

test('a target that answers HTML with 200 fails by the shape of what it answers', async () => {
  const target = await hostileTarget(BROKEN['sends HTML with 200']!, 'after login');
  const ended = await runHere(target.environment);
  expect(ended.code, ended.stdout + ended.stderr).toBe(1);
  const failed = soundRecord(ended).requirements.filter(({ verdict }) => verdict === 'failed');
  for (const id of ['users.list.shape', 'cards.get.shape', 'portal.getCustomerHierarchy.shape'])
    expect(failed).toContainEqual(expect.objectContaining({ id, reason: expect.stringContaining("begins with '<'") }));
});
