/** Observes values of orders on which the documents are silent (reading 42), after all checks and within the remaining budget of orders. */
import { ORDER_PROD_TYPES } from '../../../contracts/v1/orders.ts';
import { succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { attempt, values } from '../../../helpers/verdict.ts';
import { afterwards } from '../../declare.ts';
import { mayChange } from '../scenarios/valid-requests.ts';
import { baseOrders, ORDER, plainOrder, shippingMethods } from './base-orders.ts';
import { asInstantIssue, type Body, withCards } from './bodies.ts';

/** Observed orders of one run. */
const ORDERS_PER_RUN = 3;
/** Orders of the budget to leave for later checks. */
const LEFT = 8;

/** The orderProdType that the document truncates, in full. */
const UNTRUNCATED = 'Non Reloadable-Corporate Reward Order';

afterwards(ORDER, async (t) => {
  if (!t.isInScope(ORDER) || !mayChange(t, ORDER)) return;
  const [base] = values([await attempt(() => t.shared(plainOrder))]);
  if (!base || !succeeded(base.answer)) return;
  const done = new Set(base.tried.map(({ input }) => (input.json as Body).orderProdType));
  const types = [...ORDER_PROD_TYPES, UNTRUNCATED].filter((type) => !done.has(type));
  const [employees] = values([await attempt(() => t.shared(baseOrders.uniqueOtherInfo))]);
  const wanted = [
    ...types.map((orderProdType) => ({
      subject: `${orderProdType} on ${base.program.key}`,
      make: () => ({ ...base.make(), orderProdType }),
    })),
    ...(await valuesOf(t)).map(({ name, value }) => ({
      subject: `${name} is ${JSON.stringify(value)}`,
      make: () => ({ ...base.make(), [name]: value }),
    })),
    // An instant issue names nobody, so what it needs of otherInfo is open (reading 44).
    ...(employees && succeeded(employees.answer)
      ? [
          {
            subject: 'an instant issue without otherInfo where that is required',
            make: () => asInstantIssue(withCards(employees.make(), (card) => without(card, 'otherInfo'))),
          },
        ]
      : []),
  ];
  const tried = t.rotated('orders of which the documents say nothing', wanted, {
    count: ORDERS_PER_RUN,
    name: ({ subject }) => subject,
  });
  const affordable = tried.slice(0, Math.max(0, t.run.budgetOf(ORDER)!.left - LEFT));
  await Promise.all(affordable.map(({ subject, make }) => observe(t, subject, make())));
});

async function observe(t: Context, subject: string, json: Body): Promise<void> {
  t.observe(ORDER, subject, await t.call(ORDER, { json }, { intent: 'refusable' }));
}

/** Values that the documents neither allow nor forbid. */
async function valuesOf(t: Context): Promise<{ name: string; value: unknown }[]> {
  const shipping = (await t.shared(shippingMethods)).slice(0, 1);
  const values = {
    host: ['Prepaid', 'Unlisted'],
    shippingMethod: [...shipping, 'Unlisted', null],
    address2: ['', null],
    cardType: ['Physical'],
  };
  return Object.entries(values).flatMap(([name, list]) => list.map((value) => ({ name, value })));
}
