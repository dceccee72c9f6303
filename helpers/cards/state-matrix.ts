/** Collects, from all exchanges of the run, what each card operation did to a card in each status. */
import type { Operation } from '../../contracts/operation.ts';
import { type Answer, member, succeeded } from '../answer.ts';

/** Limits on the statuses that are kept, in number and in characters; no documented set would exceed them. */
const MOST_STATUSES = 24;
const LONGEST_STATUS = 60;

/** Outcomes of well-formed requests. Those that were certain to be valid alone show what the status allows. */
interface Outcomes {
  valid: Set<string>;
  refusable: Set<string>;
}

/** Whether a card's status is still known after the operation; nothing readable shows that a PIN was set. */
export const leavesStatus = ({ id, risk }: Operation): boolean => risk === 'safe' || id === 'cards.setPin';

export class StateMatrix {
  /** Cards whose status is certain, and since when: nothing may have changed it since that answer. */
  readonly #known = new Map<string, { status: string; since: number }>();
  /** Cards whose record was refreshed after their last possible change. */
  readonly #refreshed = new Set<string>();
  /** By status, then by operation. */
  readonly #cells = new Map<string, Map<string, Outcomes>>();

  /** Call with every judged exchange, in the order of the answers. */
  note(answer: Answer): void {
    const { operation, input } = answer;
    const card = input.path?.identifier;
    if (card === undefined || !operation.id.startsWith('cards.') || operation.listedOnly) return;
    if (input.query?.byToken || input.query?.byProxy) return;
    const known = this.#known.get(card);
    if (known && known.since <= answer.sentAt) this.#add(known.status, answer);
    if (!succeeded(answer)) return;
    if (!leavesStatus(operation)) {
      this.#known.delete(card);
      this.#refreshed.delete(card);
    } else if (operation.id === 'cards.getStatus') this.#refreshed.add(card);
    else if (operation.id === 'cards.get') this.#know(card, member(answer, 'status'));
  }

  /** Whether the effect of an operation in that status has been seen. */
  has(operation: string, status: string): boolean {
    return this.#cells.get(status)?.has(operation) ?? false;
  }

  /** All outcomes seen, in words, for each status and operation, in the order in which these were first seen. */
  cells(): { operation: string; status: string; outcome: string }[] {
    return [...this.#cells].flatMap(([status, operations]) =>
      [...operations].map(([operation, { valid, refusable }]) => {
        const outcomes = valid.size > 0 ? valid : refusable;
        return { operation, status, outcome: [...outcomes].sort().join(', or ') };
      }),
    );
  }

  #know(card: string, status: unknown): void {
    if (typeof status !== 'string' || status.length > LONGEST_STATUS || !this.#refreshed.has(card)) return;
    this.#known.set(card, { status, since: Date.now() });
  }

  #add(status: string, answer: Answer): void {
    const { intent, operation } = answer;
    if (intent !== 'valid' && intent !== 'refusable') return;
    if (!this.#cells.has(status) && this.#cells.size === MOST_STATUSES) return;
    const cells = this.#cells.get(status) ?? new Map<string, Outcomes>();
    const outcomes = cells.get(operation.id) ?? { valid: new Set(), refusable: new Set() };
    outcomes[intent].add(inWords(answer));
    this.#cells.set(status, cells.set(operation.id, outcomes));
  }
}

function inWords(answer: Answer): string {
  if (!succeeded(answer)) return `refused with status ${answer.status}`;
  return member(answer, 'errorCode') ? `refused with status ${answer.status} and an errorCode` : 'accepted';
}
