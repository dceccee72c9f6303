/** Which outcome is tried again, and after how long. */
import { retryAfterMs } from './retry-after.ts';
import { type Retry, type SendOptions, TransportError, type TransportErrorKind } from './types.ts';
import type { SingleAnswer } from './wire.ts';

/** A throttled request is retried this often at most, and only while the waiting for it stays below two minutes. */
const THROTTLED_RETRIES = 10;
const THROTTLED_WAIT_MS = 120_000;
const DEFAULT_RETRY_AFTER_MS = 1000;
/** A longer Retry-After is not worth waiting for. */
export const LONGEST_WAIT_MS = 60_000;

/** Waits before the retries of a 503 or of an answer that never came. */
const BACK_OFF_MS = [250, 1000];

const NO_ANSWER: readonly TransportErrorKind[] = ['timeout', 'refused', 'reset', 'dns', 'proxy', 'local'];

/** What came of one attempt: an answer of any status, or the reason why none came. */
export type Attempted = SingleAnswer | TransportError;

/** Whether an answer says to come again later (reading 51): 429, or 403 or 503 with Retry-After. */
export function isThrottling({ status, headers }: Pick<SingleAnswer, 'status' | 'headers'>): boolean {
  return status === 429 || ((status === 403 || status === 503) && headers['retry-after'] !== undefined);
}

/** As {@link isThrottling}, of an attempt that may have got no answer. */
export function isThrottled(outcome: Attempted): outcome is SingleAnswer {
  return !(outcome instanceof TransportError) && isThrottling(outcome);
}

/** Throttled, 503, or no answer at all. */
export function isUnavailable(outcome: Attempted): boolean {
  if (outcome instanceof TransportError) return NO_ANSWER.includes(outcome.kind);
  return isThrottling(outcome) || outcome.status === 503;
}

/** Milliseconds for which a throttling answer asks not to be asked again. */
export function pauseAskedFor(answer: SingleAnswer): number {
  return retryAfterMs(answer.headers) ?? DEFAULT_RETRY_AFTER_MS;
}

/**
 * Milliseconds to wait before a request with this outcome is sent again; null when the outcome is final.
 * @param before the retries that the request has had
 */
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
  // The connection may just have been too old: the next attempt goes over one of its own, so it need not wait.
  return outcome instanceof TransportError && outcome.kind === 'reset' && attempt === 0 ? 0 : backOff;
}

function waitWhenThrottled(answer: SingleAnswer, before: Retry[]): number | null {
  const throttled = before.filter(({ status }) => status !== null);
  const waited = throttled.reduce((sum, retry) => sum + retry.waitedMs, 0);
  if (throttled.length === THROTTLED_RETRIES || waited >= THROTTLED_WAIT_MS) return null;
  const pause = pauseAskedFor(answer);
  return pause > LONGEST_WAIT_MS ? null : pause;
}
