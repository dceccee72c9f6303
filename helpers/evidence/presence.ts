/** Detects operations that a target does not seem to implement. */
import type { Answer } from '../answer.ts';

/** An operation that answered with this status only. */
export interface AbsentOperation {
  operation: string;
  status: number;
}

/** Statuses of a server that does not know an address, or has nothing behind it. */
const NOT_THERE = [404, 501];

/**
 * Tracks whether operations exist. One that answers 404 or 501 to every request with good credentials, including a
 * valid request, counts as not implemented. Unauthorised requests are ignored: a guard in front of a missing operation
 * may answer them.
 */
export class Presence {
  readonly #seen = new Map<string, { status: number; valid: boolean }>();

  /** Call with every answer. */
  note({ operation: { id }, status, intent }: Pick<Answer, 'operation' | 'status' | 'intent'>): void {
    if (intent === 'unauthorised') return;
    const before = this.#seen.get(id);
    const isThere = !NOT_THERE.includes(status) || (before !== undefined && before.status !== status);
    this.#seen.set(id, {
      status: isThere ? 0 : status,
      valid: intent === 'valid' || (before?.valid ?? false),
    });
  }

  /** Operations that were sent a valid request and never answered with another status. */
  absent(): AbsentOperation[] {
    return [...this.#seen]
      .filter(([, { status, valid }]) => valid && status !== 0)
      .map(([operation, { status }]) => ({ operation, status }));
  }
}
