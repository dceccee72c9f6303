/** Waits for effects, which take a while to show. */
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;

/** Reads until an effect shows, the last time when `milliseconds` are over. @returns the last value */
export async function eventually<T>(
  read: () => Promise<T>,
  isShown: (value: T) => boolean,
  milliseconds: number,
): Promise<T> {
  const end = performance.now() + milliseconds;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const isLast = performance.now() >= end;
    const value = await read();
    if (isShown(value) || isLast) return value;
    await sleep(Math.min(pause, Math.max(0, end - performance.now())));
  }
}
