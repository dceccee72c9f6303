/**
 * The run's change history: requests sent to change the target, and which were accepted. A target may refuse one more,
 * or show the effect late.
 */
import { type Answer, type Input, memberOf } from '../answer.ts';

/** The changes of a run so far, by the identifier of the thing changed. */
export class ChangeHistory {
  /** When a request that may change something was last sent, by `performance.now()`. */
  readonly #sentAt = new Map<string, number>();
  /** How often an operation was accepted, keyed by operation and identifier. */
  readonly #accepted = new Map<string, number>();

  /** Call when a request that may change something is sent. */
  noteSent({ path, json }: Input): void {
    for (const identifier of [path?.identifier, memberOf(json, 'targetCardIdentifier')])
      if (typeof identifier === 'string') this.#sentAt.set(identifier, performance.now());
  }

  /** Call when a request that changes something was accepted. */
  noteAccepted({ operation, input }: Answer): void {
    const key = `${operation.id} ${input.path?.identifier}`;
    this.#accepted.set(key, (this.#accepted.get(key) ?? 0) + 1);
  }

  /** Milliseconds since the last request that may have changed any of these things. */
  sinceSent(identifiers: readonly string[]): number {
    const last = identifiers.map((identifier) => this.#sentAt.get(identifier) ?? Number.NEGATIVE_INFINITY);
    return performance.now() - Math.max(...last);
  }

  /** How often an operation on this identifier was accepted. */
  timesAccepted(operation: string, identifier: string): number {
    return this.#accepted.get(`${operation} ${identifier}`) ?? 0;
  }

  /** Whether an operation was accepted for any identifier. */
  wasAccepted(operation: string): boolean {
    return [...this.#accepted.keys()].some((key) => key.startsWith(`${operation} `));
  }
}
