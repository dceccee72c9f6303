/** Two identifiers that differ are two, wherever they differ (reading 44). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { another } from '../../../helpers/engine/forms/invented.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { type BaseOrder, expectOrderAccepted, order } from './base-orders.ts';
import { type Body, unusedOf } from './bodies.ts';
import { expectAnother } from './identifiers.ts';

/**
 * Expects an order to be taken whose identifier differs from that of an accepted one in the last character alone. Where it is refused, orders
 * whose identifiers differ everywhere are the controls.
 * @param first the accepted order, and `identifier` what it was identified by
 * @param under makes an order with an identifier
 * @throws Nonconformance when the second order is refused, or answered as the first; Inconclusive
 */
export async function expectDistinct(
  t: Context,
  base: BaseOrder,
  what: string,
  { first, identifier, under }: { first: Answer; identifier: unknown; under: (identifier: string) => Body },
): Promise<void> {
  const text = String(identifier);
  const last = text.search(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/);
  if (typeof identifier !== 'string' || last < 1)
    inconclusive('the program takes no identifiers that could differ late');
  const late = () => unusedOf(t, () => text.slice(0, last) + another(text[last]!) + text.slice(last + 1));
  await t.settle();
  const second = await order(t, under(late()));
  const how = `${what} that differs from an earlier one in its last character`;
  const control = () => under(unusedOf(t, () => [...text].map(another).join('')));
  const made = succeeded(second) ? second : await expectOrderAccepted(t, base, how, () => under(late()), { control });
  expectAnother(first, made, [base.answer], how);
}
