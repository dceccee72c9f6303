/** Detects operations that a target does not seem to implement, or answers with conflicts only. */
import type { Answer } from '../answer.ts';

/** An operation that answered with this status only. */
export interface AbsentOperation {
  operation: string;
  status: number;
}

/** Statuses of a server that does not know an address, or has nothing behind it. */
const NOT_THERE = [404, 501];

/** Number of exchanges kept for an operation that answers everything with 409. */
const MOST_CONFLICTS = 25;

/**
 * Tracks whether operations exist. One that answers 404 or 501 to every request with good credentials, including a
 * valid request, counts as not implemented. Unauthorised requests are ignored: a guard in front of a missing operation
 * may answer them.
 */
export class Presence {
  readonly #seen = new Map<string, { status: number; valid: boolean }>();
  /** Valid readings that were answered with 409, by operation; empty for one that was once answered otherwise. */
  readonly #conflicts = new Map<string, string[]>();

  /** Call with every answer. */
  note({
    operation: { id, method },
    status,
    intent,
    exchange,
  }: Pick<Answer, 'operation' | 'status' | 'intent' | 'exchange'>): void {
    if (intent === 'unauthorised') return;
    if (intent === 'valid' && method === 'GET') this.#noteConflict(id, status === 409, exchange);
    const before = this.#seen.get(id);
    const isThere = !NOT_THERE.includes(status) || (before !== undefined && before.status !== status);
    this.#seen.set(id, {
      status: isThere ? 0 : status,
      valid: intent === 'valid' || (before?.valid ?? false),
    });
  }

  #noteConflict(id: string, isConflict: boolean, exchange: string): void {
    const before = this.#conflicts.get(id);
    if (!isConflict) this.#conflicts.set(id, []);
    else if (before === undefined) this.#conflicts.set(id, [exchange]);
    else if (before.length > 0 && before.length < MOST_CONFLICTS) before.push(exchange);
  }

  /** Exchanges of valid requests for an operation that only reads and answers all of these with 409; empty otherwise. */
  conflicts(operation: string): readonly string[] {
    return this.#conflicts.get(operation) ?? [];
  }

  /** Operations that were sent a valid request and never answered with another status. */
  absent(): AbsentOperation[] {
    return [...this.#seen]
      .filter(([, { status, valid }]) => valid && status !== 0)
      .map(([operation, { status }]) => ({ operation, status }));
  }
}
