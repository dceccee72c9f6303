/** What each card operation did to a card in each status: gathered from all exchanges of the run. */
import type { Operation } from '../../contracts/operation.ts';
import { type Answer, member, succeeded } from '../answer.ts';

/** Statuses beyond this many, and longer than this, are not kept: no documented set would have them. */
const MOST_STATUSES = 24;
const LONGEST_STATUS = 60;

/** What an operation did to cards in one status. */
export interface Cell {
  operation: string;
  /** Status of the card's record, as the target words it. */
  status: string;
  /** Every outcome that was seen, in words. */
  outcome: string;
}

/** Outcomes of well-formed requests; where some were certain to be valid, they alone show what the status allows. */
interface Outcomes {
  valid: Set<string>;
  refusable: Set<string>;
}

/** Whether the status of a card is still known after the operation: after reading, and after a PIN, which nothing readable shows. */
export const leavesStatus = ({ id, risk }: Operation): boolean => risk === 'safe' || id === 'cards.setPin';

/** Collects from every exchange what operations did to cards in each status. */
export class StateMatrix {
  /** Cards whose status is certain, and since when: since the last answer that may have changed it nothing else has. */
  readonly #known = new Map<string, { status: string; since: number }>();
  /** Cards whose record was refreshed since they may have changed. */
  readonly #refreshed = new Set<string>();
  /** By status, then by operation. */
  readonly #cells = new Map<string, Map<string, Outcomes>>();

  /** Call with every exchange that is judged, in the order of the answers. */
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

  /** Whether it was seen what an operation does to a card in that status. */
  has(operation: string, status: string): boolean {
    return this.#cells.get(status)?.has(operation) ?? false;
  }

  /** What was seen, one entry for each status and operation, in the order in which they were first seen. */
  cells(): Cell[] {
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
