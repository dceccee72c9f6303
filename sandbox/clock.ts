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

  /** @param seconds greater than 0 @throws RangeError */
  advance(seconds: number): void {
    if (!(seconds > 0)) throw new RangeError(`the clock moves forward only, not by ${seconds} s`);
    this.#advancedMs += seconds * 1000;
  }

  reset(): void {
    this.#advancedMs = 0;
  }
}
