/** The sandbox's own clock: that of the machine or of a test, moved forward by what was asked for. It never moves back, save by reset. */
export class Clock {
  readonly #skewMs: number;
  readonly #now: () => number;
  #advancedMs = 0;

  /**
   * @param skewSeconds how far this clock is off from the start, in seconds
   * @param now gives epoch milliseconds
   */
  constructor(skewSeconds: number, now: () => number) {
    this.#skewMs = skewSeconds * 1000;
    this.#now = now;
  }

  /** Epoch milliseconds. */
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
