/** Which outcome is tried again, and after how long. */
import { retryAfterMs } from './retry-after.ts';
import { type Retry, TransportError, type TransportErrorKind } from './types.ts';
import type { SingleAnswer } from './wire.ts';

/** A 429 is retried so many times at most, and only while the waiting for it stays below two minutes. */
const THROTTLED_RETRIES = 10;
const THROTTLED_WAIT_MS = 120_000;
const DEFAULT_RETRY_AFTER_MS = 1000;
/** However long Retry-After asks. */
const LONGEST_WAIT_MS = 60_000;

/** Waits before the retries of a 503 or of an answer that never came. */
const BACK_OFF_MS = [250, 1000];

const NO_ANSWER: readonly TransportErrorKind[] = ['timeout', 'refused', 'reset', 'dns', 'proxy'];

export type Attempted = SingleAnswer | TransportError;

export function isThrottled(outcome: Attempted): boolean {
  return !(outcome instanceof TransportError) && outcome.status === 429;
}

/** 429, 503, or no answer at all. */
export function isUnavailable(outcome: Attempted): boolean {
  if (outcome instanceof TransportError) return NO_ANSWER.includes(outcome.kind);
  return outcome.status === 429 || outcome.status === 503;
}

/**
 * Milliseconds to wait before a request with this outcome is sent again; null when the outcome is final.
 * @param before the retries that the request has had
 * @param repeatable whether the request may be sent again if nobody can tell what became of it
 */
export function waitBeforeRetry(outcome: Attempted, before: Retry[], repeatable: boolean): number | null {
  if (!(outcome instanceof TransportError) && isThrottled(outcome)) return waitWhenThrottled(outcome, before);
  if (!repeatable || !isUnavailable(outcome)) return null;
  const attempt = before.filter((retry) => retry.status !== 429).length;
  const backOff = BACK_OFF_MS[attempt];
  if (backOff === undefined) return null;
  if (!(outcome instanceof TransportError)) {
    return Math.min(Math.max(retryAfterMs(outcome.headers) ?? 0, backOff), LONGEST_WAIT_MS);
  }
  // The connection may just have been too old: the next attempt goes over one of its own, so it need not wait.
  return outcome.kind === 'reset' && attempt === 0 ? 0 : backOff;
}

function waitWhenThrottled(answer: SingleAnswer, before: Retry[]): number | null {
  const throttled = before.filter((retry) => retry.status === 429);
  const waited = throttled.reduce((sum, retry) => sum + retry.waitedMs, 0);
  if (throttled.length === THROTTLED_RETRIES || waited >= THROTTLED_WAIT_MS) return null;
  return Math.min(retryAfterMs(answer.headers) ?? DEFAULT_RETRY_AFTER_MS, LONGEST_WAIT_MS);
}
