/** Further amounts of a transfer that may have a fee: what they cost tells (reading 27). */
import { amount } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/check.ts';
import { attempt } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import type { Books } from './books.ts';

/** Which plain amounts: far from each other, since the fees of similar ones may differ by tiers. */
const FURTHER = [0, 4, 9];

/** Makes the control of some books with further amounts. One that may not be sent ends it: larger ones follow. */
export async function sendFurtherAmounts(t: Context, books: Books): Promise<void> {
  if (!books.control) return;
  const { step, make } = books.control;
  const control = await make();
  for (const n of FURTHER) {
    const cents = Amounts.plain(Amounts.ruleOf(t), n);
    const units = amount(cents);
    const payment = { ...control, cents, input: { json: { ...(control.input.json as object), amount: units } } };
    const row = { name: `a further transfer of ${units.toFixed(2)}`, step };
    if ((await attempt(() => books.prepare(row, payment))).isEnded) return;
  }
}
