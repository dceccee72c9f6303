/** Credentials that were just given, and that a target may not know everywhere yet. */
import { expect, test, vi } from 'vitest';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Run } from '../../helpers/run.ts';
import { Blocked } from '../../helpers/verdict.ts';
import { Direct } from '../../proof/selfcheck/direct.ts';
import { pointAt } from '../../run/target.ts';
import type { AnswerFilter } from '../../sandbox/index.ts';
import { makeSandbox } from '../../sandbox/unserved.ts';
import { workspace } from './configuration/workspace.ts';

/** A run against a target that refuses some of the calls of an operation, counted from 1. @param settleMs how long an effect may take to show */
async function runRefused(refused: string, isRefused: (nth: number) => boolean, settleMs: number): Promise<Run> {
  let calls = 0;
  const filter: AnswerFilter = (answer, { operation }) =>
    operation === refused && isRefused(++calls) ? { ...answer, status: 401 } : undefined;
  const { responder, environmentAt, fixtures } = makeSandbox({ middleware: [filter] });
  const given = await workspace().read({}, { embedded: 'true', 'settle-ms': String(settleMs) });
  const configuration = pointAt(given, { environment: environmentAt('http://127.0.0.1:9'), fixtures });
  return new Run(configuration, [], { recorder: new Recorder(undefined), dispatcher: new Direct(responder) });
}

const listUsers = (run: Run) => run.client.call('users.list', {}, { check: 'users.list.max-accepted: 1' });

test('what is refused for a new token is asked for again', async () => {
  expect(await listUsers(await runRefused('users.list', (nth) => nth === 1, 20))).toMatchObject({ status: 200 });
});

test('a token that is refused after another was given is asked for again', async () => {
  const { tokens } = (await runRefused('token.issue', (nth) => nth === 2, 20)).client;
  await tokens.current();
  expect((await tokens.fresh()).exchange).toBeDefined();
});

test('a run that is interrupted does not wait until new credentials are known', async () => {
  const run = await runRefused('users.list', () => true, 600_000);
  const asking = listUsers(run);
  await vi.waitUntil(() => run.transport.stats().requests === 2);
  run.interrupt();
  await expect(asking).rejects.toThrow(Blocked);
});
