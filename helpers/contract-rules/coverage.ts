/** What was seen of a target: operations, the statuses that they answered, and the documented members of their bodies. */
import { operation, operations } from '../../contracts/operations.ts';
import type { Conformance } from '../../contracts/record.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { type Answer, member, succeeded } from '../answer.ts';
import { documentedParts, documentedPaths, outlineOf } from './outline.ts';

type CardStates = NonNullable<Conformance['run']['cardStates']>;

/** Limit on states, and on transitions: a target has a dozen of each. */
const MOST_STATES = 100;

export class Coverage {
  /** By operation, the paths of documented members that bodies of success carried. */
  readonly #members = new Map<string, Set<string>>();
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
    this.#noteMembers(answer);
    this.#noteState(answer);
  }

  #noteMembers(answer: Answer): void {
    const { id, success } = answer.operation;
    if (!succeeded(answer) || !answer.json?.ok || typeof success?.body !== 'object') return;
    const seen = this.#members.get(id) ?? new Set();
    this.#members.set(id, seen);
    for (const { path } of documentedParts(outlineOf(success.body), answer.json.plain)) seen.add(path);
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

  has(id: string): boolean {
    return this.#statuses.has(id);
  }

  /** Paths of documented members that no success body carried: their shape was never judged (reading 5). */
  membersNeverSeen(id: string): string[] {
    const body = operation(id).success?.body;
    const seen = this.#members.get(id);
    return typeof body === 'object' ? documentedPaths(outlineOf(body)).filter((path) => !seen?.has(path)) : [];
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
