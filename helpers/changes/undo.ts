/** Undoes a context's changes to the target when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { type Answer, type Input, isObject, memberOf, succeeded } from '../answer.ts';
import type { RequestOptions } from '../call.ts';
import { amount, type CardState, cents, readBalance, readState } from '../cards/card-state.ts';
import type { LeasedCard } from '../cards/pools.ts';
import { eventually } from '../eventually.ts';
import { Verdict } from '../verdict.ts';
import type { ChangeLog } from './change-log.ts';
import { type AskedTransfer, askedTransfer, CONSUMING, REVERSIBLE, type WritableCustomer } from './inverse.ts';

/** The parts of a run that undoing uses. */
export interface UndoParts {
  call(operation: string, input: Input, options?: RequestOptions): Promise<Answer>;
  changes: Pick<ChangeLog, 'undone' | 'lasting'>;
  /** Adds a sentence to the report's notes. */
  note(note: string): void;
  /** Records a bug of the suite. @returns a sentence that says so */
  defect(where: string, error: unknown): string;
  /** How long an effect may take to show, in milliseconds. */
  settleMs: number;
  customer: WritableCustomer;
}

/** A card as it was before it was changed. */
export type UndoableCard = Pick<LeasedCard, 'identifier' | 'pool' | 'balance' | 'status'>;

/** A change of a reversible kind that was accepted or never answered, so that it may be in force. */
interface OpenChange {
  id: string;
  operation: string;
  identifier: string;
}

/** Undoes the changes of one context. */
export class Undo {
  readonly #parts: UndoParts;
  readonly #open: OpenChange[] = [];
  /** Operations that were sent to each card, refused ones included: a broken target may refuse and act anyway. */
  readonly #sent = new Map<string, Set<string>>();
  readonly #consumed = new Set<string>();
  /** Transfers that were sent, refused ones included. */
  readonly #transfers: AskedTransfer[] = [];
  /**
   * Members, besides target and amount, of the last accepted transfer that was not malformed: a target may require
   * them.
   */
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

  /** Call before sending a request that may change the target. */
  sending(operation: string, input: Input): void {
    for (const identifier of [input.path?.identifier, memberOf(input.json, 'targetCardIdentifier')]) {
      if (typeof identifier !== 'string') continue;
      const sent = this.#sent.get(identifier);
      if (sent) sent.add(operation);
      else this.#sent.set(identifier, new Set([operation]));
      this.#sentAt.set(identifier, performance.now());
      if (!this.#isUndoing) this.#states.delete(identifier);
    }
    if (operation !== 'cards.transfer') return;
    const asked = askedTransfer(input);
    if (asked) this.#transfers.push(asked);
  }

  /** Call with the state of a card that a check has read. */
  read(identifier: string, state: CardState): void {
    const since = performance.now() - (this.#sentAt.get(identifier) ?? Number.NEGATIVE_INFINITY);
    if (state.status !== undefined && since >= this.#parts.settleMs) this.#states.set(identifier, state);
  }

  /** Call with every answer. */
  answered(answer: Answer): void {
    const { operation, change, exchange } = answer;
    const identifier = answer.input.path?.identifier;
    if (change === undefined || identifier === undefined || !succeeded(answer)) return;
    // An accepted wrong type is not sent again: its answer would be judged like one to a correct request.
    if (operation.id === 'cards.transfer' && answer.intent !== 'malformed' && isObject(answer.input.json)) {
      const { targetCardIdentifier: _target, amount: _amount, ...members } = answer.input.json;
      this.#acceptedMembers = members;
    }
    if (operation.id === 'cards.unsuspend') this.#close('cards.suspend', exchange, identifier);
    if (REVERSIBLE.includes(operation.id)) this.#open.push({ id: change, operation: operation.id, identifier });
    if (CONSUMING.includes(operation.id)) this.#consumed.add(identifier);
  }

  /** Call when a sent request got no answer. */
  unanswered(change: string, operation: string, input: Input): void {
    const identifier = input.path?.identifier;
    if (identifier !== undefined && REVERSIBLE.includes(operation))
      this.#open.push({ id: change, operation, identifier });
  }

  /** Undoes what can be undone, and waits until that shows. Never throws. */
  async run(leased: readonly UndoableCard[]): Promise<void> {
    this.#isUndoing = true;
    const kept = leased.filter(({ identifier }) => !this.#consumed.has(identifier));
    const sentTo = (operation: string) => kept.filter((card) => this.#sent.get(card.identifier)?.has(operation));
    await this.#guarded(() => this.#unsuspend(sentTo('cards.suspend')));
    await this.#guarded(() => this.#restoreBalances(sentTo('cards.transfer')));
    await this.#guarded(() => this.#restorePermissions());
    // The other open changes may still be undone by a cleanup.
    for (const change of this.#open) if (this.#consumed.has(change.identifier)) this.#parts.changes.lasting(change);
  }

  /** Whether the card is no longer in the state that its pool promises. Call after `run`. Never throws. */
  async isSpent(card: UndoableCard): Promise<boolean> {
    if (!this.#sent.has(card.identifier)) return false;
    if (this.#consumed.has(card.identifier)) return true;
    try {
      return this.#differs(card, await this.#known(card.identifier));
    } catch {
      return true;
    }
  }

  async #unsuspend(leased: readonly UndoableCard[]): Promise<void> {
    const open = this.#openOf('cards.suspend').map(({ identifier }) => identifier);
    const suspended = new Set(open.filter((identifier) => !this.#consumed.has(identifier)));
    const others = leased.filter(({ identifier }) => !suspended.has(identifier));
    await forAll(others, async (card) => {
      if (this.#differs(card, await this.#known(card.identifier))) suspended.add(card.identifier);
    });
    await forAll(suspended, (identifier) => this.#untilAccepted('cards.unsuspend', { path: { identifier } }));
    const back = leased.filter(({ identifier }) => suspended.has(identifier));
    await forAll(back, async (card) => {
      const isBack = (state: CardState) => !this.#differs(card, state);
      const state = await eventually(() => this.#state(card.identifier), isBack, this.#parts.settleMs);
      if (state.status === ACTIVE) this.#close('cards.suspend', this.#lastExchange, card.identifier);
      else if (!isBack(state))
        this.#parts.note(`A card of cards.${card.pool} is left ${state.status}: ${card.identifier}`);
    });
  }

  /**
   * Moves money back as the balances show it: an accepted transfer may have moved nothing, and a refused one may have
   * moved money.
   */
  async #restoreBalances(leased: readonly UndoableCard[]): Promise<void> {
    const cards = leased.filter((card): card is UndoableCard & { balance: number } => card.balance !== undefined);
    if (cards.length === 0) return;
    await sleep(this.#parts.settleMs);
    /** In whole cents. */
    const surplus = new Map<string, number>();
    await forAll(cards, async ({ identifier, balance }) => {
      surplus.set(identifier, Math.round(((await this.#balance(identifier)) ?? balance) - balance));
    });
    const moveBack = async (from: string, to: string, most: number): Promise<boolean> => {
      const json = { ...this.#acceptedMembers, targetCardIdentifier: to, amount: amount(most) };
      const moved = await this.#untilAccepted('cards.transfer', { path: { identifier: from }, json });
      if (!succeeded(moved)) return false;
      surplus.set(from, (surplus.get(from) ?? 0) - most);
      surplus.set(to, (surplus.get(to) ?? 0) + most);
      return true;
    };
    for (const { identifier: from } of cards)
      for (const { identifier: to } of cards) {
        const due = () => Math.min(surplus.get(from)!, -surplus.get(to)!);
        if (due() <= 0 || (await moveBack(from, to, due()))) continue;
        // The sum may exceed a transfer limit in either direction, so the original amounts go back one by one.
        for (const { units } of this.#transfers.filter((sent) => sent.from === to && sent.to === from))
          if (wholeCents(units) <= due()) await moveBack(from, to, wholeCents(units));
      }
    // A broken target may have moved money to or from a card outside the pools.
    for (const { from, to, units } of this.#transfers) {
      const moved = wholeCents(units);
      if (surplus.has(from) === surplus.has(to) || this.#consumed.has(from) || this.#consumed.has(to)) continue;
      const isMissing = surplus.has(from) ? surplus.get(from)! <= -moved : surplus.get(to)! >= moved;
      if (isMissing) await moveBack(to, from, moved);
    }
    let restored = true;
    await forAll(cards, async ({ identifier, pool, balance }) => {
      const expected = balance + surplus.get(identifier)!;
      const isBack = (now: number | undefined) => now === undefined || Math.round(now - expected) === 0;
      const now = await eventually(() => this.#balance(identifier), isBack, this.#parts.settleMs);
      if (now === undefined || Math.round(now - balance) >= 0) return;
      restored = false;
      this.#parts.note(`A card of cards.${pool} is left with less money than it had: ${identifier}`);
    });
    if (restored) this.#close('cards.transfer', this.#lastExchange);
  }

  async #restorePermissions(): Promise<void> {
    const { identifier, permissions } = this.#parts.customer;
    if (!permissions || !this.#openOf('users.setPermissions').some((change) => change.identifier === identifier))
      return;
    const input = { path: { identifier: identifier! }, json: permissions };
    const restored = await this.#call('users.setPermissions', input, { intent: 'refusable' });
    if (succeeded(restored)) this.#close('users.setPermissions', restored.exchange, identifier);
  }

  /**
   * Repeats a request until it is accepted or the settle time is over: a target may still be busy with what is being
   * undone.
   */
  #untilAccepted(operation: string, input: Input): Promise<Answer> {
    return eventually(() => this.#call(operation, input, { intent: 'refusable' }), succeeded, this.#parts.settleMs);
  }

  #openOf(operation: string): OpenChange[] {
    return this.#open.filter((change) => change.operation === operation);
  }

  #close(operation: string, exchange: string, identifier?: string): void {
    for (const change of this.#openOf(operation)) {
      if (identifier !== undefined && change.identifier !== identifier) continue;
      this.#parts.changes.undone(change, exchange);
      this.#open.splice(this.#open.indexOf(change), 1);
    }
  }

  /** Whether the card is known to be in another state than when it was leased. */
  #differs(card: UndoableCard, now: CardState): boolean {
    return card.status !== undefined && now.status !== undefined && now.status !== card.status;
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

/** Rounds to whole cents: an accepted fraction of a cent cannot be moved back. */
const wholeCents = (units: number): number => Math.round(cents(units));

/** Runs the work on several things at once. @throws the first failure, once all are done */
async function forAll<T>(things: Iterable<T>, work: (thing: T) => Promise<unknown>): Promise<void> {
  const failed = (await Promise.allSettled([...things].map(work))).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}
