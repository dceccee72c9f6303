/** Detects operations that a target does not seem to implement, or answers with conflicts only. */
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../answer.ts';

type Noted = Pick<Answer, 'operation' | 'status' | 'intent' | 'exchange'>;

/** Statuses of a server that does not know an address, or has nothing behind it. */
const NOT_THERE = [404, 501];

/** Number of exchanges kept for an operation that answers everything with 409. */
const MOST_CONFLICTS = 25;

/** Operations that answer 404 or 501 to everything but bad credentials, for which a guard in front may answer. */
export class Presence {
  readonly #seen = new Map<string, { statuses: Set<number>; ofValid: Set<number>; valid: string[] }>();

  /** Call with every answer. */
  note({ operation: { id }, status, intent, exchange }: Noted): void {
    if (intent === 'unauthorised') return;
    const seen = this.#seen.get(id) ?? { statuses: new Set(), ofValid: new Set(), valid: [] };
    this.#seen.set(id, seen);
    seen.statuses.add(status);
    if (intent !== 'valid') return;
    seen.ofValid.add(status);
    if (seen.valid.length < MOST_CONFLICTS) seen.valid.push(exchange);
  }

  /** Exchanges of valid requests for an operation that only reads and answers all of these with 409; empty otherwise. */
  conflicts(id: string): readonly string[] {
    const { ofValid, valid } = this.#seen.get(id) ?? { valid: [] };
    return operation(id).method === 'GET' && ofValid?.size === 1 && ofValid.has(409) ? valid : [];
  }

  /** Operations that were sent a valid request and never answered with another status. */
  absent(): { operation: string; status: number }[] {
    return [...this.#seen]
      .filter(([, { statuses, valid }]) => valid.length > 0 && statuses.size === 1)
      .map(([operation, { statuses }]) => ({ operation, status: [...statuses][0]! }))
      .filter(({ status }) => NOT_THERE.includes(status));
  }
}
