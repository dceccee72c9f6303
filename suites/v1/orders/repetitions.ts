/** An order that is repeated again and again, after others and otherwise in some of it (order rule 6, reading 44). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import type { WrongRequest } from '../../shared/right-twins.ts';
import { attempt, type Step } from '../../shared/step.ts';
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

/** An order that repeats an earlier one, in words, and what came of it. */
export interface Repetition {
  what: string;
  answer: Step<Answer>;
}

/** Sends orders one after the other: where no further one may be made, those before are judged anyway. */
export async function inTurn(orders: readonly WrongRequest[]): Promise<Repetition[]> {
  const sent: Repetition[] = [];
  for (const { what, send } of orders) sent.push({ what, answer: await attempt(send) });
  return sent;
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
  // The first may take a while to show.
  await t.settle();
  const repeat = (body: Body) => order(t, { ...body, externalIdentifier });
  const atOnce = await inTurn([
    { what: 'order with the same externalIdentifier', send: () => repeat(make()) },
    { what: 'order with the same externalIdentifier, the third time,', send: () => repeat(make()) },
  ]);
  // A refused one in between is told from the others by a member that it lacks.
  const lacking = { json: { ...without(make(), 'city'), externalIdentifier } };
  await attempt(() => t.call(ORDER, lacking, { intent: 'malformed' }));
  const bodies = saidOtherwise(t, 'orders with an externalIdentifier again', make(), succeeded(otherwise));
  const afterwards = await inTurn(
    bodies.map((body) => ({
      what: 'order with the same externalIdentifier, after one that was refused and otherwise in some of it,',
      send: () => repeat(body),
    })),
  );
  return { first, again: [...atOnce, ...afterwards], externalIdentifier, base };
});
