/** Amounts of transfers: those that the fixtures allow, else whole ones from 1.00 to 10.00 (reading 48); and what cards gain. */
import { amount, type Call, cents, readBalance } from '../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../helpers/cards/pools.ts';
import type { Context } from '../../helpers/check.ts';
import type { Run } from '../../helpers/run.ts';

const UNIT = 100;

/** The amounts that one transfer may move, in cents. */
export interface AmountRule {
  least: number;
  most: number;
  step: number;
}

/** The amount, in cents, that the target accepted after it had refused the first plain one, by run. */
const taken = new WeakMap<Run, number>();

/** Notes that the target refused the first plain amount and accepted another: later transfers move that amount or a multiple of it. */
export const noteTaken = ({ run }: Context, inCents: number): unknown => taken.set(run, inCents);

/**
 * The rule of `cards.transferAmounts` in the fixtures file; without it, one that any target is likely to accept. It is narrowed to what the
 * target was seen to accept where it refuses the first plain amount.
 */
export function ruleOf({ fixtures, run }: Context): AmountRule {
  const given = fixtures.cards?.transferAmounts;
  const inCents = (units: number | undefined) => (units === undefined ? undefined : Math.round(cents(units)));
  const step = inCents(given?.step) ?? (given ? 1 : UNIT);
  const least = inCents(given?.least) ?? Math.max(UNIT, step);
  const rule = { least, most: Math.max(least, inCents(given?.most) ?? 10 * UNIT), step };
  const amount = taken.get(run);
  if (amount === undefined) return rule;
  return { least: amount, step: amount, most: amount < plain(rule, 1) ? amount : Math.max(rule.most, amount) };
}

/** The `n`th plain amount in cents: counts up from the least, in whole units where the rule allows them, and wraps round after the most. */
export function plain({ least, most, step }: AmountRule, n: number): number {
  const stride = step * Math.max(1, Math.round(UNIT / step));
  const count = Math.floor((most - least) / stride) + 1;
  return least + (n % count) * stride;
}

/** The amount, in units, of a complete transfer request: not the least where the fixtures allow more, since interest may be as small. */
export const named = (t: Context): number => amount(plain(ruleOf(t), 1));

/** Whether a gain in cents is the amount of a complete transfer request. */
export const isNamed = (t: Context, gain: number): boolean => isAlmost(gain, cents(named(t)));

/** Whether two amounts in cents differ by no more than rounding may hide. */
export const isAlmost = (one: number, other: number): boolean => Math.abs(one - other) < 0.1;

/** Whether one card gained an amount, while one lost something: what it paid, and maybe a fee. */
export const isPaid = (gains: readonly number[], isAmount: (gain: number) => boolean): boolean =>
  gains.some(isAmount) && gains.some((gain) => gain < 0);

/** What cards gain, in cents, while something is done that must move no money: what two readings afterwards show alike (reading 49). */
export async function gainsDuring<T>(
  t: Context,
  cards: readonly LeasedCard[],
  act: () => Promise<T>,
): Promise<{ done: T; gains: number[] }> {
  if (cards.length === 0) return { done: await act(), gains: [] };
  const call: Call = (operation, input) => t.call(operation, input, { intent: 'refusable' });
  const read = () => Promise.all(cards.map(({ identifier }) => readBalance(call, identifier)));
  let before = cards.map(({ balance }) => balance);
  await t.quiet(cards.map(({ identifier }) => identifier));
  if (t.run.configuration.run.settleMs > 0) {
    await t.settle();
    before = await read();
  }
  const done = await act();
  const gained = async () => {
    await t.settle();
    return (await read()).map((now, index) => (now ?? Number.NaN) - (before[index] ?? Number.NaN));
  };
  const first = await gained();
  const again = first.some(Boolean) ? await gained() : first;
  return { done, gains: again.filter((gain, index) => Boolean(gain) && gain === first[index]) };
}

/**
 * Amounts in cents to request from a card that must not pay, in addition to a plain amount. The seed chooses one: the most that a transfer moves,
 * nearly the whole balance, or less than a unit, which no plain amount is. Never the whole balance, which may be paid out when an account closes.
 */
export function toRefuse(t: Context, card: string, balance: number): number[] {
  const nearlyAll = Math.floor(balance) - 1;
  const forms = [
    { name: 'the most that a transfer moves', cents: Math.min(ruleOf(t).most, nearlyAll) },
    { name: 'nearly all that it has', cents: nearlyAll },
    { name: 'less than a unit', cents: 83 },
  ];
  const asked = t.rotated(`transfers: asked of a ${card} card`, forms).map(({ cents }) => cents);
  return asked.filter((cents) => cents > 0 && cents <= balance);
}
