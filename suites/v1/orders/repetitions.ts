/** Repeats an order several times, after other orders and with other values (Order rules, 6; reading 44). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import type { WrongRequest } from '../../../helpers/engine/refusal.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { attempt, type Step } from '../../../helpers/engine/step.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
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

/** An order that repeats an earlier one. */
export interface Repetition {
  what: string;
  answer: Step<Answer>;
}

/** Sends orders one after the other. One that cannot be sent, as when the budget is used up, leaves the others to be judged. */
export async function inTurn(orders: readonly WrongRequest[]): Promise<Repetition[]> {
  const sent: Repetition[] = [];
  for (const { what, send } of orders) sent.push({ what, answer: await attempt(send) });
  return sent;
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
  const repeat = (body: Body) => order(t, { ...body, externalIdentifier });
  const atOnce = await inTurn([
    { what: 'order with the same externalIdentifier', send: () => repeat(make()) },
    { what: 'order with the same externalIdentifier, the third time,', send: () => repeat(make()) },
  ]);
  // Between the repetitions comes one that is refused for a missing member.
  const lacking = { json: { ...without(make(), 'city'), externalIdentifier } };
  await attempt(() => t.call(ORDER, lacking, { intent: 'malformed' }));
  const bodies = variationsOf(t, 'orders with an externalIdentifier again', make(), succeeded(otherwise));
  const afterwards = await inTurn(
    bodies.map((body) => ({
      what: 'order with the same externalIdentifier and other values, after a refused one,',
      send: () => repeat(body),
    })),
  );
  return { first, again: [...atOnce, ...afterwards], externalIdentifier, base };
});
