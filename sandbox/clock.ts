/** The last time with a year of four digits, in epoch milliseconds (RFC 3339). */
const LAST_MS = Date.UTC(10_000, 0) - 1;

/** The sandbox's own clock: the machine's or a test's, plus the requested advance. Only a reset moves it back. */
export class Clock {
  readonly #skewMs: number;
  readonly #now: () => number;
  #advancedMs = 0;

  /**
   * @param skewSeconds initial offset of this clock, in seconds
   * @param now returns epoch milliseconds
   */
  constructor(skewSeconds: number, now: () => number) {
    this.#skewMs = skewSeconds * 1000;
    this.#now = now;
  }

  /** The current time in epoch milliseconds. */
  nowMs(): number {
    return this.#now() + this.#skewMs + this.#advancedMs;
  }

  /** @param seconds greater than 0 @throws RangeError also when the clock would pass the year 9999 */
  advance(seconds: number): void {
    if (!(seconds > 0)) throw new RangeError(`the clock moves forward only, not by ${seconds} s`);
    if (this.nowMs() + seconds * 1000 > LAST_MS) throw new RangeError('the clock does not move beyond the year 9999');
    this.#advancedMs += seconds * 1000;
  }

  reset(): void {
    this.#advancedMs = 0;
  }
}
