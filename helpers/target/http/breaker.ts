/** When trying on is of no use. */

/** So many time-outs in a row, with no answer between them, end the trying of a lane. */
const TIMEOUTS_IN_A_ROW = 5;
/** After so many requests in a row without a usable answer, a lane's requests are sent once and not retried until one is answered. */
const UNAVAILABLE_IN_A_ROW = 40;

/** What became of a request: `unavailable` is an answer 429 or 503, `unanswered` any failure but a time-out. */
export type Outcome = 'answered' | 'unavailable' | 'unanswered' | 'timeout';

/** Watches the outcomes on one lane (one interface of the target). */
export class Breaker {
  #timeouts = 0;
  #unavailable = 0;

  /** True after a row of time-outs; it stays so. */
  get gaveUp(): boolean {
    return this.#timeouts >= TIMEOUTS_IN_A_ROW;
  }

  get retriesAreFutile(): boolean {
    return this.gaveUp || this.#unavailable >= UNAVAILABLE_IN_A_ROW;
  }

  note(outcome: Outcome): void {
    this.#unavailable = outcome === 'answered' ? 0 : this.#unavailable + 1;
    if (outcome === 'timeout') this.#timeouts++;
    else if (outcome !== 'unanswered' && !this.gaveUp) this.#timeouts = 0;
  }
}
