/** Money, judged by getBalance alone, over the cards of a transfer (readings 10, 27 and 49). */
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

/** Number of times to read balances to see whether they change by themselves. */
const WATCHED = 10;
/** Longest time in milliseconds to watch balances: rarer changes hardly coincide with a transfer. */
const LONGEST_WATCH_MS = 5000;

/** Optional members of a transfer. */
export const OPTIONAL = { comment: 'transfer', customFields: { customField1: 'one' } } as const;

/** The first form of transfer that moved money, by run. */
const moving = new WeakMap<Run, AcceptedForm>();

interface AcceptedForm {
  cents: number;
  members: Record<string, unknown>;
  /** The answer to the transfer. */
  answer: Answer;
}

/** The first form of transfer that moved money in this run; undefined until then. If it is refused later, the target may limit the number of transfers. */
export const acceptedForm = (t: Context) => moving.get(t.run);

/** The balances of some cards while money is moved between them. */
export class Balances {
  readonly #t: Context;
  readonly #cards: readonly string[];
  readonly #since: number;
  /** The balances after the last transfer, confirmed by reading again; undefined while they are not known. */
  #last: ReadonlyMap<string, number> | undefined;
  /** Whether a change was read that no accepted transfer accounts for. */
  #isOdd = false;
  /** Whether a transfer was answered before the balances showed it. */
  showsLate = false;
  /** The answer to the first accepted transfer that moved money. */
  success: Answer | undefined;

  /** @param since time by performance.now() from which the cards have been read */
  constructor(t: Context, cards: readonly string[], since = performance.now()) {
    this.#t = t;
    this.#cards = cards;
    this.#since = since;
  }

  /** The card's balance in cents when it was last read. @throws Inconclusive when the target gives none */
  async of(card: string): Promise<number> {
    return (await this.#known()).get(card)!;
  }

  /**
   * Asks for a transfer that should succeed, and waits until the balances show exactly its amount.
   * @param more members other than target and amount
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

  /** Keeps the first form with an amount that any card may pay: the whole balance of one card is no amount for another. */
  #noteForm(cents: number, members: Record<string, unknown>, answer: Answer): void {
    const { least, most } = amountRule(this.#t);
    if (cents >= least && cents <= most && !moving.has(this.#t.run))
      moving.set(this.#t.run, { cents, members, answer });
  }

  /**
   * Asks for a transfer that need not succeed. If the answer claims success, the balances are given time to show it.
   * @throws Blocked, Inconclusive when a balance cannot be read
   */
  attempt(from: string, input: Omit<Input, 'path'>, options: RequestOptions, cents?: number): Promise<TransferAttempt> {
    const waits = (answer: Answer) => claimsSuccess(answer, this.success);
    return this.#transfer({ path: { identifier: from }, ...input }, options, cents, waits, () => false);
  }

  /**
   * Sends transfers at the same moment, and waits until the balances show what the answers claim.
   * @param expected the changes due if all that claim success count
   */
  together(requests: readonly WholeTransfer[], expected: (answers: readonly Answer[]) => BalanceChanges) {
    return this.#several(expected, () => Promise.all(requests.map((one) => this.#send(one, true))));
  }

  /** Like {@link together}, but sends each transfer as soon as the one before is answered. */
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

  /** Changes since the balances were last read, though no transfer was asked for in between. */
  async late(): Promise<BalanceChanges> {
    const before = await this.#known();
    const after = await this.#read();
    this.#last = nothingMoved(gained(before, after)) ? after : await this.#confirmed(before, after);
    return gained(before, this.#last);
  }

  /**
   * Whether a balance changes by itself. Watched only after a change that no accepted transfer accounts for, and for as long as the cards have
   * been read so far, up to {@link LONGEST_WATCH_MS}: what happened in that time, such as interest, happens again.
   * @param anyway watch even without such a change
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

  /** Reads again after the settle time: a replica may return old values for a while. */
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

  /** The balances before a transfer; the first time, they are read once all earlier changes have had time to show. */
  async #known(): Promise<ReadonlyMap<string, number>> {
    if (this.#last) return this.#last;
    await this.#t.quiet(this.#cards);
    this.#last = await this.#read();
    return this.#last;
  }

  /** Reads until the expected change shows, for at most the settle time. */
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

/** A transfer that moved money: the cards, and the members that the target accepted. */
export interface PlainTransfer {
  from: string;
  to: string;
  attempt: TransferAttempt;
  /** Members other than target and amount. */
  members: Record<string, unknown>;
}

/**
 * Tries forms of a transfer until one moves money, since a target may have rules: the form that moved money earlier in this run or, if none
 * did, without and with a comment and customFields, with other amounts; each between other cards, and the first once more later
 * (readings 47 and 48).
 * @param pairs source and target cards, in order of preference
 * @returns undefined when none moves money
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
