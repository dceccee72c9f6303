/** The sandbox's own clock: the machine's, moved forward by what a test asked for. It never moves back, save by reset. */
export class Clock {
  readonly #skewMs: number;
  #advancedMs = 0;

  /** @param skewSeconds how far this clock is off the machine's from the start, in seconds */
  constructor(skewSeconds = 0) {
    this.#skewMs = skewSeconds * 1000;
  }

  /** Epoch milliseconds. */
  nowMs(): number {
    return Date.now() + this.#skewMs + this.#advancedMs;
  }

  /** @param seconds greater than 0 */
  advance(seconds: number): void {
    if (!(seconds > 0)) throw new RangeError(`the clock moves forward only, not by ${seconds} s`);
    this.#advancedMs += seconds * 1000;
  }

  reset(): void {
    this.#advancedMs = 0;
  }
}
