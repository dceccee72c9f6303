/** Lets the target's time pass, by its test clock or by waiting. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TransportError } from '../client/http/types.ts';
import { ownHeaders } from '../client/wire-request.ts';
import type { Configuration } from '../configuration/types.ts';
import type { Run } from '../run.ts';
import { Blocked, skip } from '../verdict.ts';

const SLICE_MS = 1000;
/** A clock that answers 503 has not been moved. */
const CLOCK_PATIENCE = { ms: 10_000 };

/** A quarter of an hour, in seconds: time zones are multiples of it apart. */
const QUARTER_SECONDS = 900;
/** How far from such a multiple each move of a clock stays, in seconds, and all moves together. */
const LEAST_APART_SECONDS = 10;

/** How far a time is from a multiple of a quarter of an hour, in seconds. */
export const offQuarter = (seconds: number): number =>
  Math.abs(seconds - QUARTER_SECONDS * Math.round(seconds / QUARTER_SECONDS));

const isNearQuarter = (seconds: number): boolean => offQuarter(seconds) < LEAST_APART_SECONDS;

/** Whether the target's clock can be moved. */
export const hasClock = ({ target }: Configuration): boolean => target.testClockUrl !== undefined;

/** The parts of a run needed to let time pass. */
type Timed = Pick<
  Run,
  | 'configuration'
  | 'transport'
  | 'clockAhead'
  | 'clockAdvanced'
  | 'clockMovedAt'
  | 'ended'
  | 'waitingFor'
  | 'timeMayPass'
>;

/**
 * Lets N seconds pass at the target: moves its test clock once nobody uses what that may end, or waits if
 * RUN_WAIT_FOR_EXPIRY is set. A clock is moved by up to 40 seconds more, so that it is never off by what looks like
 * another time zone (reading 14).
 * @param seconds ignored unless above 0
 * @param reason shown to whoever waits
 * @throws Skipped when neither is configured
 * @throws Blocked when the clock fails or the run ends meanwhile
 */
export async function letPass(run: Timed, seconds: number, reason: string): Promise<void> {
  const { target, run: settings } = run.configuration;
  if (target.testClockUrl === undefined && !settings.waitForExpiry)
    skip('needs TARGET_TEST_CLOCK_URL, or RUN_WAIT_FOR_EXPIRY=true to wait 61 minutes');
  const whole = Math.ceil(seconds);
  if (whole <= 0) return;
  if (target.testClockUrl === undefined) await wait(run, whole, reason);
  else await advance(run, target.testClockUrl, whole);
}

async function advance(run: Timed, url: string, seconds: number): Promise<void> {
  await run.timeMayPass.promise;
  let advanceSeconds = seconds;
  while (isNearQuarter(advanceSeconds) || isNearQuarter(run.clockAhead + advanceSeconds)) advanceSeconds++;
  const request = {
    method: 'POST',
    url,
    headers: {
      accept: 'application/json',
      ...ownHeaders(run.configuration.target),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ advanceSeconds }),
  };
  run.clockMovedAt = Number.POSITIVE_INFINITY;
  try {
    const { status } = await run.transport.send(request, {
      retryUnanswered: false,
      patience: CLOCK_PATIENCE,
      queue: 'test clock',
    });
    if (status < 200 || status >= 300) throw new Blocked(`the test clock answers ${status} (TARGET_TEST_CLOCK_URL)`);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new Blocked(`the test clock cannot be moved (TARGET_TEST_CLOCK_URL): ${error.message}`);
  } finally {
    run.clockMovedAt = Date.now();
  }
  run.clockAdvanced += advanceSeconds;
}

/** Waits in slices, so that it stops when the run ends. */
async function wait(run: Timed, seconds: number, reason: string): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (let left = seconds * 1000; left >= 1; left = end - performance.now()) {
    if (run.ended) throw new Blocked(run.ended);
    run.waitingFor(`${reason}: ${Math.ceil(left / 60_000)} min`);
    await sleep(Math.min(left, SLICE_MS));
  }
  run.waitingFor('');
}
