/** What a replay changes: undone at its end and after a signal, and kept for a cleanup when it is killed. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCleanup, startNode } from '../../proof/hostile/run.ts';
import { promise } from '../docs/security/promises.ts';
import { check, conformance, exchange, requirement, writeRecord } from '../reports/record-builder.ts';
import { type HeldTarget, holding, restorable } from '../run/interruption/held.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';

/** The record of a failure that suspended a card and moved money from another one. */
function recordOf({ sandbox }: HeldTarget): string {
  const { active } = sandbox.fixtures.cards as { active: [string, string, string] };
  const sent = (number: number, operation: string, card: string, name: string, body: string | null) =>
    exchange(number, {
      operation,
      request: {
        method: 'POST',
        url: `http://target.example/cards/cards/${card}/${name}`,
        headers: { authorization: 'Bearer <REDACTED_ACCESS_TOKEN>', 'content-type': 'application/json' },
        body,
      },
    });
  const transfer = JSON.stringify({ targetCardIdentifier: active[1], amount: 1.5 });
  const exchanges = [
    sent(1, 'cards.transfer', active[0], 'transfer', transfer),
    sent(2, 'cards.suspend', active[2], 'suspend', null),
  ];
  const failed = check('failed', { exchanges: exchanges.map(({ id }) => id), shownBy: 'x00002' });
  return writeRecord(
    join(temporaryDirectory(), 'failed'),
    conformance([requirement('cards.suspend.effect', [failed])]),
    exchanges,
  );
}

const startReplay = (environment: Record<string, string>, record: string, into = temporaryDirectory()) =>
  startNode(
    [join(ROOT, 'cli/start.js'), 'replay', record, 'cards.suspend.effect', '--elsewhere', '--report-dir', into],
    environment,
  );

test('money goes back and a card becomes Active again at the end', async () => {
  const target = await holding(/no such address/);
  const ended = await startReplay(target.environment, recordOf(target)).ended;
  expect(ended).toMatchObject({ code: 1, stderr: '', stdout: expect.stringMatching(/2 of 2 answers differ/) });
  expect(ended.stdout).not.toContain('cleanup');
  expect(restorable(target)).toEqual(target.before);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends it in order: 130, and nothing is left', async (signal) => {
  const target = await holding(/POST .*\/suspend$/, () => sleep(300));
  const replay = startReplay(target.environment, recordOf(target));
  await target.held;
  replay.child.kill(signal);
  const ended = await replay.ended;
  expect(ended.code, ended.stderr).toBe(130);
  expect(ended.stderr).toContain(`${signal}: finishing what is in flight and undoing changes`);
  expect(restorable(target)).toEqual(target.before);
  promise('undone', `${signal} to a replay`, { attempts: 1, held: 1 });
});

test('a killed one leaves its changes to a cleanup, also after the next one', async () => {
  const target = await holding(/POST .*\/suspend$/);
  const record = recordOf(target);
  const reports = temporaryDirectory();
  const killed = startReplay(target.environment, record, reports);
  await target.held;
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(restorable(target)).not.toEqual(target.before);
  const next = await startReplay(target.environment, record, reports).ended;
  const aside = join(reports, 'unfinished-1');
  expect(next.stderr).toContain(`npm run cleanup -- ${aside}`);
  const cleanup = await startCleanup(target.environment, aside).ended;
  expect(cleanup.stdout).toMatch(/^c\d+ cards\.suspend \S+: undone$/m);
  expect(cleanup.stdout).toMatch(/^c\d+ cards\.transfer \S+: undone$/m);
  expect(cleanup.code, cleanup.stdout).toBe(0);
  expect(restorable(target)).toEqual(target.before);
  promise('undone', 'SIGKILL to a replay', { attempts: 1, held: 1 });
});
