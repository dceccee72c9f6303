/** Decides when further attempts are futile. */

/** Number of consecutive time-outs, without an answer between them, that open the circuit of a queue. */
const CONSECUTIVE_TIMEOUTS = 5;
/** Number of consecutive requests without a usable answer after which none is retried, until one is answered. */
const CONSECUTIVE_UNAVAILABLE = 40;

/** The outcome of a request: `unavailable` is throttling or a 503, `unanswered` any failure except a time-out. */
export type Outcome = 'answered' | 'unavailable' | 'unanswered' | 'timeout';

/** A circuit breaker for one queue (one interface of the target). */
export class Breaker {
  #timeouts = 0;
  #unavailable = 0;
  #reason: string | undefined;

  /** Why the circuit is open; undefined while it is closed. Once open, it stays open. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Whether retries are pointless, since the queue has had no usable answer for a long time. */
  get retriesAreFutile(): boolean {
    return this.#reason !== undefined || this.#unavailable >= CONSECUTIVE_UNAVAILABLE;
  }

  /** Call for every attempt, including retries, in the order in which they end. */
  note(outcome: Outcome): void {
    this.#unavailable = outcome === 'answered' ? 0 : this.#unavailable + 1;
    if (outcome === 'timeout') this.#timeouts++;
    else if (outcome !== 'unanswered') this.#timeouts = 0;
    if (this.#timeouts >= CONSECUTIVE_TIMEOUTS)
      this.open(`${CONSECUTIVE_TIMEOUTS} consecutive requests were not answered in time`);
  }

  /** Opens the circuit for the rest of the run; the first reason wins. */
  open(reason: string): void {
    this.#reason ??= reason;
  }
}
