/** Amounts that transfers are asked for: those that the fixtures allow, else whole ones from 1.00 to 10.00 (reading 48). */
import { cents } from '../../helpers/cards/card-state.ts';
import type { Context } from '../../helpers/context.ts';

const UNIT = 100;

/** What one transfer may move, in cents. */
export interface AmountRule {
  least: number;
  most: number;
  step: number;
}

/** By `cards.transferAmounts` of the fixtures file; without it, what any target is likely to take. */
export function amountRule({ fixtures }: Context): AmountRule {
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

/** The largest amount, in cents, that a card with this balance may pay; undefined where it is less than a transfer moves. */
export function mostOf(t: Context, balance: number): number | undefined {
  const { least, most } = amountRule(t);
  const cents = Math.min(most, Math.floor(balance));
  return cents < least ? undefined : cents;
}
