/** Effects take a while to show. */
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;

/**
 * Reads until the value is as it is to be, or `milliseconds` are over.
 * @returns the last value, accepted or not
 */
export async function eventually<T>(
  read: () => Promise<T>,
  isShown: (value: T) => boolean,
  milliseconds: number,
): Promise<T> {
  const end = performance.now() + milliseconds;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const value = await read();
    const left = end - performance.now();
    if (isShown(value) || left <= 0) return value;
    await sleep(Math.min(pause, left));
  }
}
