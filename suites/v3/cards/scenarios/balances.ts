/** Money as it is judged: by getBalance alone, over the cards of a transfer (readings 10 and 27). */
import { type Answer, type Input, member, succeeded } from '../../../../helpers/answer.ts';
import type { RequestOptions } from '../../../../helpers/call.ts';
import { amount } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/context.ts';

/** What each card gained, in cents, by its identifier; a loss is negative. */
export type Gains = ReadonlyMap<string, number>;

/** A transfer that was asked for, and what came of it. */
export interface Movement {
  answer: Answer;
  /** Cents asked for; undefined where none were. */
  cents: number | undefined;
  gains: Gains;
}

/** Balances are compared to the cent; what a binary fraction leaves is far below this. */
const TOLERANCE_CENTS = 0.01;

export const sameCents = (one: number, other: number): boolean => Math.abs(one - other) < TOLERANCE_CENTS;
export const nothingMoved = (gains: Gains): boolean => [...gains.values()].every((gain) => sameCents(gain, 0));
/** Cents that were made; what was lost is negative. */
export const made = (gains: Gains): number => [...gains.values()].reduce((sum, gain) => sum + gain, 0);
/** Whether the source lost and the target gained exactly this. */
export const movedExactly = (gains: Gains, from: string, to: string, cents: number): boolean =>
  [...gains].every(([card, gain]) => sameCents(gain, card === from ? -cents : card === to ? cents : 0));

/** Whether the card paid: what it gains is what it is paid itself. */
export const paysFrom =
  (card: string) =>
  (gains: Gains): boolean =>
    [...gains].some(([of, gain]) => (of === card ? gain <= -TOLERANCE_CENTS : gain >= TOLERANCE_CENTS));

/** What a transfer answers beside the money: a success and a refusal with status 200 differ in it. */
const claim = (answer: Answer) =>
  ['errorCode', 'status'].map((name) => JSON.stringify(member(answer, name) ?? '')).join();

/**
 * Whether a transfer answers as one does that moved money: with a success, and with no errorCode or status of its own.
 * @param success one that moved money; without it an errorCode alone tells
 */
export function claimsSuccess(answer: Answer, success: Answer | undefined): boolean {
  if (!succeeded(answer)) return false;
  return success ? claim(answer) === claim(success) : !member(answer, 'errorCode');
}

/** The balances of some cards while money is moved between them. */
export class Balances {
  readonly #t: Context;
  readonly #cards: readonly string[];
  #last: ReadonlyMap<string, number> | undefined;
  /** A transfer that moved what it was asked to. */
  success: Answer | undefined;

  constructor(t: Context, cards: readonly string[]) {
    this.#t = t;
    this.#cards = cards;
  }

  /** Balance of a card when it was last read. @throws Inconclusive when the target gives none */
  async of(card: string): Promise<number> {
    this.#last ??= await this.#read();
    return this.#last.get(card)!;
  }

  /**
   * A whole transfer of cents between two cards that is to succeed: waits until exactly that shows.
   * @param more members beside target and amount
   * @throws Blocked, Inconclusive when a balance cannot be read
   */
  async pay(from: string, to: string, cents: number, more: Record<string, unknown> = {}): Promise<Movement> {
    const json = { targetCardIdentifier: to, amount: amount(cents), ...more };
    const isShown = (gains: Gains) => movedExactly(gains, from, to, cents);
    const movement = await this.#transfer({ path: { identifier: from }, json }, {}, cents, succeeded, isShown);
    if (succeeded(movement.answer) && isShown(movement.gains)) this.success ??= movement.answer;
    return movement;
  }

  /**
   * A transfer that need not succeed. An answer that claims success is given time to show what it did.
   * @throws Blocked, Inconclusive when a balance cannot be read
   */
  attempt(from: string, input: Omit<Input, 'path'>, options: RequestOptions, cents?: number): Promise<Movement> {
    const settled = (gains: Gains) => !nothingMoved(gains) && sameCents(made(gains), 0);
    const waits = (answer: Answer) => claimsSuccess(answer, this.success);
    return this.#transfer({ path: { identifier: from }, ...input }, options, cents, waits, settled);
  }

  /** What changed since the balances were last read, though no transfer was asked for since. */
  async late(): Promise<Gains> {
    const before = this.#last ?? (await this.#read());
    this.#last = await this.#read();
    return gained(before, this.#last);
  }

  async #transfer(
    input: Input,
    options: RequestOptions,
    cents: number | undefined,
    waits: (answer: Answer) => boolean,
    isShown: (gains: Gains) => boolean,
  ): Promise<Movement> {
    const before = this.#last ?? (await this.#read());
    this.#last = undefined;
    const answer = await this.#t.call('cards.transfer', input, options);
    const after = await this.#t.eventually(
      () => this.#read(),
      (now) => !waits(answer) || isShown(gained(before, now)),
    );
    this.#last = after;
    return { answer, cents, gains: gained(before, after) };
  }

  async #read(): Promise<ReadonlyMap<string, number>> {
    const balances = this.#cards.map(async (card) => [card, await this.#t.balance(card)] as const);
    return new Map(await Promise.all(balances));
  }
}

const gained = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): Gains =>
  new Map([...now].map(([card, cents]) => [card, cents - before.get(card)!]));
