/** What transfers do to balances (readings 10, 27 and 49): a choice of effects that explains what cards gained, and what it contradicts. Pure. */
import { numbers } from '../../../../contracts/numbers.ts';
import { type Answer, describe, type Input, succeeded } from '../../../../helpers/answer.ts';
import type { RequestOptions } from '../../../../helpers/call.ts';
import * as Claims from './claims.ts';

/** What each card gained in cents, by its identifier; a loss is negative. */
export type Gains = ReadonlyMap<string, number>;

/** A request for a transfer, and what it asks for where that is known. */
export interface Payment {
  from: string;
  to?: string;
  cents?: number;
  input: Omit<Input, 'path'>;
  options?: RequestOptions;
}

/** A line of the table of transfers: one request, or several that belong together. */
export interface Row {
  name: string;
  /** The step of the life that it belongs to, whose readers judge it; the one of its name if absent. */
  step?: string;
  /** Whether it must move nothing, whatever the answer. */
  movesNothing?: boolean;
  /** Whether the documents are silent on its amount: money is neither made nor lost, whatever it moves. */
  isUnusual?: boolean;
  /** Whether it asks for more than there is: an answer of 200 may decline it without saying so. */
  isBeyond?: boolean;
  /** Whether its requests are sent at the same moment. */
  atOnce?: boolean;
  /** The rows without which it shows nothing where it is made again. */
  after?: readonly string[];
  /** A name of rows that follow one another, as the seed draws them: where it shows nothing alone, it is made again among them. */
  among?: string;
  /** Whether what it does may be undone when the state of its card changes: it is read after that, where it is made again, too. */
  isOpen?: boolean;
  /** Whether it is made though money was seen to go missing elsewhere: it shows that it does. */
  showsLoss?: boolean;
}

export type Sent = { row: Row; payments: readonly Payment[]; answers: readonly Answer[] };

/** Whether two sums in cents are the same: the tolerance is far above the error of binary fractions. */
export const sameCents = (one: number, other: number): boolean => Math.abs(one - other) < numbers.sameCents;

/** What each card gained in cents, whichever it is. */
export const centsOf = (gains: Gains): number[] => [...gains].map(([, cents]) => cents);

/** Whether no balance changed. */
export const nothingMoved = (gains: Gains): boolean => centsOf(gains).every((gain) => sameCents(gain, 0));

/** Cents that appeared out of nowhere; negative for a loss. A sum within the tolerances of the balances counts as zero. */
export function netChange(gains: Gains): number {
  const net = centsOf(gains).reduce((sum, gain) => sum + gain, 0);
  return Math.abs(net) < numbers.sameCents * gains.size ? 0 : net;
}

/** The sum of gains, over the cards of the first. */
export const plus = (one: Gains, other: Gains, times = 1): Gains =>
  new Map([...one].map(([card, gain]) => [card, gain + times * (other.get(card) ?? 0)]));

/** Whether two gains are the same, over the cards of the first. */
export const sameGains = (one: Gains, other: Gains): boolean => nothingMoved(plus(one, other, -1));

const NOTHING: Gains = new Map();

/** The step that a row belongs to. */
export const stepOf = ({ step, name }: Row): string => step ?? name;

/** What a payment of so much gains: nothing where a card pays itself. */
function moved({ from, to }: Payment, cents: number, { source = 1, target = 1 } = {}): Gains {
  const gains = new Map([[from, -cents * source]]);
  if (to !== undefined) gains.set(to, (gains.get(to) ?? 0) + cents * target);
  return gains;
}

/** Whether a payment moved its amount, and nothing else. */
export const isExact = (payment: Payment, gains: Gains): boolean => sameGains(gains, moved(payment, payment.cents!));

/** The effects that a row may have, the likeliest first: transfers that claim success count once, and those that are refused do not. */
export function rightEffects({ row, payments, answers }: Sent, success?: Answer): Gains[] {
  if (row.movesNothing) return [NOTHING];
  const each = payments.map((payment, index) => {
    const { cents } = payment;
    if (cents === undefined || !succeeded(answers[index]!)) return [NOTHING];
    if (row.isUnusual)
      return [NOTHING, ...[cents, Math.floor(cents), Math.ceil(cents), -cents].map((one) => moved(payment, one))];
    const full = moved(payment, cents);
    return Claims.isSuccess(answers[index]!, success) && !row.isBeyond ? [full] : [full, NOTHING];
  });
  return each.reduce((all, effects) => all.flatMap((one) => effects.map((other) => joined(one, other))), [NOTHING]);
}

/** What a row that must move nothing has moved if it is accepted all the same: likelier than any wrong effect of another. */
const claimedEffects = ({ row, payments: [payment, ...others], answers }: Sent): Gains[] =>
  row.movesNothing && payment?.cents !== undefined && others.length === 0 && answers.every(succeeded)
    ? [moved(payment, payment.cents)]
    : [];

const joined = (one: Gains, other: Gains): Gains => plus(new Map([...plus(other, other, -1), ...one]), other);

/** The sides of a wrong effect: all of it, one side alone, the wrong way round, twice. */
const WRONG_SIDES = [{}, { target: 0 }, { source: 0 }, { source: -1, target: -1 }, { source: 2, target: 2 }];

/** Effects that a row may have on an implementation that gets it wrong. */
function wrongEffects({ payments: [payment, ...others] }: Sent): Gains[] {
  if (others.length > 0) return [];
  const { cents } = payment ?? {};
  return [NOTHING, ...(cents === undefined ? [] : WRONG_SIDES.map((sides) => moved(payment!, cents, sides)))];
}

/** Most rows of a choice that have a wrong effect, and most choices to look at. */
const MOST_WRONG = 2;
const MOST_CHOICES = 500_000;

/**
 * The effects of rows that together explain what the cards gained, with as few wrong ones as possible; undefined where no choice does, or there
 * are too many.
 * @param options.earlier rows that moved nothing, and may do so late
 */
export function explain(
  sent: readonly Sent[],
  gains: Gains,
  { success, earlier = [] }: { success?: Answer | undefined; earlier?: readonly Sent[] } = {},
): Map<Sent, Gains> | undefined {
  // What is accepted is likelier to have moved money than what is refused.
  const isAccepted = ({ answers }: Sent) => Number(answers.every(succeeded));
  const inOrder = [...earlier, ...sent].toSorted((a, b) => isAccepted(a) - isAccepted(b));
  if (inOrder.length === 1) return new Map([[inOrder[0]!, gains]]);
  const rows = inOrder.map((one) => ({
    right: earlier.includes(one) ? [NOTHING] : [...rightEffects(one, success), ...claimedEffects(one)],
    wrong: wrongEffects(one),
  }));
  const search = new Search(rows, [...gains.keys()]);
  for (let wrong = 0; wrong <= MOST_WRONG; wrong++) {
    const effects = search.find(gains, wrong);
    if (effects) return new Map(inOrder.map((one, index) => [one, effects[index]!]));
  }
  return undefined;
}

/** The effects that a row may have. */
interface Possible {
  right: readonly Gains[];
  wrong: readonly Gains[];
}

/** A search through the effects that rows may have, for a choice of one effect of each row. */
class Search {
  readonly #rows: readonly Possible[];
  #choices = 0;

  constructor(rows: readonly Possible[], cards: readonly string[]) {
    const ofCards = (effect: Gains): Gains => new Map(cards.map((card) => [card, effect.get(card) ?? 0]));
    this.#rows = rows.map(({ right, wrong }) => ({ right: right.map(ofCards), wrong: wrong.map(ofCards) }));
  }

  /** Effects of the rows from one on that add up to what is left, so many of them wrong ones. */
  find(left: Gains, wrong: number, from = 0): Gains[] | undefined {
    const row = this.#rows[from];
    if (!row) return wrong === 0 && nothingMoved(left) ? [] : undefined;
    return (
      this.#choose(row.right, left, wrong, from) ??
      (wrong > 0 ? this.#choose(row.wrong, left, wrong - 1, from) : undefined)
    );
  }

  #choose(effects: readonly Gains[], left: Gains, wrong: number, from: number): Gains[] | undefined {
    for (const effect of effects) {
      if (++this.#choices > MOST_CHOICES) return undefined;
      const others = this.find(plus(left, effect, -1), wrong, from + 1);
      if (others) return [effect, ...others];
    }
    return undefined;
  }
}

/** What an accepted payment cost beyond its amount; undefined where that cannot be told. */
export function costOf({ row, payments, answers }: Sent, gains: Gains) {
  const [{ from, to = '', cents = 0 }] = payments as [Payment];
  const [lost, got] = [-(gains.get(from) ?? 0), gains.get(to)];
  if (row.movesNothing || payments.length > 1 || !succeeded(answers[0]!)) return undefined;
  return cents <= 0 || got === undefined || lost <= 0
    ? undefined
    : { from, cents, paid: lost - cents, kept: cents - got };
}

/** What was expected of a row, and what it did instead, in words. */
export function differenceOf({ row, payments, answers }: Sent, gains: Gains): [expected: string, actual: string] {
  const [{ from, to, cents }, ...others] = payments as [Payment, ...Payment[]];
  const isOne = others.length === 0;
  const right = isOne
    ? `a source that loses, and a target that gains, ${cents} cents`
    : 'balances that change as the answers say';
  const who = (card: string) =>
    isOne && card === from ? 'the source' : isOne && card === to ? 'the target' : 'a card';
  const each = [...gains].map(([card, gain]) => `${who(card)} gains ${Math.round(gain * 100) / 100} cents`);
  const actual = `${answers.map(describe).join(' and ')}; ${each.join(', ')}`;
  return [row.movesNothing ? 'unchanged balances' : right, actual];
}
