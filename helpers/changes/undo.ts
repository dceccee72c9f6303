/** Undoes a context's changes to the target when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { type Answer, type Input, identifiersIn, isObject, succeeded } from '../answer.ts';
import type { RequestOptions } from '../call.ts';
import { amount, type CardState, readBalance, readState } from '../cards/card-state.ts';
import type { LeasedCard } from '../cards/pools.ts';
import { eventually } from '../eventually.ts';
import { Inconclusive, Verdict } from '../verdict.ts';
import type { ChangeLog, OpenChange } from './change-log.ts';
import { type AskedTransfer, askedTransfer, CONSUMING, REVERSIBLE, type WritableCustomer } from './inverse.ts';
import { MoneyBack } from './money-back.ts';

interface UndoParts {
  call(operation: string, input: Input, options?: RequestOptions): Promise<Answer>;
  changes: Pick<ChangeLog, 'lasting'> & { undone(change: UndoableChange, exchange: string): void };
  note(note: string): void;
  /** Records a bug of the suite. @returns a sentence that says so */
  defect(where: string, error: unknown): string;
  settleMs: number;
  customer: WritableCustomer;
  /** Whether nothing is known of the target but what the balances show: where money is missing, none is moved back. */
  isCautious: boolean;
  /** Call when money that was moved back does not arrive. */
  endMoney(): void;
}

/** A card as it was before it was changed. */
export type UndoableCard = Pick<LeasedCard, 'identifier' | 'pool' | 'balance' | 'status'>;

/** A change of a reversible kind that was accepted or never answered, so that it may be in force. */
export interface UndoableChange extends OpenChange {
  identifier: string;
}

interface SentTransfer extends AskedTransfer {
  input: Input;
  /** Undefined while it is not known. */
  isAccepted: boolean | undefined;
}

export class Undo {
  readonly #parts: UndoParts;
  readonly #open: UndoableChange[] = [];
  /** Operations that were sent to each card, refused ones included: a broken target may refuse and act anyway. */
  readonly #sent = new Map<string, Set<string>>();
  readonly #consumed = new Set<string>();
  readonly #transfers: SentTransfer[] = [];
  /** Members, besides target and amount, of the last accepted well-formed transfer: a target may require them. */
  #acceptedMembers: Record<string, unknown> = {};
  /** Card states, each read late enough to show all earlier requests, and valid until the next request to the card. */
  readonly #states = new Map<string, CardState>();
  /** When a request was last sent to a card, by `performance.now()`. */
  readonly #sentAt = new Map<string, number>();
  #isUndoing = false;
  #lastExchange = '';

  constructor(parts: UndoParts) {
    this.#parts = parts;
  }

  sending(operation: string, input: Input): void {
    for (const identifier of identifiersIn(input)) {
      const sent = this.#sent.get(identifier);
      if (sent) sent.add(operation);
      else this.#sent.set(identifier, new Set([operation]));
      this.#sentAt.set(identifier, performance.now());
      if (!this.#isUndoing) this.#states.delete(identifier);
    }
    if (operation !== 'cards.transfer' || this.#isUndoing) return;
    const asked = askedTransfer(input);
    if (asked) this.#transfers.push({ ...asked, input, isAccepted: undefined });
  }

  read(identifier: string, state: CardState): void {
    const since = performance.now() - (this.#sentAt.get(identifier) ?? Number.NEGATIVE_INFINITY);
    if (state.status !== undefined && since >= this.#parts.settleMs) this.#states.set(identifier, state);
  }

  /** Call with every answer. */
  answered(answer: Answer): void {
    const { operation, change, exchange } = answer;
    const identifier = answer.input.path?.identifier;
    if (change === undefined || identifier === undefined) return;
    const transfer = this.#transfers.findLast(({ input }) => input === answer.input);
    if (transfer && answer.status < 500) transfer.isAccepted = succeeded(answer);
    if (!succeeded(answer)) return;
    // An accepted wrong type is not sent again: its answer would be judged like one to a correct request.
    if (operation.id === 'cards.transfer' && answer.intent !== 'malformed' && isObject(answer.input.json)) {
      const { targetCardIdentifier: _target, amount: _amount, ...members } = answer.input.json;
      this.#acceptedMembers = members;
    }
    if (operation.id === 'cards.unsuspend')
      this.#close('cards.suspend', exchange, (one) => one.identifier === identifier);
    this.unanswered(change, operation.id, answer.input);
    if (CONSUMING.includes(operation.id)) this.#consumed.add(identifier);
  }

  /** Call when a sent request got no answer, so that it may have changed something. */
  unanswered(change: string, operation: string, input: Input): void {
    const identifier = input.path?.identifier;
    if (identifier !== undefined && REVERSIBLE.includes(operation))
      this.#open.push({ id: change, operation, identifier, input });
  }

  /** Call instead of the above with a change of an earlier run. */
  left({ id, operation, input }: UndoableChange, isAccepted: boolean): void {
    this.sending(operation, input);
    this.unanswered(id, operation, input);
    const transfer = this.#transfers.findLast((one) => one.input === input);
    if (transfer && isAccepted) transfer.isAccepted = true;
  }

  /** Undoes what can be undone, and waits until that shows. Never throws. */
  async run(leased: readonly UndoableCard[]): Promise<void> {
    this.#isUndoing = true;
    const kept = leased.filter(({ identifier }) => !this.#consumed.has(identifier));
    const sentTo = (operation: string) => kept.filter((card) => this.#sent.get(card.identifier)?.has(operation));
    await this.#unsuspend(sentTo('cards.suspend'));
    await this.#restoreBalances(sentTo('cards.transfer'));
    await this.#guarded(() => this.#restorePermissions());
    // The other open changes may still be undone by a cleanup.
    for (const change of this.#open) if (this.#consumed.has(change.identifier)) this.#parts.changes.lasting(change);
  }

  /** Whether the card is known to be no longer in the state that its pool promises; who leases it next looks at it. Call after `run`. */
  isSpent(card: UndoableCard): boolean {
    const state = this.#states.get(card.identifier);
    return this.#consumed.has(card.identifier) || (state !== undefined && this.#differs(card, state));
  }

  async #unsuspend(leased: readonly UndoableCard[]): Promise<void> {
    const suspended = new Set(
      this.#openOf('cards.suspend')
        .map(({ identifier }) => identifier)
        .filter((identifier) => !this.#consumed.has(identifier)),
    );
    const cards = new Map(leased.map((card) => [card.identifier, card]));
    await this.#each(new Set([...suspended, ...cards.keys()]), async (identifier) => {
      const card = cards.get(identifier);
      if (!suspended.has(identifier) && !this.#differs(card!, await this.#known(identifier))) return;
      await this.#untilAccepted('cards.unsuspend', { path: { identifier } });
      if (!card) return;
      const isBack = (state: CardState) => !this.#differs(card, state);
      const state = await eventually(() => this.#state(identifier), isBack, this.#parts.settleMs);
      if (state.status === ACTIVE)
        this.#close('cards.suspend', this.#lastExchange, (change) => change.identifier === identifier);
      else if (!isBack(state)) this.#parts.note(`A card of cards.${card.pool} is left ${state.status}: ${identifier}`);
    });
  }

  /**
   * Moves money back as the balances show it: an accepted transfer may have moved nothing, and a refused one may have
   * moved money. Never more than the transfers explain, since others may have moved money too.
   */
  async #restoreBalances(leased: readonly UndoableCard[]): Promise<void> {
    const cards = leased.filter((card): card is UndoableCard & { balance: number } => card.balance !== undefined);
    if (cards.length === 0) return;
    await sleep(this.#parts.settleMs);
    /** Balances in whole cents, of the cards that still show one. */
    const balances = new Map<string, number>();
    await this.#each(cards, async ({ identifier }) => {
      const now = await this.#balance(identifier);
      if (now === undefined) throw new Inconclusive(`the balance of ${identifier} cannot be read`);
      balances.set(identifier, Math.round(now));
    });
    // Nothing goes back to or from a card that was closed since.
    const transfers = this.#transfers.filter(({ from, to }) => !this.#consumed.has(from) && !this.#consumed.has(to));
    const back = new MoneyBack(cards, balances, transfers, {
      isCautious: this.#parts.isCautious,
      endMoney: () => this.#parts.endMoney(),
      note: (note) => this.#parts.note(note),
      move: (from, to, most) => this.#move(from, to, most),
      readUntil: (expected) => this.#readOnce(expected),
    });
    await back.moveAll();
    const settled = back.settled();
    back.say();
    this.#close('cards.transfer', this.#lastExchange, ({ input }) => {
      const asked = askedTransfer(input);
      const own = [asked?.from, asked?.to].filter((card) => cards.some(({ identifier }) => identifier === card));
      return own.length > 0 && own.every((card) => settled.has(card!));
    });
  }

  /** Asks for a transfer of whole cents. @returns whether it was accepted; undefined where nothing tells */
  async #move(from: string, to: string, moved: number): Promise<boolean | undefined> {
    const json = { ...this.#acceptedMembers, targetCardIdentifier: to, amount: amount(moved) };
    let answer: Answer | undefined;
    await this.#guarded(async () => {
      answer = await this.#untilAccepted('cards.transfer', { path: { identifier: from }, json });
    });
    return answer && succeeded(answer);
  }

  /** Reads balances, in whole cents, until they are as expected or the settle time is over; undefined where one cannot be read. */
  async #readOnce(expected: ReadonlyMap<string, number>): Promise<Map<string, number | undefined>> {
    const now = new Map<string, number | undefined>([...expected.keys()].map((identifier) => [identifier, undefined]));
    await this.#each(expected.keys(), async (identifier) => {
      const isBack = (balance = Number.NaN) => Math.round(balance) >= expected.get(identifier)!;
      const balance = await eventually(() => this.#balance(identifier), isBack, this.#parts.settleMs);
      if (balance !== undefined) now.set(identifier, Math.round(balance));
    });
    return now;
  }

  async #restorePermissions(): Promise<void> {
    const { identifier, permissions } = this.#parts.customer;
    if (!permissions || !this.#openOf('users.setPermissions').some((change) => change.identifier === identifier))
      return;
    const input = { path: { identifier: identifier! }, json: permissions };
    const restored = await this.#call('users.setPermissions', input, { intent: 'refusable' });
    if (succeeded(restored))
      this.#close('users.setPermissions', restored.exchange, (change) => change.identifier === identifier);
  }

  /** Repeats a request until it is accepted or the settle time is over: a target may still be busy. */
  #untilAccepted(operation: string, input: Input): Promise<Answer> {
    return eventually(() => this.#call(operation, input, { intent: 'refusable' }), succeeded, this.#parts.settleMs);
  }

  #openOf(operation: string): UndoableChange[] {
    return this.#open.filter((change) => change.operation === operation);
  }

  #close(operation: string, exchange: string, isUndone: (change: UndoableChange) => boolean): void {
    for (const change of this.#openOf(operation).filter(isUndone)) {
      this.#parts.changes.undone(change, exchange);
      this.#open.splice(this.#open.indexOf(change), 1);
    }
  }

  /** Whether the card is known to be in another state than when it was leased. */
  #differs(card: UndoableCard, now: CardState): boolean {
    return card.status !== undefined && now.status !== undefined && now.status !== card.status;
  }

  /** Does the work for each of several things at once; what one of them prevents is noted and keeps back no other. */
  async #each<T>(things: Iterable<T>, work: (thing: T) => Promise<void>): Promise<void> {
    await Promise.all([...things].map((thing) => this.#guarded(() => work(thing))));
  }

  async #guarded(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const why = error instanceof Verdict ? error.message : this.#parts.defect('undoing', error);
      this.#parts.note(`A change could not be undone: ${why}`);
    }
  }

  /** The state of a card, read if it is not known. */
  async #known(identifier: string): Promise<CardState> {
    return this.#states.get(identifier) ?? (await this.#state(identifier));
  }

  async #state(identifier: string): Promise<CardState> {
    const state = await readState((operation, input) => this.#call(operation, input), identifier);
    this.#states.set(identifier, state);
    return state;
  }

  #balance(identifier: string): Promise<number | undefined> {
    return readBalance((operation, input) => this.#call(operation, input), identifier);
  }

  async #call(operation: string, input: Input, options?: RequestOptions): Promise<Answer> {
    const answer = await this.#parts.call(operation, input, options);
    this.#lastExchange = answer.exchange;
    return answer;
  }
}
