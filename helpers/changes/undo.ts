/** Undoes a context's changes to the target when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ACTIVE } from '../../contracts/v3/cards.ts';
import { type Answer, type Input, identifiersIn, isObject, succeeded } from '../answer.ts';
import type { RequestOptions } from '../call.ts';
import { amount, type CardState, cents, readBalance, readState } from '../cards/card-state.ts';
import type { LeasedCard } from '../cards/pools.ts';
import { eventually } from '../eventually.ts';
import { Inconclusive, Verdict } from '../verdict.ts';
import type { ChangeLog, OpenChange } from './change-log.ts';
import { type AskedTransfer, askedTransfer, CONSUMING, REVERSIBLE, type WritableCustomer } from './inverse.ts';
import { mostOfFee } from './money-windows.ts';

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
    const read = cards.filter(({ identifier }) => balances.has(identifier));
    const surplus = read.map(({ identifier, balance }) => balances.get(identifier)! - Math.round(balance));
    // Nothing goes back to or from a card that was closed since.
    const transfers = this.#transfers.filter(({ from, to }) => !this.#consumed.has(from) && !this.#consumed.has(to));
    /** What the transfers left on each card, in whole cents: less than 0 if it is missing there. */
    const due = movedBy(
      transfers,
      read.map(({ identifier }) => identifier),
      surplus,
    );
    /** Cards of a transfer that was sent and not answered: nothing more is moved before somebody looks at them again. */
    const unsure = new Set<string>();
    /** Balances in whole cents as last read. */
    const shown = new Map(balances);
    /** Whether money goes missing here: then no more is moved. */
    let hasEnded = this.#parts.isCautious && isMissing(due, surplus, transfers);
    const moveBack = async (from: string, to: string, most: number): Promise<boolean> => {
      if (hasEnded || unsure.has(from) || unsure.has(to)) return false;
      const json = { ...this.#acceptedMembers, targetCardIdentifier: to, amount: amount(most) };
      let answer: Answer | undefined;
      await this.#guarded(async () => {
        answer = await this.#untilAccepted('cards.transfer', { path: { identifier: from }, json });
      });
      if (!answer) unsure.add(from).add(to);
      if (!answer || !succeeded(answer)) return false;
      for (const [identifier, gained] of [
        [from, -most],
        [to, most],
      ] as const) {
        if (!due.has(identifier)) continue;
        due.set(identifier, due.get(identifier)! + gained);
        balances.set(identifier, balances.get(identifier)! + gained);
      }
      const own = [from, to].filter((identifier) => balances.has(identifier));
      for (const [identifier, now] of await this.#readOnce(own, balances)) {
        if (now === undefined) unsure.add(identifier);
        else shown.set(identifier, now);
        hasEnded ||= now !== undefined && now < balances.get(identifier)! - mostOfFee(most);
      }
      if (hasEnded) this.#parts.endMoney();
      return true;
    };
    for (const from of due.keys())
      for (const to of due.keys()) {
        const most = () => Math.min(due.get(from)!, -due.get(to)!);
        if (most() <= 0 || (await moveBack(from, to, most()))) continue;
        // The sum may exceed a transfer limit in either direction, so the original amounts go back one by one.
        for (const { units } of transfers.filter((sent) => sent.from === to && sent.to === from))
          if (wholeCents(units) <= most()) await moveBack(from, to, wholeCents(units));
      }
    // A broken target may have moved money to or from a card outside the pools.
    for (const { from, to, units } of transfers) {
      const moved = wholeCents(units);
      if (due.has(from) === due.has(to)) continue;
      if (due.has(from) ? due.get(from)! <= -moved : due.get(to)! >= moved) await moveBack(to, from, moved);
    }
    const settled = new Set<string>();
    /** A fraction of a cent cannot be moved back. */
    const leftovers = transfers.filter(({ units }) => !Number.isInteger(cents(units))).length;
    for (const { identifier, pool, balance } of read) {
      const [now, left] = [shown.get(identifier)!, due.get(identifier)!];
      const isBack = now >= balances.get(identifier)!;
      if (isBack && left >= 0 && left <= leftovers && !unsure.has(identifier)) settled.add(identifier);
      const less = Math.round(balance) - now;
      if (less > 0)
        this.#parts.note(`A card of cards.${pool} is left with ${inUnits(less)} less than it had: ${identifier}`);
    }
    if (hasEnded) {
      const others = read.flatMap(({ identifier }) => (due.get(identifier)! > 0 ? [identifier] : []));
      const stays = others.map((identifier) => `${inUnits(due.get(identifier)!)} on ${identifier}`).join(', ');
      this.#parts.note(
        `Money goes missing at this target, so no more is moved back${stays === '' ? '' : `: what was moved stays, ${stays}`}.`,
      );
    }
    this.#close('cards.transfer', this.#lastExchange, ({ input }) => {
      const asked = askedTransfer(input);
      const own = [asked?.from, asked?.to].filter((card) => cards.some(({ identifier }) => identifier === card));
      return own.length > 0 && own.every((card) => settled.has(card!));
    });
  }

  /** Reads balances, in whole cents, until they are as expected or the settle time is over; undefined where one cannot be read. */
  async #readOnce(cards: readonly string[], expected: ReadonlyMap<string, number>) {
    const now = new Map<string, number | undefined>(cards.map((identifier) => [identifier, undefined]));
    await this.#each(cards, async (identifier) => {
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

const inUnits = (inCents: number): string => amount(inCents).toFixed(2);

/**
 * Whether more is missing on cards that were read than the fees of the transfers between them may have taken; where others were paid, nobody can tell.
 * @param gains of the cards, in whole cents
 */
function isMissing(
  read: ReadonlyMap<string, unknown>,
  gains: readonly number[],
  transfers: readonly AskedTransfer[],
): boolean {
  if (!transfers.every(({ from, to }) => read.has(from) && read.has(to))) return false;
  const fees = transfers.reduce((sum, { units }) => sum + mostOfFee(cents(units)), 0);
  return -gains.reduce((sum, gain) => sum + gain, 0) > fees;
}

/** Rounds to whole cents: an accepted fraction of a cent cannot be moved back. */
const wholeCents = (units: number): number => Math.round(cents(units));

/** Number of sums of transfers that are looked at to explain the balances. */
const MOST_SUMS = 4096;

/**
 * What transfers left on each card, in cents. If some of them, each at most once, explain what the cards gained, it is
 * that. Otherwise somebody else moved money as well, and of what a card gained it is no more than its accepted transfers
 * moved, and those without an answer may have moved.
 * @param gains of each card since the first transfer, in whole cents
 */
function movedBy(
  transfers: readonly (AskedTransfer & { isAccepted: boolean | undefined })[],
  cards: readonly string[],
  gains: readonly number[],
): Map<string, number> {
  const effects = transfers.map(({ from, to, units, isAccepted }) => {
    const sign = cards.map((card) => Number(card === to) - Number(card === from));
    // A target may round a fraction of a cent either way.
    const amounts = [...new Set([Math.floor(cents(units)), Math.ceil(cents(units))])];
    return { isAccepted, ways: amounts.map((amount) => sign.map((one) => one * amount)) };
  });
  const nothing = cards.map(() => 0);
  let sums = new Map([[nothing.join(), nothing]]);
  for (const { ways } of effects) {
    if (sums.has(gains.join())) break;
    const more = [...sums.values()].flatMap((sum) => ways.map((way) => sum.map((one, i) => one + way[i]!)));
    if (sums.size < MOST_SUMS) sums = new Map([...sums.values(), ...more].map((sum) => [sum.join(), sum]));
  }
  if (sums.has(gains.join())) return new Map(cards.map((card, i) => [card, gains[i]!]));
  return new Map(
    cards.map((card, i) => {
      const possible = effects
        .filter(({ isAccepted }) => isAccepted !== false)
        .map(({ isAccepted, ways }) => [...ways.map((way) => way[i]!), ...(isAccepted ? [] : [0])]);
      const least = possible.reduce((sum, amounts) => sum + Math.min(...amounts), 0);
      const most = possible.reduce((sum, amounts) => sum + Math.max(...amounts), 0);
      return [card, Math.min(Math.max(gains[i]!, least), most)];
    }),
  );
}
