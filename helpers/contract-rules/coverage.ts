/** What was seen of a target: operations, the statuses that they answered, and the documented members of their bodies. */
import { operations } from '../../contracts/operations.ts';
import type { Conformance } from '../../contracts/record.ts';
import { type Answer, member, succeeded } from '../answer.ts';
import type { Redactor } from '../evidence/redaction/redactor.ts';
import { SeenMembers } from './members.ts';

type CardStates = NonNullable<Conformance['run']['cardStates']>;

/** Limit on states, and on transitions: a target has a dozen of each. */
const MOST_STATES = 100;

/** Counts what passes. */
export class Coverage {
  readonly #members = new SeenMembers();
  readonly #statuses = new Map<string, Record<string, number>>();
  readonly #states = new Set<string>();
  readonly #transitions = new Map<string, CardStates['transitions'][number]>();
  /** By card, the status that was read last, and the operations that were accepted since. */
  readonly #cards = new Map<string, { status: string; since: string[] }>();

  /** Counts an answer; status 0 is none. */
  note(answer: Answer): void {
    const { id } = answer.operation;
    const statuses = this.#statuses.get(id) ?? {};
    const status = answer.status === 0 ? 'no answer' : String(answer.status);
    statuses[status] = (statuses[status] ?? 0) + 1;
    this.#statuses.set(id, statuses);
    this.#members.note(answer);
    this.#noteState(answer);
  }

  #noteState(answer: Answer): void {
    const { operation, input } = answer;
    const identifier = input.path?.identifier;
    if (!operation.id.startsWith('cards.') || identifier === undefined || !succeeded(answer)) return;
    const card = this.#cards.get(identifier);
    if (operation.risk !== 'safe') card?.since.push(operation.id);
    const status = operation.id === 'cards.get' ? member(answer, 'status') : undefined;
    if (typeof status !== 'string' || this.#states.size >= MOST_STATES) return;
    this.#states.add(status);
    this.#cards.set(identifier, { status, since: [] });
    if (card === undefined || card.status === status || card.since.length !== 1) return;
    const transition = { operation: card.since[0]!, from: card.status, to: status };
    this.#transitions.set(Object.values(transition).join('\n'), transition);
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

  /** The statuses of cards that were read, and what led from one to another. */
  cardStates(): CardStates {
    return { states: [...this.#states].sort(), transitions: [...this.#transitions.values()] };
  }

  /** All of it, without secrets, for the record of a run. */
  facts(redactor: Redactor): Required<Pick<Conformance['run'], 'seen' | 'cardStates'>> {
    return { seen: this.seen(), cardStates: redactor.value(this.cardStates()) as CardStates };
  }
}
