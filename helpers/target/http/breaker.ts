/** When trying on is of no use. */

/** Consecutive time-outs, with no answer between them, that end the trying of a lane. */
const CONSECUTIVE_TIMEOUTS = 5;
/** Consecutive requests without a usable answer after which a lane's requests are sent once and not retried until one is answered. */
const CONSECUTIVE_UNAVAILABLE = 40;

/** What became of a request: `unavailable` is an answer that throttles or 503, `unanswered` any failure but a time-out. */
export type Outcome = 'answered' | 'unavailable' | 'unanswered' | 'timeout';

/** Watches the outcomes on one lane (one interface of the target). */
export class Breaker {
  #timeouts = 0;
  #unavailable = 0;
  #reason: string | undefined;

  /** Why the lane is no longer tried; undefined while it is. It stays so. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Whether a request is to be sent once only, since the lane has given no usable answer for long. */
  get retriesAreFutile(): boolean {
    return this.#reason !== undefined || this.#unavailable >= CONSECUTIVE_UNAVAILABLE;
  }

  /** Call for every attempt, retries included, in the order in which they end. */
  note(outcome: Outcome): void {
    this.#unavailable = outcome === 'answered' ? 0 : this.#unavailable + 1;
    if (outcome === 'timeout') this.#timeouts++;
    else if (outcome !== 'unanswered') this.#timeouts = 0;
    if (this.#timeouts >= CONSECUTIVE_TIMEOUTS)
      this.giveUp(`${CONSECUTIVE_TIMEOUTS} consecutive requests were not answered in time`);
  }

  /** Ends the trying of the lane for the rest of the run; the first reason stays. */
  giveUp(reason: string): void {
    this.#reason ??= reason;
  }
}
