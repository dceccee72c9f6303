/** Amounts that transfers are asked for: those that the fixtures allow, else whole ones from 1.00 to 10.00 (reading 48). */
import { cents } from '../../helpers/cards/card-state.ts';
import type { Context } from '../../helpers/context.ts';
import { rotated } from '../../helpers/rotation.ts';
import type { Run } from '../../helpers/run.ts';

const UNIT = 100;

/** What one transfer may move, in cents. */
export interface AmountRule {
  least: number;
  most: number;
  step: number;
}

/** The amount that the target took where it had refused the first plain one, by the run that saw it. */
const taken = new WeakMap<Run, number>();

/** Notes that the target refuses the first plain amount and takes another one: what it is asked for next is of that, or of several of it. */
export const noteAmountTaken = ({ run }: Context, inCents: number): unknown => taken.set(run, inCents);

/** What the target was seen to take where it takes not any amount that the fixtures, or reading 48, name. */
export function amountRule(t: Context): AmountRule {
  const rule = ruleOf(t);
  const amount = taken.get(t.run);
  if (amount === undefined) return rule;
  return { least: amount, step: amount, most: amount < plainAmount(rule, 1) ? amount : Math.max(rule.most, amount) };
}

/** By `cards.transferAmounts` of the fixtures file; without it, what any target is likely to take. */
function ruleOf({ fixtures }: Context): AmountRule {
  const given = fixtures.cards?.transferAmounts;
  const inCents = (units: number | undefined) => (units === undefined ? undefined : Math.round(cents(units)));
  const step = inCents(given?.step) ?? (given ? 1 : UNIT);
  const least = inCents(given?.least) ?? Math.max(UNIT, step);
  return { least, most: Math.max(least, inCents(given?.most) ?? 10 * UNIT), step };
}

/** The plain amount number `n`: from the least on, in whole units where the rule has them, and from the least again past the most. */
export function plainAmount({ least, most, step }: AmountRule, n: number): number {
  const stride = step * Math.max(1, Math.round(UNIT / step));
  const count = Math.floor((most - least) / stride) + 1;
  return least + (n % count) * stride;
}

/** Less than a unit, in cents, as no plain amount is. */
const BELOW_A_UNIT = 83;

/**
 * What a card with this balance is asked for, in cents, that is to pay nothing, beside a plain amount: by the seed the most that a transfer
 * moves, nearly all that the card has, or less than a unit. Not all of it: that may be paid out when an account is closed.
 */
export function amountsToRefuse(t: Context, card: string, balance: number): number[] {
  const nearlyAll = Math.floor(balance) - 1;
  const forms = [
    { name: 'the most that a transfer moves', cents: Math.min(amountRule(t).most, nearlyAll) },
    { name: 'nearly all that it has', cents: nearlyAll },
    { name: 'less than a unit', cents: BELOW_A_UNIT },
  ];
  return rotated(t.run, `transfers: asked of a ${card} card`, forms)
    .map(({ cents }) => cents)
    .filter((cents) => cents > 0 && cents <= balance);
}
