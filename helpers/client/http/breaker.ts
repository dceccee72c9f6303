/** Decides when further attempts are futile. */
import { type Attempted, isUnavailable } from './retry.ts';
import { TransportError } from './types.ts';

/** Number of consecutive time-outs, without an answer between them, that open the circuit of a queue. */
const CONSECUTIVE_TIMEOUTS = 5;
/** Number of consecutive rounds without a usable answer after which no request is retried, until one is answered. */
const MOST_ROUNDS = 12;

/** A circuit breaker for one queue (one interface of the target). */
export class Breaker {
  #timeouts = 0;
  #rounds = 0;
  /** When the last round without a usable answer ended, by `performance.now()`. */
  #roundEndedAt = Number.NEGATIVE_INFINITY;
  /** Why the circuit is open; undefined while it is closed. Once open, it stays open. */
  reason: string | undefined;

  /** Whether retries are pointless, since the queue has had no usable answer for a long time. */
  get retriesAreFutile(): boolean {
    return this.reason !== undefined || this.#rounds >= MOST_ROUNDS;
  }

  /** Number of consecutive rounds without a usable answer: what was under way at the same moment counts once. */
  get unavailableRounds(): number {
    return this.#rounds;
  }

  /**
   * Call for every attempt, including retries, in the order in which they end.
   * @param sentAt when it was sent, by `performance.now()`
   */
  note(outcome: Attempted, sentAt: number): void {
    this.#noteRound(outcome, sentAt);
    const isUnanswered = isUnavailable(outcome) && outcome instanceof TransportError;
    if (!isUnanswered) this.#timeouts = 0;
    else if (outcome.kind === 'timeout') this.#timeouts++;
    if (this.#timeouts >= CONSECUTIVE_TIMEOUTS)
      this.open(`${CONSECUTIVE_TIMEOUTS} consecutive requests were not answered in time`);
  }

  #noteRound(outcome: Attempted, sentAt: number): void {
    if (!isUnavailable(outcome)) this.#rounds = 0;
    else if (sentAt >= this.#roundEndedAt) {
      this.#rounds++;
      this.#roundEndedAt = performance.now();
    }
  }

  /** Opens the circuit for the rest of the run; the first reason wins. */
  open(reason: string): void {
    this.reason ??= reason;
  }
}
