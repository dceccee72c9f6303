/** Balances of cards, judged by getBalance alone (readings 10 and 49). */
import { numbers } from '../../../../contracts/numbers.ts';
import type { Context } from '../../../../helpers/check.ts';
import { optional } from '../../../../helpers/verdict.ts';
import * as Effects from './effects.ts';

const TRANSFER = 'cards.transfer';

/** What the cards gained whose balances were read both times. */
export const gained = (before: Effects.Gains, now: Effects.Gains): Effects.Gains =>
  new Map([...now].flatMap(([card, cents]) => (before.has(card) ? [[card, cents - before.get(card)!] as const] : [])));

/** The balances of some cards in cents; one that cannot be read is absent. */
export class Balances {
  readonly #t: Context;
  readonly #cards: readonly string[];
  readonly #held: Effects.Gains | undefined;
  readonly #since = performance.now();

  /** @param held what the cards have now; read when it is wanted if absent */
  constructor(t: Context, cards: readonly string[], held?: Effects.Gains) {
    this.#t = t;
    this.#cards = cards;
    this.#held = held;
  }

  /**
   * Reads until they are as they should be; once, where transfers have no effect that anybody saw, however long it was waited for.
   * @param hasMoved whether anything has, where something should; whatever it is, and a fee among it
   * @returns what they are then, or instead for good; and whether they were not at once
   */
  async until(
    isDue: (shown: Effects.Gains) => boolean,
    hasMoved: ((shown: Effects.Gains) => boolean) | undefined,
  ): Promise<{ now: Effects.Gains; isLate: boolean }> {
    const { settling } = this.#t.run;
    if (hasMoved && !settling.isAwaited(TRANSFER)) return { now: await this.read(), isLate: false };
    let times = 0;
    const readOnceMore = () => {
      times++;
      return this.read();
    };
    const shown = await this.#t.eventually(readOnceMore, isDue);
    // A replica may fall back for a while, and money may move later than it is seen to.
    const now = isDue(shown) ? shown : await this.#confirmed(shown);
    if (hasMoved) settling.awaited(TRANSFER, hasMoved(now));
    return { now, isLate: isDue(shown) && times > 1 };
  }

  /** Reads again after the settle time. */
  async #confirmed(first: Effects.Gains): Promise<Effects.Gains> {
    await this.#t.settle();
    const second = await this.read();
    if (Effects.sameGains(first, second)) return second;
    await this.#t.settle();
    return this.read();
  }

  /** Balances once all that was sent to the cards has had its time to show. */
  async settled(): Promise<Effects.Gains> {
    const isUntouched = this.#t.run.history.sinceChange(this.#cards) > performance.now() - this.#since;
    if (this.#held && isUntouched) return this.#held;
    await this.#t.quiet(this.#cards);
    return this.read();
  }

  async read(): Promise<Effects.Gains> {
    const readOne = async (card: string): Promise<[string, number][]> => {
      const cents = await optional(this.#t.balance(card));
      return cents === undefined ? [] : [[card, cents]];
    };
    return new Map((await Promise.all(this.#cards.map(readOne))).flat());
  }

  /** Whether a balance changes by itself. Watched for as long as the cards have been read so far: what happened in that time happens again. */
  async drifts(): Promise<boolean> {
    await this.#t.quiet(this.#cards);
    const between = Math.min(performance.now() - this.#since, numbers.longestWatch) / (numbers.watched - 1);
    const first = await this.read();
    for (let times = 1; times < numbers.watched; times++) {
      await this.#t.pause(between);
      if (!Effects.sameGains(first, await this.read())) return true;
    }
    await this.#t.settle();
    return !Effects.sameGains(first, await this.read());
  }
}
