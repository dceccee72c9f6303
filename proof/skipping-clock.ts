/** A clock by which long silences pass at once, for runs and for the locks of targets in this process. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../helpers/quiet.ts';

/** What is waited for in any case, in milliseconds: other things of a target go by the machine's clock. */
const WAITED_MS = 250;

let skippedMs = 0;

/** Milliseconds by this clock. */
export const nowMs = (): number => performance.now() + skippedMs;

export const SKIPPING: Clock = {
  now: nowMs,
  async sleep(milliseconds, signal) {
    const end = nowMs() + milliseconds;
    await sleep(Math.min(milliseconds, WAITED_MS), undefined, { signal });
    skippedMs = Math.max(skippedMs, end - performance.now());
  },
};
