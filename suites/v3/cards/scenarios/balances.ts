/** Money as it is judged: by getBalance alone, over the cards of a transfer (readings 10, 27 and 49). */
import { type Answer, type Input, succeeded } from '../../../../helpers/answer.ts';
import type { RequestOptions } from '../../../../helpers/call.ts';
import { amount } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/context.ts';
import type { Run } from '../../../../helpers/run.ts';
import { amountRule, noteAmountTaken, plainAmount } from '../../../shared/amounts.ts';
import {
  type BalanceChanges,
  movedExactly,
  nothingMoved,
  sameCents,
  type TransferAttempt,
  wasDebited,
} from './balance-changes.ts';
import { claimsSuccess, type WholeTransfer } from './transfer-claims.ts';

/** Times that balances are read to see whether they change by themselves. */
const WATCHED = 10;
/** Milliseconds for which they are watched at most: what changes them more seldom hardly does at the moment of a transfer. */
const LONGEST_WATCH_MS = 5000;

/** What may be sent beside target and amount. */
export const OPTIONAL = { comment: 'transfer', customFields: { customField1: 'one' } } as const;

/** A form of transfer that moved money, by the run that saw it. */
const moving = new WeakMap<Run, AcceptedForm>();

interface AcceptedForm {
  cents: number;
  members: Record<string, unknown>;
  /** How it was answered. */
  answer: Answer;
}

/** A form of transfer that moved money in this run; undefined before. One that is refused later may be one too many for a rule of the target. */
export const acceptedForm = (t: Context) => moving.get(t.run);

/** The balances of some cards while money is moved between them. */
export class Balances {
  readonly #t: Context;
  readonly #cards: readonly string[];
  readonly #since: number;
  /** As the transfers made them, and readings confirmed. */
  #last: ReadonlyMap<string, number> | undefined;
  /** Whether something was read that no transfer that was accepted accounts for. */
  #isOdd = false;
  /** Whether a transfer was seen to be answered before it shows. */
  showsLate = false;
  /** A transfer that moved money. */
  success: Answer | undefined;

  /** @param since when the cards began to be looked at, by performance.now() */
  constructor(t: Context, cards: readonly string[], since = performance.now()) {
    this.#t = t;
    this.#cards = cards;
    this.#since = since;
  }

  /** Balance of a card when it was last read. @throws Inconclusive when the target gives none */
  async of(card: string): Promise<number> {
    return (await this.#known()).get(card)!;
  }

  /**
   * A transfer of cents between two cards that is to succeed: waits until exactly that shows.
   * @param more members beside target and amount
   * @throws Blocked, Inconclusive when a balance cannot be read
   */
  async pay(
    from: string,
    to: string,
    cents: number,
    more: Record<string, unknown> = {},
    options: RequestOptions = {},
  ): Promise<TransferAttempt> {
    const json = { targetCardIdentifier: to, amount: amount(cents), ...more };
    const isShown = (gains: BalanceChanges) => movedExactly(gains, from, to, cents);
    const attempt = await this.#transfer({ path: { identifier: from }, json }, options, cents, succeeded, isShown);
    if (wasDebited(from)(attempt.gains)) {
      this.#noteForm(cents, more, attempt.answer);
      if (succeeded(attempt.answer)) this.success ??= attempt.answer;
    }
    return attempt;
  }

  /** Keeps the first form that moved an amount that any card may pay: the whole balance of one is none for another. */
  #noteForm(cents: number, members: Record<string, unknown>, answer: Answer): void {
    const { least, most } = amountRule(this.#t);
    if (cents >= least && cents <= most && !moving.has(this.#t.run))
      moving.set(this.#t.run, { cents, members, answer });
  }

  /**
   * A transfer that need not succeed. An answer that claims success is given time to show what it did.
   * @throws Blocked, Inconclusive when a balance cannot be read
   */
  attempt(from: string, input: Omit<Input, 'path'>, options: RequestOptions, cents?: number): Promise<TransferAttempt> {
    const waits = (answer: Answer) => claimsSuccess(answer, this.success);
    return this.#transfer({ path: { identifier: from }, ...input }, options, cents, waits, () => false);
  }

  /**
   * Transfers that are sent at the same moment: waits until what they claim shows.
   * @param expected what each card gains when all that claim success count
   */
  together(requests: readonly WholeTransfer[], expected: (answers: readonly Answer[]) => BalanceChanges) {
    return this.#several(expected, () => Promise.all(requests.map((one) => this.#send(one, true))));
  }

  /** The same of transfers of which each is sent as soon as the one before is answered. */
  inTurn(requests: readonly WholeTransfer[], expected: (answers: readonly Answer[]) => BalanceChanges) {
    return this.#several(expected, async () => {
      const answers: Answer[] = [];
      for (const one of requests) answers.push(await this.#send(one, false));
      return answers;
    });
  }

  #send({ from, to, cents, members }: WholeTransfer, atOnce: boolean): Promise<Answer> {
    const json = { targetCardIdentifier: to, amount: amount(cents), ...members };
    return this.#t.call('cards.transfer', { path: { identifier: from }, json }, { intent: 'refusable', atOnce });
  }

  async #several(
    expected: (answers: readonly Answer[]) => BalanceChanges,
    send: () => Promise<Answer[]>,
  ): Promise<{ answers: Answer[]; gains: BalanceChanges }> {
    const before = await this.#known();
    this.#last = undefined;
    const answers = await send();
    const due = expected(answers);
    const isShown = (gains: BalanceChanges) => [...gains].every(([card, gain]) => sameCents(gain, due.get(card) ?? 0));
    const after = await this.#readUntil((now) => isShown(gained(before, now)));
    this.#isOdd ||= !isShown(gained(before, after));
    this.#last = after;
    return { answers, gains: gained(before, after) };
  }

  /** What changed since the balances were last read, though no transfer was asked for since. */
  async late(): Promise<BalanceChanges> {
    const before = await this.#known();
    const after = await this.#read();
    this.#last = nothingMoved(gained(before, after)) ? after : await this.#confirmed(before, after);
    return gained(before, this.#last);
  }

  /**
   * Whether a balance changes by itself: looked at where something was read that no accepted transfer accounts for, and for as long as the
   * cards were until then, {@link LONGEST_WATCH_MS} at most. What came about in that time, as interest does now and then, does so again.
   * @param anyway look at it whatever was read
   */
  async drifts(anyway = false): Promise<boolean> {
    if (!this.#isOdd && !anyway) return false;
    await this.#t.quiet(this.#cards);
    const between = Math.min(performance.now() - this.#since, LONGEST_WATCH_MS) / (WATCHED - 1);
    const first = await this.#read();
    for (let times = 1; times < WATCHED; times++) {
      await this.#t.pause(between);
      if (!nothingMoved(gained(first, await this.#read()))) return true;
    }
    await this.#t.settle();
    return !nothingMoved(gained(first, await this.#read()));
  }

  async #transfer(
    input: Input,
    options: RequestOptions,
    cents: number | undefined,
    waits: (answer: Answer) => boolean,
    isShown: (gains: BalanceChanges) => boolean,
  ): Promise<TransferAttempt> {
    const before = await this.#known();
    this.#last = undefined;
    const answer = await this.#t.call('cards.transfer', input, options);
    const after = await this.#readUntil((now) => !waits(answer) || isShown(gained(before, now)));
    const gains = gained(before, after);
    this.#last = nothingMoved(gains) || isShown(gains) ? after : await this.#confirmed(before, after);
    return { answer, cents, before, gains: gained(before, this.#last), again: () => this.#again(input, options) };
  }

  async #again(input: Input, options: RequestOptions): Promise<BalanceChanges> {
    await this.#t.settle();
    const before = await this.#read();
    await this.#t.call('cards.transfer', input, { intent: 'refusable', ...options });
    await this.#t.settle();
    this.#last = await this.#read();
    return gained(before, this.#last);
  }

  /** Reads again, the settle time apart: a replica may go back for a while. */
  async #confirmed(
    before: ReadonlyMap<string, number>,
    after: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, number>> {
    await this.#t.settle();
    const again = await this.#read();
    if (nothingMoved(gained(before, again))) return again;
    this.#isOdd = true;
    if (nothingMoved(gained(after, again))) return again;
    await this.#t.settle();
    return this.#read();
  }

  /** The balances as they are before a transfer; the first time once all that was changed before has had its time to show. */
  async #known(): Promise<ReadonlyMap<string, number>> {
    if (this.#last) return this.#last;
    await this.#t.quiet(this.#cards);
    this.#last = await this.#read();
    return this.#last;
  }

  /** Reads until what is looked for shows, the settle time long. */
  async #readUntil(isShown: (now: ReadonlyMap<string, number>) => boolean): Promise<ReadonlyMap<string, number>> {
    let isFirst = true;
    return this.#t.eventually(
      () => this.#read(),
      (now) => {
        const shown = isShown(now);
        this.showsLate ||= shown && !isFirst;
        isFirst = false;
        return shown;
      },
    );
  }

  async #read(): Promise<ReadonlyMap<string, number>> {
    const balances = this.#cards.map(async (card) => [card, await this.#t.balance(card)] as const);
    return new Map(await Promise.all(balances));
  }
}

const gained = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): BalanceChanges =>
  new Map([...now].map(([card, cents]) => [card, cents - before.get(card)!]));

/** A transfer that moved money: who paid whom, and the members that it took. */
export interface PlainTransfer {
  from: string;
  to: string;
  attempt: TransferAttempt;
  /** Members beside target and amount. */
  members: Record<string, unknown>;
}

/**
 * Asks for a transfer in all the ways that a rule of the target may want, until one moves money: as one that moved some before in this run,
 * with a comment, with customFields too, of other amounts, between other cards, and some time later (readings 47 and 48).
 * @param pairs who pays whom, the first that is wanted first
 * @returns undefined when none moves any
 */
export async function firstThatMoves(
  t: Context,
  balances: Balances,
  pairs: readonly (readonly [from: string, to: string])[],
): Promise<PlainTransfer | undefined> {
  const rule = amountRule(t);
  const given = t.fixtures.cards?.transferBody ?? {};
  const accepted = acceptedForm(t);
  const forms = accepted
    ? [accepted]
    : [1, 4, 9, 0].flatMap((n) =>
        [given, { comment: 'transfer', ...given }, { ...OPTIONAL, ...given }].map((members) => ({
          cents: plainAmount(rule, n),
          members,
        })),
      );
  const tries = pairs.flatMap(([from, to]) => forms.map((form) => ({ from, to, ...form })));
  for (const [index, { from, to, cents, members }] of [...tries, tries[0]!].entries()) {
    if (index === tries.length) await t.settle();
    const attempt = await balances.pay(from, to, cents, members, { intent: 'refusable' });
    if (nothingMoved(attempt.gains)) continue;
    if (!accepted && cents !== forms[0]!.cents) noteAmountTaken(t, cents);
    return { from, to, attempt, members };
  }
  return undefined;
}
