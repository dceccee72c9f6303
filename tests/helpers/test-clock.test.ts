import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Configuration } from '../../helpers/configuration/types.ts';
import { letPass } from '../../helpers/runner/target-clock.ts';
import { Blocked, Skipped } from '../../helpers/verdict.ts';
import { serve } from '../tools/servers.ts';
import { transport } from './client/transport.ts';

/** What of a run lets time pass. */
function timed(testClockUrl: string | undefined, waitForExpiry = false) {
  const waits: string[] = [];
  const timeMayPass = Promise.withResolvers<void>();
  timeMayPass.resolve();
  return {
    configuration: { target: { testClockUrl, headers: {} }, run: { waitForExpiry } } as unknown as Configuration,
    transport: transport(),
    clockAdvanced: 0,
    clockMovedAt: 0,
    clockAhead: 0,
    timeMayPass,
    ended: undefined as string | undefined,
    waitingFor: (waiting: string) => void waits.push(waiting),
    waits,
  };
}

/** A clock that answers with these statuses one after the other, and the requests to it. */
async function serveClock(...statuses: number[]) {
  const asked: string[] = [];
  const url = await serve(async (request, response) => {
    asked.push(`${request.method} ${await text(request)}`);
    response.writeHead(statuses[asked.length - 1]!).end();
  });
  return { url, asked };
}

test('is skipped without a clock and without waiting, and names both variables', async () => {
  const passing = letPass(timed(undefined), 60, 'nothing');
  await expect(passing).rejects.toThrow(Skipped);
  await expect(passing).rejects.toThrow(/TARGET_TEST_CLOCK_URL.*RUN_WAIT_FOR_EXPIRY/);
});

test.each<[string, statuses: number[], ahead: number, seconds: number, advanced: number]>([
  ['by whole seconds', [204], 0, 3539.2, 3540],
  ['never back', [], 0, -5, 0],
  ['once it no longer answers 503', [503, 204], 0, 60, 60],
  ['not by what looks like another time zone', [204], 0, 3600, 3610],
  ['not to what looks like one after earlier moves', [204], 60, 3540, 3550],
  ['neither by nor to such a time', [204], 885, 3600, 3625],
])('moves the clock %s', async (_, statuses, clockAhead, seconds, advanced) => {
  const { url, asked } = await serveClock(...statuses);
  const run = { ...timed(url), clockAhead };
  await letPass(run, seconds, 'a token gets old');
  expect(asked).toEqual(statuses.map(() => `POST {"advanceSeconds":${advanced}}`));
  expect(run.clockAdvanced).toBe(advanced);
});

test('waits until nobody uses what it may end', async () => {
  const free = Promise.withResolvers<void>();
  const run = { ...timed((await serveClock(204)).url), timeMayPass: free };
  const passing = letPass(run, 60, 'a token gets old');
  await turn();
  expect(run.transport.stats().requests).toBe(0);
  free.resolve();
  await passing;
});

test('a clock that refuses or is not there blocks, and time is not taken to have passed', async () => {
  for (const address of [(await serveClock(500)).url, 'http://127.0.0.1:9/clock']) {
    const run = timed(address);
    const passing = letPass(run, 60, 'a token gets old');
    await expect(passing).rejects.toThrow(Blocked);
    await expect(passing).rejects.toThrow(/TARGET_TEST_CLOCK_URL/);
    expect(run.clockAdvanced).toBe(0);
  }
});

test('waits where there is no clock, says for what, and stops waiting when the run ends', async () => {
  const run = timed(undefined, true);
  await letPass(run, 0.1, 'a token gets old');
  expect(run.waits).toEqual(['a token gets old: 1 min', '']);
  const passing = letPass(run, 3600, 'a token gets old');
  run.ended = 'interrupted';
  await expect(passing).rejects.toThrow('interrupted');
});
