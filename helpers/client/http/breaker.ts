/** Decides when further attempts are futile. */
import { type Attempted, isUnavailable } from './retry.ts';
import { TransportError } from './types.ts';

/** Number of consecutive time-outs, without an answer between them, that open the circuit of a queue. */
const CONSECUTIVE_TIMEOUTS = 5;
/** Number of consecutive requests without a usable answer after which none is retried, until one is answered. */
const CONSECUTIVE_UNAVAILABLE = 40;

/** A circuit breaker for one queue (one interface of the target). */
export class Breaker {
  #timeouts = 0;
  #unavailable = 0;
  /** Why the circuit is open; undefined while it is closed. Once open, it stays open. */
  reason: string | undefined;

  /** Whether retries are pointless, since the queue has had no usable answer for a long time. */
  get retriesAreFutile(): boolean {
    return this.reason !== undefined || this.#unavailable >= CONSECUTIVE_UNAVAILABLE;
  }

  /** Call for every attempt, including retries, in the order in which they end. */
  note(outcome: Attempted): void {
    this.#unavailable = isUnavailable(outcome) ? this.#unavailable + 1 : 0;
    const isUnanswered = isUnavailable(outcome) && outcome instanceof TransportError;
    if (!isUnanswered) this.#timeouts = 0;
    else if (outcome.kind === 'timeout') this.#timeouts++;
    if (this.#timeouts >= CONSECUTIVE_TIMEOUTS)
      this.open(`${CONSECUTIVE_TIMEOUTS} consecutive requests were not answered in time`);
  }

  /** Opens the circuit for the rest of the run; the first reason wins. */
  open(reason: string): void {
    this.reason ??= reason;
  }
}
