/** What transfers did to the money of cards, between two readings of their balances. Pure but for the clock that is passed in. */

import { numbers } from '../../contracts/numbers.ts';
import { cents as toCents } from '../cards/card-state.ts';
import type { AskedTransfer } from './inverse.ts';

/** Cents by which a sum of balances may differ without money having moved. */
const TOLERANCE_CENTS = numbers.roundedCents;

const { mostOfSmallFee, largestFeeShare } = numbers;

/** The most, in cents, that a transfer of an amount may cost as a fee where others are free: less than half of a small one, a share of a larger one. */
export const mostOfFee = (cents: number): number =>
  Math.max(Math.min(mostOfSmallFee, cents / 2) - TOLERANCE_CENTS, largestFeeShare * cents + TOLERANCE_CENTS);

/** A transfer that was sent. */
export interface Moving {
  from: string;
  to: string;
  cents: number;
  /** Undefined until it is answered, and where no answer arrived. */
  isAccepted: boolean | undefined;
  /** When its answer arrived, in milliseconds since the epoch; infinite until then. */
  answeredAt: number;
}

/** Transfers between cards that have not all been read since. */
interface Window {
  transfers: Moving[];
  /** Cents of each card before the first of them, as far as they were read. */
  before: Map<string, number>;
  /** Cents of each card since the last of them. */
  now: Map<string, { cents: number; askedAt: number }>;
  /** Whether something else may have changed the balances, too. */
  isDisturbed: boolean;
}

/** What the balances showed of transfers, once all of their cards were read. */
export interface Shown {
  transfers: readonly Moving[];
  /** Cents of their cards before. */
  before: ReadonlyMap<string, number>;
  /** Cents that are missing, over all cards; 0 where none are. */
  missing: number;
  /** Cents that the cards have more than before; 0 where they do not. */
  made: number;
}

export class MoneyWindows {
  readonly #settleMs: number;
  readonly #onShown: (shown: Shown) => void;
  /** Cents of cards as last read, since when no transfer named them. */
  readonly #held = new Map<string, number>();
  readonly #read = new Set<string>();
  #windows: Window[] = [];

  /** @param onShown called when the balances show what transfers did */
  constructor(settleMs: number, onShown: (shown: Shown) => void) {
    this.#settleMs = settleMs;
    this.#onShown = onShown;
  }

  /** Whether the balance of a card was ever read. */
  wasRead(card: string): boolean {
    return this.#read.has(card);
  }

  /** Cents that a card has, as last read; undefined while transfers of it are not read. */
  heldBy(card: string): number | undefined {
    return this.#held.get(card);
  }

  /** Whether the balance of a card is known, so that what a transfer does to it will show. */
  isKnown(card: string): boolean {
    return this.#held.has(card) || this.#windows.some(({ before }) => before.has(card));
  }

  /** Call when a transfer is sent. @returns to be filled in when it is answered */
  sending({ from, to, units }: AskedTransfer): Moving {
    const moving: Moving = {
      from,
      to,
      cents: toCents(units),
      isAccepted: undefined,
      answeredAt: Number.POSITIVE_INFINITY,
    };
    const cards = [from, to];
    const [own, others] = [this.#windowsOf(cards), this.#windows.filter((one) => !namesAny(one, cards))];
    const window: Window = {
      transfers: [...own.flatMap(({ transfers }) => transfers), moving],
      before: new Map(own.flatMap(({ before }) => [...before])),
      now: new Map(),
      isDisturbed: own.some(({ isDisturbed }) => isDisturbed),
    };
    for (const card of cards)
      if (this.#held.has(card) && !window.before.has(card)) window.before.set(card, this.#held.get(card)!);
    for (const card of cards) this.#held.delete(card);
    this.#windows = [...others, window];
    return moving;
  }

  /** Call when something else than a transfer may have changed cards. */
  disturb(cards: readonly string[]): void {
    for (const window of this.#windowsOf(cards)) window.isDisturbed = true;
    for (const card of cards) this.#held.delete(card);
  }

  /** Call when a balance was read. @param askedAt when it was asked for, in milliseconds since the epoch */
  read(card: string, cents: number, askedAt: number): void {
    this.#read.add(card);
    const [window] = this.#windowsOf([card]);
    if (!window) {
      this.#held.set(card, cents);
      return;
    }
    if (askedAt < answeredLast(window)) return;
    window.now.set(card, { cents, askedAt });
    this.#judge(window);
  }

  /** Whether what was missing is there again, as far as no transfer named its cards since: a replica may fall back for a while (reading 49). */
  isBack({ before }: Shown): boolean {
    const now = [...before.keys()].flatMap((card) => this.#held.get(card) ?? []);
    return now.length === before.size && sumOf(before.values()) - sumOf(now) <= TOLERANCE_CENTS;
  }

  /** Cards of transfers that are answered and whose effect was not seen: what has to be read. */
  get unread(): string[] {
    const answered = this.#windows.filter((window) => Number.isFinite(answeredLast(window)));
    return [...new Set(answered.flatMap(({ before }) => [...before.keys()]))];
  }

  /** Cents of transfers whose effect was not seen yet. */
  get open(): number {
    return this.#windows
      .flatMap(({ transfers }) => transfers)
      .filter(({ isAccepted }) => isAccepted !== false)
      .reduce((sum, { cents }) => sum + cents, 0);
  }

  #windowsOf(cards: readonly string[]): Window[] {
    return this.#windows.filter((window) => namesAny(window, cards));
  }

  #judge(window: Window): void {
    const { before, now, transfers } = window;
    if (![...before.keys()].every((card) => now.has(card))) return;
    // What is refused names cards that need not exist; all others have to be read.
    const moving = transfers.filter(({ isAccepted }) => isAccepted !== false);
    const isWhole = !window.isDisturbed && moving.every(({ from, to }) => before.has(from) && before.has(to));
    const gone = sumOf(before.values()) - sumOf([...now.values()].map(({ cents }) => cents));
    const isOff = isWhole && Math.abs(gone) > TOLERANCE_CENTS;
    const isSettled = [...now.values()].every(({ askedAt }) => askedAt >= answeredLast(window) + this.#settleMs);
    // One side may show later than the other.
    if (isOff && !isSettled) return;
    this.#windows = this.#windows.filter((other) => other !== window);
    for (const [card, { cents }] of now) this.#held.set(card, cents);
    const [missing, made] = isOff ? [Math.max(0, gone), Math.max(0, -gone)] : [0, 0];
    if (isWhole) this.#onShown({ transfers, before, missing, made });
  }
}

const sumOf = (cents: Iterable<number>): number => [...cents].reduce((sum, one) => sum + one, 0);

const namesAny = ({ transfers }: Window, cards: readonly string[]): boolean =>
  transfers.some(({ from, to }) => cards.includes(from) || cards.includes(to));

const answeredLast = ({ transfers }: Window): number => Math.max(...transfers.map(({ answeredAt }) => answeredAt));
