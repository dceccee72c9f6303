/** An order that is repeated again and again, after others and otherwise in some of it (order rule 6, reading 44). */
import { succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { type BaseOrder, baseOrders, ORDER, order, requirePlainBase } from './base-orders.ts';
import {
  allSaidOtherwise,
  type Body,
  identified,
  PLAIN_PROGRAMS,
  programOf,
  saidOtherwise,
  without,
} from './bodies.ts';

/** The plain program for duplicates: another than `other`, if there is one. */
export async function programForDuplicates(t: Context): Promise<BaseOrder> {
  const other = programOf(t, 'other');
  for (const key of PLAIN_PROGRAMS.filter((one) => programOf(t, one))) {
    const found = await t.shared(baseOrders[key]);
    if (succeeded(found.answer) && String(found.program.custProgId) !== String(other?.custProgId)) return found;
  }
  return requirePlainBase(t);
}

/**
 * Repeats one order after others, and with other values beside its externalIdentifier.
 * @throws Skipped where no program is there for it, Inconclusive where its first order is refused
 */
export const repetitions = scenario('orders with an externalIdentifier that is not the latest', async (t) => {
  t.prioritise();
  const base = await programForDuplicates(t);
  const { make } = base;
  const { externalIdentifier, ...of } = identified(t, make());
  const first = requireAccepted(
    await order(t, { ...of, externalIdentifier }),
    'the order whose externalIdentifier is repeated',
  );
  const otherwise = await order(t, identified(t, allSaidOtherwise(t, make())));
  if (!succeeded(otherwise)) await order(t, identified(t, make()));
  // the first may take a while to show
  await t.settle();
  const repeat = (body: Body) => order(t, { ...body, externalIdentifier });
  const again = [
    { what: 'order with the same externalIdentifier', answer: await repeat(make()) },
    { what: 'order with the same externalIdentifier, the third time,', answer: await repeat(make()) },
  ];
  // A refused one in between is told from the others by a member that it lacks.
  await t.call(ORDER, { json: { ...without(make(), 'city'), externalIdentifier } }, { intent: 'malformed' });
  for (const body of saidOtherwise(t, 'orders with an externalIdentifier again', make(), succeeded(otherwise)))
    again.push({
      what: 'order with the same externalIdentifier, after one that was refused and otherwise in some of it,',
      answer: await repeat(body),
    });
  return { first, again, externalIdentifier, base };
});
