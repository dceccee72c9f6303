/** Which operations a target does not seem to have. */
import type { Answer } from '../answer.ts';

/** An operation that answered nothing but this status. */
export interface AbsentOperation {
  operation: string;
  status: number;
}

/** Answers of a server that does not know an address, or has nothing behind it. */
const NOT_THERE = [404, 501];

/**
 * Notes whether operations are there. One that answers 404 or 501 to every request with good credentials, valid ones among
 * them, is taken for not implemented; a guard in front of it may well answer bad credentials otherwise.
 */
export class Presence {
  readonly #seen = new Map<string, { status: number; valid: boolean }>();

  /** Call for every answer. */
  note({ operation: { id }, status, intent }: Pick<Answer, 'operation' | 'status' | 'intent'>): void {
    if (intent === 'unauthorised') return;
    const before = this.#seen.get(id);
    const isThere = !NOT_THERE.includes(status) || (before !== undefined && before.status !== status);
    this.#seen.set(id, {
      status: isThere ? 0 : status,
      valid: intent === 'valid' || (before?.valid ?? false),
    });
  }

  /** Operations that were asked for with a valid request and never answered anything else. */
  absent(): AbsentOperation[] {
    return [...this.#seen]
      .filter(([, { status, valid }]) => valid && status !== 0)
      .map(([operation, { status }]) => ({ operation, status }));
  }
}
