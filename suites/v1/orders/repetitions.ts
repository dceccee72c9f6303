/** Repeats an order several times, after other orders and with other values (Order rules, 6; reading 44). */
import { succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { attempt } from '../../../helpers/verdict.ts';
import { type BaseOrder, baseOrders, ORDER, order, requirePlainBase } from './base-orders.ts';
import { type Body, identified, PLAIN_PROGRAMS, programOf, variationsOf, withAllDifferences } from './bodies.ts';

/** The base order of a plain program to repeat, preferably not that of `other`. */
export async function programForDuplicates(t: Context): Promise<BaseOrder> {
  const other = programOf(t, 'other');
  for (const key of PLAIN_PROGRAMS.filter((one) => programOf(t, one))) {
    const found = await t.shared(baseOrders[key]);
    if (succeeded(found.answer) && String(found.program.custProgId) !== String(other?.custProgId)) return found;
  }
  return requirePlainBase(t);
}

/**
 * Repeats one externalIdentifier, in an equal order, after others, and with other values.
 * @throws Skipped without a program to order from, Inconclusive when the first order is refused
 */
export const repetitions = scenario('orders with an externalIdentifier that is not the latest', async (t) => {
  t.prioritise();
  const base = await programForDuplicates(t);
  const { make } = base;
  const { externalIdentifier, ...rest } = identified(t, make());
  const first = requireAccepted(
    await order(t, { ...rest, externalIdentifier }),
    'the order whose externalIdentifier is repeated',
  );
  const otherwise = await order(t, identified(t, withAllDifferences(t, make())));
  if (!succeeded(otherwise)) await order(t, identified(t, make()));
  // The first may take a while to show.
  await t.settle();
  const repeat = (body: Body) => attempt(() => order(t, { ...body, externalIdentifier }));
  await repeat(make());
  await repeat(make());
  // Between the repetitions comes one that is refused for a missing member.
  const lacking = { json: { ...without(make(), 'city'), externalIdentifier } };
  await attempt(() => t.call(ORDER, lacking, { intent: 'malformed' }));
  const bodies = variationsOf(t, 'orders with an externalIdentifier again', make(), succeeded(otherwise));
  for (const body of bodies) await repeat(body);
  return { first, externalIdentifier, base };
});
