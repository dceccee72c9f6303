/** What a replay changes: undone at its end and after a signal, and kept for a cleanup when it is killed. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startNode } from '../../proof/hostile/run.ts';
import { promise } from '../docs/security/promises.ts';
import { check, conformance, exchange, requirement, writeRecord } from '../reports/record-builder.ts';
import { expectCleanup, type HeldTarget, holding, interrupted, restorable } from '../run/interruption/held.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';

/** The record of a failure that suspended a card and moved money from another one. */
function recordOf({ sandbox }: HeldTarget): string {
  const { active } = sandbox.fixtures.cards as { active: [string, string, string] };
  const sent = (number: number, name: string, card: string, body: string | null) =>
    exchange(number, {
      operation: `cards.${name}`,
      request: {
        method: 'POST',
        url: `http://target.example/cards/cards/${card}/${name}`,
        headers: { authorization: 'Bearer <REDACTED_ACCESS_TOKEN>', 'content-type': 'application/json' },
        body,
      },
    });
  const transfer = JSON.stringify({ targetCardIdentifier: active[1], amount: 1.5 });
  const exchanges = [sent(1, 'transfer', active[0], transfer), sent(2, 'suspend', active[2], null)];
  const failed = check('failed', { exchanges: ['x00001', 'x00002'], shownBy: 'x00002' });
  const record = conformance([requirement('cards.suspend.effect', [failed])]);
  return writeRecord(temporaryDirectory(), record, exchanges);
}

function startReplay({ environment }: HeldTarget, record: string, into = temporaryDirectory()) {
  const args = ['replay', record, 'cards.suspend.effect', '--elsewhere', '--report-dir', into];
  return startNode([join(ROOT, 'cli/start.js'), ...args], environment);
}

test('money goes back and a card becomes Active again at the end', async () => {
  const target = await holding(/no such address/);
  const ended = await startReplay(target, recordOf(target)).ended;
  expect(ended).toMatchObject({ code: 1, stderr: '', stdout: expect.stringMatching(/2 of 2 answers differ/) });
  expect(ended.stdout).not.toContain('cleanup');
  expect(restorable(target)).toEqual(target.before);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends it in order: 130, and nothing is left', async (signal) => {
  const target = await holding(/POST .*\/suspend$/, () => sleep(300));
  const ended = await interrupted(startReplay(target, recordOf(target)), target, signal);
  expect(ended.code, ended.stderr).toBe(130);
  expect(ended.stderr).toContain(`${signal}: finishing what is in flight and undoing changes`);
  expect(restorable(target)).toEqual(target.before);
  promise('undone', `${signal} to a replay`, { attempts: 1, held: 1 });
});

test('a killed one leaves its changes to a cleanup, also after the next one', async () => {
  const target = await holding(/POST .*\/suspend$/);
  const [record, reports] = [recordOf(target), temporaryDirectory()];
  await interrupted(startReplay(target, record, reports), target, 'SIGKILL');
  const aside = join(reports, 'unfinished-1');
  expect((await startReplay(target, record, reports).ended).stderr).toContain(`npm run cleanup -- ${aside}`);
  await expectCleanup(target, aside, 'cards.suspend', 'cards.transfer');
  promise('undone', 'SIGKILL to a replay', { attempts: 1, held: 1 });
});
