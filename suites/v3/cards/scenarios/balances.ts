/** Money as it is judged: by getBalance alone, over the cards of a transfer (readings 10, 27 and 49). */
import { type Answer, type Input, member, succeeded } from '../../../../helpers/answer.ts';
import type { RequestOptions } from '../../../../helpers/call.ts';
import { amount } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/context.ts';
import type { Run } from '../../../../helpers/run.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';

/** What each card gained, in cents, by its identifier; a loss is negative. */
export type BalanceChanges = ReadonlyMap<string, number>;

/** A transfer that was asked for, and what came of it. */
export interface TransferAttempt {
  answer: Answer;
  /** Cents asked for; undefined where none were. */
  cents: number | undefined;
  /** Balances before, in cents. */
  before: ReadonlyMap<string, number>;
  gains: BalanceChanges;
  /** Sends the same once more when all else has had its time to show; gives what the cards gain until that has, too. */
  again: () => Promise<BalanceChanges>;
  /** What came of that, where it was asked for. */
  gainsAgain?: BalanceChanges | undefined;
}

/** Balances are compared to the cent; what a binary fraction leaves is far below this. */
export const TOLERANCE_CENTS = 0.01;
/** Times that balances are read to see whether they change by themselves. */
const WATCHED = 10;

/** Whether two amounts in cents are the same, {@link TOLERANCE_CENTS} apart at most. */
export const sameCents = (one: number, other: number): boolean => Math.abs(one - other) < TOLERANCE_CENTS;
/** Whether no balance changed, of those that were read. */
export const nothingMoved = (gains: BalanceChanges): boolean => [...gains.values()].every((gain) => sameCents(gain, 0));
/** Cents that came out of nowhere; what was lost is negative. */
export const netChange = (gains: BalanceChanges): number => [...gains.values()].reduce((sum, gain) => sum + gain, 0);
/** Whether the source lost and the target gained exactly this. */
export const movedExactly = (gains: BalanceChanges, from: string, to: string, cents: number): boolean =>
  [...gains].every(([card, gain]) => sameCents(gain, card === from ? -cents : card === to ? cents : 0));

/** Whether the card paid: it lost something, or another one gained. */
export const wasDebited =
  (card: string) =>
  (gains: BalanceChanges): boolean =>
    [...gains].some(([of, gain]) => (of === card ? gain <= -TOLERANCE_CENTS : gain >= TOLERANCE_CENTS));

/**
 * Whether a payment of these cents was carried out: the card lost just that, or another one gained it, or either what it did in the
 * payment before, which may have had a fee. Other amounts may be a charge, or what another card is settled with.
 */
const wasPaid =
  (card: string, cents: number, before: TransferAttempt) =>
  (gains: BalanceChanges): boolean =>
    [...gains].some(
      ([of, gain]) =>
        sameCents(gain, of === card ? -cents : cents) || (gain !== 0 && sameCents(gain, before.gains.get(of)!)),
    );

/** What some of these amounts, or all, come to. */
export const sumsOf = (amounts: readonly number[]): number[] =>
  amounts.reduce((sums, one) => sums.flatMap((sum) => [sum, sum + one]), [0]).filter((sum) => sum > 0);

/**
 * What shows that a card paid that was to pay nothing; undefined where nothing does. The others gained what was asked for, once or several
 * times, and the card lost it; of the last payment either will do. What is charged for a change of state shows beside the first payment,
 * or late, and nobody gains it.
 * @param before the payment that was made before
 */
export function paidAnyway(
  card: string,
  payments: readonly TransferAttempt[],
  before: TransferAttempt,
  late: BalanceChanges,
): BalanceChanges | undefined {
  const sums = sumsOf(payments.map(({ cents }) => cents!));
  const isPaid = ([of, gain]: [string, number]) => {
    const due = [...sums.map((sum) => (of === card ? -sum : sum)), before.gains.get(of)!];
    return gain !== 0 && due.some((one) => sameCents(gain, one));
  };
  const last = payments.at(-1)!;
  return (
    [...payments.map(({ gains }) => gains), late].find((gains) => gains.size > 0 && [...gains].every(isPaid)) ??
    [last.gains].find(wasPaid(card, last.cents!, before))
  );
}

/** What may be sent beside target and amount. */
export const OPTIONAL = { comment: 'transfer', customFields: { customField1: 'one' } } as const;

/** What a transfer answers beside the money: a success and a refusal with status 200 differ in it. */
const claim = (answer: Answer) =>
  ['errorCode', 'status'].map((name) => JSON.stringify(member(answer, name) ?? '')).join();

/**
 * Whether a transfer answers as one does that moved money: with a success, and with no errorCode or status of its own.
 * @param success one that moved money; without it an errorCode alone says that it was refused
 */
export function claimsSuccess(answer: Answer, success: Answer | undefined): boolean {
  if (!succeeded(answer)) return false;
  return success ? claim(answer) === claim(success) : !member(answer, 'errorCode');
}

/**
 * Whether a transfer is answered with status 200 and says that it was refused: by an errorCode or an errorMessage, or by another status
 * than that of a success. What an answer leaves out says nothing.
 */
export function saysRefused(answer: Answer, success: Answer | undefined): boolean {
  if (!succeeded(answer)) return false;
  if (member(answer, 'errorCode') || member(answer, 'errorMessage')) return true;
  const status = member(answer, 'status');
  return typeof status === 'string' && status !== '' && success !== undefined && status !== member(success, 'status');
}

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

/** A transfer, and what is sent beside its target and amount. */
export interface WholeTransfer {
  from: string;
  to: string;
  cents: number;
  members: Record<string, unknown>;
}

/** What each card gains by transfers, when all that claim success count. @param success see {@link claimsSuccess} */
export function dueBy(
  requests: readonly WholeTransfer[],
  answers: readonly Answer[],
  success: Answer | undefined,
): BalanceChanges {
  const due = new Map(requests.flatMap(({ from, to }) => [from, to]).map((card) => [card, 0]));
  for (const [index, { from, to, cents }] of requests.entries()) {
    if (!claimsSuccess(answers[index]!, success)) continue;
    due.set(from, due.get(from)! - cents);
    due.set(to, due.get(to)! + cents);
  }
  return due;
}

/**
 * Whether the balances changed as the answers to several transfers say: by all that claim success, and by any of the others that are not
 * refused by their status. Transfers that are carried out may say so in different words.
 * @param success see {@link claimsSuccess}
 */
export function changedAsAnswered(
  requests: readonly WholeTransfer[],
  answers: readonly Answer[],
  gains: BalanceChanges,
  success: Answer | undefined,
): boolean {
  const due = dueBy(requests, answers, success);
  const missing = new Map([...gains].map(([card, gain]) => [card, gain - due.get(card)!]));
  const open = requests.filter(
    (_request, index) => succeeded(answers[index]!) && !claimsSuccess(answers[index]!, success),
  );
  return isMadeBy(open, missing);
}

/** Whether some of the transfers, or none, change the balances by exactly this. */
function isMadeBy([first, ...rest]: readonly WholeTransfer[], gains: BalanceChanges): boolean {
  if (!first) return nothingMoved(gains);
  const { from, to, cents } = first;
  const left = new Map(gains).set(from, gains.get(from)! + cents);
  return isMadeBy(rest, gains) || isMadeBy(rest, left.set(to, left.get(to)! - cents));
}

/** Whether what each card gained otherwise than is due is made of amounts that it was to pay or to be paid: some were lost, or booked twice. */
export function differsByAmounts(
  requests: readonly WholeTransfer[],
  gains: BalanceChanges,
  due: BalanceChanges,
): boolean {
  return [...gains].every(([card, gain]) => {
    const own = requests.filter(({ from, to }) => [from, to].includes(card)).map(({ cents }) => cents);
    const sums = own.reduce((some, cents) => some.flatMap((sum) => [sum - cents, sum, sum + cents]), [0]);
    return sums.some((sum) => sameCents(sum, gain - due.get(card)!));
  });
}

/** The balances of some cards while money is moved between them. */
export class Balances {
  readonly #t: Context;
  readonly #cards: readonly string[];
  /** As the transfers made them, and readings confirmed. */
  #last: ReadonlyMap<string, number> | undefined;
  /** Whether something was read that no transfer that was accepted accounts for. */
  #isOdd = false;
  /** A transfer that moved money. */
  success: Answer | undefined;

  constructor(t: Context, cards: readonly string[]) {
    this.#t = t;
    this.#cards = cards;
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
    const after = await this.#t.eventually(
      () => this.#read(),
      (now) => isShown(gained(before, now)),
    );
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
   * Whether a balance changes by itself: looked at where something was read that no accepted transfer accounts for.
   * @param anyway look at it whatever was read
   */
  async drifts(anyway = false): Promise<boolean> {
    if (!this.#isOdd && !anyway) return false;
    await this.#t.quiet(this.#cards);
    const first = await this.#read();
    for (let times = 1; times < WATCHED; times++) if (!nothingMoved(gained(first, await this.#read()))) return true;
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
    const after = await this.#t.eventually(
      () => this.#read(),
      (now) => !waits(answer) || isShown(gained(before, now)),
    );
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
    if (!nothingMoved(attempt.gains)) return { from, to, attempt, members };
  }
  return undefined;
}
