/** The history of exchanges, within bounds of memory: what monitors judge, and what was changed. */
import { type Answer, type Input, identifiersIn, succeeded } from '../answer.ts';

/** Size in bytes up to which the body of an answer is kept in any case: those of logins, orders and most refusals are smaller. */
const SMALL_BYTES = 16 * 1024;
/** Size in bytes of all larger bodies that are kept; those of answers to what must be refused have as much room again. */
const MOST_LARGE_BYTES = 16 * 1024 * 1024;
/** Size in bytes of all small bodies that are kept: many times what a run is answered. */
const MOST_SMALL_BYTES = 128 * 1024 * 1024;

/** All answers so far, in the order in which they arrived: bodies as far as there is room, and with status 0 what nothing answered. */
export class History {
  readonly answers: Answer[] = [];
  /** When a request that may change something was last on its way or answered, by `performance.now()`. */
  readonly #changedAt = new Map<string, number>();
  #largeBytes = 0;
  #smallBytes = 0;

  /** Adds an answer, without its body where there is no room for that. */
  add(answer: Answer): void {
    this.answers.push(this.#hasRoom(answer) ? answer : withoutBody(answer));
  }

  #hasRoom({ bytes: { length }, wrong }: Answer): boolean {
    if (length <= SMALL_BYTES) {
      this.#smallBytes += length;
      return this.#smallBytes <= MOST_SMALL_BYTES;
    }
    if (this.#largeBytes + length > (wrong ? 2 : 1) * MOST_LARGE_BYTES) return false;
    this.#largeBytes += length;
    return true;
  }

  /** Call when a request that may change something is sent, and when it is answered. */
  noteChange(input: Input): void {
    for (const identifier of identifiersIn(input)) this.#changedAt.set(identifier, performance.now());
  }

  /** Milliseconds since the last request that may have changed any of these things was sent or answered; infinite where there was none. */
  sinceChange(identifiers: readonly string[]): number {
    const last = identifiers.map((identifier) => this.#changedAt.get(identifier) ?? Number.NEGATIVE_INFINITY);
    return performance.now() - Math.max(...last);
  }

  /** How often an operation on this identifier was accepted: a target may refuse one more. */
  timesAccepted(operation: string, identifier: string): number {
    return this.#accepted(operation).filter(({ input }) => input.path?.identifier === identifier).length;
  }

  /** Whether an operation was accepted for any identifier. */
  wasAccepted(operation: string): boolean {
    return this.#accepted(operation).length > 0;
  }

  #accepted(operation: string): Answer[] {
    return this.answers.filter((answer) => answer.operation.id === operation && succeeded(answer));
  }
}

/** An answer whose body is not known. */
const withoutBody = (answer: Answer): Answer => ({
  ...answer,
  bytes: Buffer.alloc(0),
  json: undefined,
  leftOut: { request: false, headers: false, ...answer.leftOut, body: true },
});
