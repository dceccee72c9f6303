/** Decides which outcomes lead to a retry, and after what delay. */
import { isThrottling } from '../../answer.ts';
import type { Patience } from '../../call.ts';
import { type Retry, type SendOptions, TransportError, type TransportErrorKind } from './types.ts';
import type { SingleAnswer } from './wire.ts';

/** Limits on retries of a throttled request: their number, and the total wait in milliseconds. */
const THROTTLED_RETRIES = 10;
const THROTTLED_WAIT_MS = 120_000;
const DEFAULT_RETRY_AFTER_MS = 1000;
/** Longest Retry-After worth waiting for, in milliseconds. */
export const LONGEST_WAIT_MS = 60_000;

/** Delays before the retries of a 503 or an unanswered request, in milliseconds. */
const BACK_OFF_MS = [250, 1000];

/** Number of consecutive rounds without a usable answer after which a queue pauses: one alone may be of the operation. */
const ROUNDS_BEFORE_PAUSE = 2;

const NO_ANSWER: readonly TransportErrorKind[] = ['timeout', 'refused', 'reset', 'dns', 'proxy', 'local'];

/** The outcome of one attempt: an answer of any status, or why none arrived. */
export type Attempted = SingleAnswer | TransportError;

/** Like {@link isThrottling}, for an attempt that may have no answer. */
export function isThrottled(outcome: Attempted): outcome is SingleAnswer {
  return !(outcome instanceof TransportError) && isThrottling(outcome);
}

/** Statuses of a gateway whose target is not there. */
const NOT_THERE = [502, 503, 504];
/** Pause between attempts of a request that waits for its target, in milliseconds. */
export const PATIENT_PAUSE_MS = 1000;

/** Whether the attempt may be repeated until the target is there. @param sinceMs milliseconds since the first attempt */
export function mayWait(outcome: Attempted, patience: Patience | undefined, sinceMs: number): boolean {
  if (patience === undefined || sinceMs >= patience.ms) return false;
  if (outcome instanceof TransportError) return patience.unanswered === true && NO_ANSWER.includes(outcome.kind);
  return NOT_THERE.includes(outcome.status) && !isThrottling(outcome);
}

export function isUnavailable(outcome: Attempted): boolean {
  if (outcome instanceof TransportError) return NO_ANSWER.includes(outcome.kind);
  return isThrottling(outcome) || outcome.status === 503;
}

export function pauseAskedFor(answer: SingleAnswer): number {
  return retryAfterMs(answer.headers) ?? DEFAULT_RETRY_AFTER_MS;
}

/** Milliseconds to wait before a retry; null if the outcome is final. @param before earlier retries of the request */
export function waitBeforeRetry(
  outcome: Attempted,
  before: Retry[],
  { retryUnanswered, retryThrottled503 = false }: Pick<SendOptions, 'retryUnanswered' | 'retryThrottled503'>,
): number | null {
  if (isThrottled(outcome) && (outcome.status !== 503 || retryThrottled503 || retryUnanswered))
    return waitWhenThrottled(outcome, before);
  if (!retryUnanswered || !isUnavailable(outcome)) return null;
  const attempt = before.filter(({ status }) => status === null || status === 503).length;
  const backOff = BACK_OFF_MS[attempt];
  if (backOff === undefined) return null;
  // The connection may just have been too old. The next attempt uses a new one, so it need not wait.
  return outcome instanceof TransportError && outcome.kind === 'reset' && attempt === 0 ? 0 : backOff;
}

/**
 * How long all requests of a queue wait after an outcome, in milliseconds: what may not be sent twice must not go out to a target that is
 * restarting. One that throttles asks for its own pause, and after a time-out there was one already.
 * @param rounds number of consecutive rounds of the queue without a usable answer
 */
export function pauseAfter(outcome: Attempted, rounds: number): number {
  const hasPaused = outcome instanceof TransportError ? outcome.kind === 'timeout' : isThrottling(outcome);
  if (hasPaused || rounds < ROUNDS_BEFORE_PAUSE) return 0;
  return BACK_OFF_MS[Math.min(rounds - ROUNDS_BEFORE_PAUSE, BACK_OFF_MS.length - 1)]!;
}

function waitWhenThrottled(answer: SingleAnswer, before: Retry[]): number | null {
  const throttled = before.filter(({ status }) => status !== null);
  const waited = throttled.reduce((sum, retry) => sum + retry.waitedMs, 0);
  if (throttled.length === THROTTLED_RETRIES || waited >= THROTTLED_WAIT_MS) return null;
  const pause = pauseAskedFor(answer);
  return pause > LONGEST_WAIT_MS ? null : pause;
}

/**
 * Milliseconds that a Retry-After header (RFC 9110 section 10.2.3) asks to wait: seconds or an HTTP date. A date is
 * compared with the answer's own Date, so that differing clocks do not matter. Null if the header is absent or
 * unreadable.
 */
export function retryAfterMs(headers: Record<string, string | string[]>): number | null {
  const value = first(headers['retry-after'])?.trim();
  if (value === undefined) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  if (!value.endsWith('GMT') || Number.isNaN(until)) return null;
  const date = Date.parse(first(headers.date) ?? '');
  return Math.max(0, until - (Number.isNaN(date) ? Date.now() : date));
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
