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
  const run = {
    configuration: { target: { testClockUrl, headers: {} }, run: { waitForExpiry } } as unknown as Configuration,
    transport: transport(),
    clockAdvanced: 0,
    clockMovedAt: 0,
    clockAhead: 0,
    timeMayPass,
    ended: undefined as string | undefined,
    waitingFor: (waiting: string) => void waits.push(waiting),
  };
  return { run, waits };
}

test('is skipped without a clock and without waiting, and names both variables', async () => {
  const passing = letPass(timed(undefined).run, 60, 'nothing');
  await expect(passing).rejects.toThrow(Skipped);
  await expect(passing).rejects.toThrow(/TARGET_TEST_CLOCK_URL.*RUN_WAIT_FOR_EXPIRY/);
});

test('moves the clock by whole seconds, and remembers by how many', async () => {
  const asked: { method: string | undefined; body: string }[] = [];
  const url = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push({ method: request.method, body: Buffer.concat(chunks).toString() });
    response.writeHead(204).end();
  });
  const { run } = timed(url);
  await letPass(run, 3539.2, 'a token gets old');
  await letPass(run, -5, 'nothing');
  expect(asked).toEqual([{ method: 'POST', body: '{"advanceSeconds":3540}' }]);
  expect(run.clockAdvanced).toBe(3540);
});

test('waits until nobody uses what it may end', async () => {
  let isFree = false;
  const url = await serve((_, response) => response.writeHead(isFree ? 204 : 500).end());
  const { run } = timed(url);
  const free = Promise.withResolvers<void>();
  const passing = letPass({ ...run, timeMayPass: free }, 60, 'a token gets old');
  await new Promise(setImmediate);
  isFree = true;
  free.resolve();
  await passing;
});

test('a clock that refuses or is not there blocks, and time is not taken to have passed', async () => {
  const url = await serve((_, response) => response.writeHead(500).end());
  for (const address of [url, 'http://127.0.0.1:9/clock']) {
    const { run } = timed(address);
    const passing = letPass(run, 60, 'a token gets old');
    await expect(passing).rejects.toThrow(Blocked);
    await expect(passing).rejects.toThrow(/TARGET_TEST_CLOCK_URL/);
    expect(run.clockAdvanced).toBe(0);
  }
});

test('waits where there is no clock, says for what, and stops waiting when the run ends', async () => {
  const { run, waits } = timed(undefined, true);
  await letPass(run, 0.1, 'a token gets old');
  expect(waits).toEqual(['a token gets old: 1 min', '']);
  const passing = letPass(run, 3600, 'a token gets old');
  run.ended = 'interrupted';
  await expect(passing).rejects.toThrow('interrupted');
});

test('a clock that answers 503 at first is asked again', async () => {
  let asked = 0;
  const { run } = timed(await serve((_, response) => response.writeHead(++asked < 2 ? 503 : 204).end()));
  await letPass(run, 60, 'a token gets old');
  expect({ asked, advanced: run.clockAdvanced }).toEqual({ asked: 2, advanced: 60 });
});

test('no move, and no move on top of earlier ones, looks like another time zone', async () => {
  const url = await serve((_, response) => response.writeHead(204).end());
  const advancedFrom = async (clockAhead: number, seconds: number) => {
    const { run } = timed(url);
    run.clockAhead = clockAhead;
    await letPass(run, seconds, 'a token gets old');
    return run.clockAdvanced;
  };
  expect(await advancedFrom(0, 3600)).toBe(3610);
  expect(await advancedFrom(60, 3540)).toBe(3550);
  expect(await advancedFrom(885, 3600)).toBe(3625);
  expect(await advancedFrom(0, 3540)).toBe(3540);
});
