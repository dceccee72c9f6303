/** Writes changes.ndjson: every request that may change the target, before it is sent, and later how it was undone. */
import type { Operation } from '../../contracts/operation.ts';
import type { Account, Change } from '../../contracts/record.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { type Answer, type Input, succeeded } from '../answer.ts';
import type { CallOptions } from '../call.ts';
import { amount } from '../cards/card-state.ts';
import type { LeasedCard } from '../cards/pools.ts';
import type { Recorder } from '../evidence/recorder.ts';
import { Blocked } from '../verdict.ts';
import { inverseOf, type WritableCustomer } from './inverse.ts';

/** A change that was sent and has not been undone. */
export interface OpenChange {
  id: string;
  operation: string;
  input: Input;
}

type Fate = 'open' | 'undone' | 'stays';

export class ChangeLog {
  /** What became of each change that was accepted, or of which no answer tells. */
  readonly #fates = new Map<string, { operation: string; fate: Fate }>();
  readonly #recorder: Recorder;
  readonly #redactor: Redactor;
  readonly #customer: WritableCustomer;

  constructor(recorder: Recorder, redactor: Redactor, customer: WritableCustomer) {
    this.#recorder = recorder;
    this.#redactor = redactor;
    this.#customer = customer;
  }

  /**
   * Call before sending. @returns undefined for an operation that changes nothing
   * @throws Blocked when the change cannot be recorded, since nobody could undo it; never while changes are being
   * undone
   */
  sending(operation: Operation, input: Input, options: CallOptions): OpenChange | undefined {
    if (operation.risk === 'safe') return undefined;
    const change = { id: this.#recorder.nextChangeId(), operation: operation.id, input };
    const undo = inverseOf(operation.id, input, this.#customer);
    const isWritten = this.#write(change, 'sending', {
      input: this.#redacted(input),
      check: options.check,
      ...(undo ? { undo: { operation: undo.operation, input: this.#redacted(undo.input) } } : {}),
      ...(undo?.operation === 'cards.transfer' ? { balances: balancesOf(options.leased ?? []) } : {}),
    });
    if (!isWritten && !options.urgent)
      throw new Blocked('not sent: the change could not be written to changes.ndjson first');
    return change;
  }

  /** Call when an answer arrives, whatever its status. A success that cannot be undone is recorded as lasting. */
  answered(change: OpenChange | undefined, answer: Answer): void {
    if (!change) return;
    this.#write(change, 'answered', { exchange: answer.exchange, status: answer.status });
    if (!succeeded(answer)) return;
    this.#note(change, 'open');
    if (!inverseOf(change.operation, change.input, this.#customer)) this.lasting(change);
  }

  /** Call when no answer arrives: the change may have happened. @param exchange the id of the failed exchange */
  unanswered(change: OpenChange | undefined, exchange: string): void {
    if (!change) return;
    this.#write(change, 'answered', { exchange, status: null });
    this.#note(change, 'open');
  }

  /** Records that a change was undone by the exchange, or never sent in it. */
  undone(change: Pick<OpenChange, 'id' | 'operation'> | undefined, exchange: string): void {
    if (!change) return;
    this.#write(change, 'undone', { exchange });
    if (this.#fates.has(change.id)) this.#note(change, 'undone');
  }

  /** Records that a change stays in force, though its kind is reversible. */
  lasting(change: Pick<OpenChange, 'id' | 'operation'>): void {
    this.#write(change, 'lasting', {});
    this.#note(change, 'stays');
  }

  /** What became of the changes, by operation. */
  facts(): Account['changes'] {
    const changes = Map.groupBy(this.#fates.values(), ({ operation }) => operation);
    return [...changes].map(([operation, all]) => {
      const count = (wanted: Fate) => all.filter(({ fate }) => fate === wanted).length;
      return { operation, accepted: all.length, undone: count('undone'), stays: count('stays'), open: count('open') };
    });
  }

  #note({ id, operation }: Pick<OpenChange, 'id' | 'operation'>, fate: Fate): void {
    this.#fates.set(id, { operation, fate });
  }

  #write(change: Pick<OpenChange, 'id' | 'operation'>, event: Change['event'], rest: Partial<Change>): boolean {
    return this.#recorder.change({
      id: change.id,
      at: new Date().toISOString(),
      event,
      operation: change.operation,
      ...rest,
    });
  }

  #redacted(input: Input): Record<string, unknown> {
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given.map(([name, value]) => [name, this.#redactor.value(value)]));
  }
}

const balancesOf = (cards: readonly LeasedCard[]) =>
  cards.flatMap(({ identifier, balance }) => (balance === undefined ? [] : [{ identifier, balance: amount(balance) }]));
