/** What was seen of a target: operations, the statuses that they answered, and the documented members of their bodies. */
import { operations } from '../../contracts/operations.ts';
import type { Conformance } from '../../contracts/record.ts';
import type { Answer } from '../answer.ts';
import { SeenMembers } from './members.ts';

/** Counts what passes. */
export class Coverage {
  readonly #members = new SeenMembers();
  readonly #statuses = new Map<string, Record<string, number>>();

  /** Counts an answer; status 0 is none. */
  note(answer: Answer): void {
    const { id } = answer.operation;
    const statuses = this.#statuses.get(id) ?? {};
    const status = answer.status === 0 ? 'no answer' : String(answer.status);
    statuses[status] = (statuses[status] ?? 0) + 1;
    this.#statuses.set(id, statuses);
    this.#members.note(answer);
  }

  /** Whether an operation was called. */
  has(operation: string): boolean {
    return this.#statuses.has(operation);
  }

  /** Documented members that no success body of the operation carried. */
  membersNeverSeen(operation: string): string[] {
    return this.#members.neverSeen(operation);
  }

  /** The operations that were called, in the order of the documents. */
  seen(): NonNullable<Conformance['run']['seen']> {
    return operations
      .filter(({ id }) => this.has(id))
      .map(({ id }) => ({
        operation: id,
        statuses: this.#statuses.get(id)!,
        membersNeverSeen: this.membersNeverSeen(id),
      }));
  }
}
