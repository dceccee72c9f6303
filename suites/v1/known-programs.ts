/** Programs of the fixtures file: each is listed for some customer (readings 5 and 40). */
import { operation } from '../../contracts/operations.ts';
import { describe, succeeded } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/check.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';
import { check } from '../declare.ts';
import * as Bodies from './orders/bodies.ts';
import * as Orders from './orders/orders.ts';
import * as Customers from './scenarios/customers.ts';
import * as Programs from './scenarios/programs.ts';
import * as ValidRequests from './scenarios/valid-requests.ts';

check('portal.getCustomerProgramList.known-programs', 'programs of the fixtures file', async (t) => {
  await Promise.all([t.shared(Programs.own), t.shared(Programs.below)]);
  for (const program of Bodies.programsOf(t)) await expectListed(t, program);
});

/** Customers below that of the login whose listings are searched for a program that is not listed for the login's customer. */
const MOST_SEARCHED = 300;

/** @throws Nonconformance when no listing shows a program that still takes orders; Inconclusive when it takes none or a listing is incomplete */
async function expectListed(t: Context, program: Bodies.Program): Promise<void> {
  const key = `portal.programs.${program.key}`;
  const rowId = String(program.custProgId);
  const customer = Customers.idText(program.order?.customerId) ?? String(await t.shared(Customers.ownCustomer));
  const found = await t.shared(Programs.programsOf(customer));
  const shown = Programs.rowIds(found);
  if (shown.includes(rowId)) return;
  const unknown = found.find(({ answer }) => !succeeded(answer) && !Programs.hasNone(answer));
  if (unknown) inconclusive(`the program list with ${unknown.flags} is refused: ${describe(unknown.answer)}`);
  if (shown.includes(undefined)) inconclusive(`${key} is not listed, but some programs are listed without rowId`);
  const below = await t.shared(ValidRequests.customersBelow);
  for (const customerId of below.slice(0, MOST_SEARCHED))
    if (Programs.rowIds(await t.shared(Programs.programsOf(String(customerId)))).includes(rowId)) return;
  if (below.length > MOST_SEARCHED)
    inconclusive(
      `${key} is listed for none of ${MOST_SEARCHED} customers: give its order with customerId in the fixtures file`,
    );
  const mayOrder = t.allows(operation(Orders.ORDER).risk) && t.isInScope(Orders.ORDER);
  const base = mayOrder ? await t.shared(Orders.baseOf(program.key)) : undefined;
  // Ordered again now, since earlier orders may have exhausted the program, so that it is no longer offered.
  if (!base || !succeeded(base.answer) || !succeeded(await Orders.send(t, base.make())))
    inconclusive(`${key} of the fixtures file is not listed, and no order shows that the target still knows it`);
  fail(`${key} is listed under no combination of the flags`, `rowId ${rowId}`, 'absent');
}
