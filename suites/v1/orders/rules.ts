/** Order rules: what a program must have switched on, and what makes no second order, load or card (readings 43 and 44). */
import { type Answer, bodyOf, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { accepted, expectRefused, requireAccepted } from '../../../helpers/expect.ts';
import { fail, skip } from '../../../helpers/verdict.ts';
import { inSession } from '../scenarios/session-lifecycle.ts';
import { type BaseOrder, baseOrders, ORDER, orderOfTwo, plainBase, takesOrders } from './base-orders.ts';
import { asDigital, type Body, cardsOf, PLAIN_PROGRAMS, programOf, withCards, withLoad, without } from './bodies.ts';
import { madeNoSecond, members } from './identifiers.ts';

const { check, suite } = defineSuite();
export const orderRulesSuite = suite;

const order = (t: Context, json: Body) => t.call(ORDER, { json }, { intent: 'refusable' });

for (const [what, change] of [
  ['absent', asDigital],
  ['null', (made: Body) => ({ ...asDigital(made), shippingMethod: null })],
] as const)
  check(
    'portal.orderCards.digital-accepted',
    `shippingMethod ${what}`,
    inSession(async (t) => {
      const { make } = await takesOrders(t, 'digitalOn');
      accepted(await order(t, change(make())), `a Digital order with shippingMethod ${what}`);
    }),
  );

check(
  'portal.orderCards.digital-off',
  'a Digital order',
  inSession(async (t) => {
    const { make } = await takesOrders(t, 'digitalOff');
    expectRefused(await order(t, asDigital(make())), 'a Digital order where digital cards are off');
  }),
);

check(
  'portal.orderCards.load-accepted',
  'amount, totalValue and externalIdentifier',
  inSession(async (t) => {
    const { make } = await takesOrders(t, 'loadOn');
    accepted(await order(t, withLoad(t, make())), 'an order with load');
  }),
);

check(
  'portal.orderCards.load-off',
  'amount, totalValue and externalIdentifier',
  inSession(async (t) => {
    const { make } = await takesOrders(t, 'loadOff');
    expectRefused(await order(t, withLoad(t, make())), 'an order with load where load while ordering is off');
  }),
);

interface Repeated {
  first: Answer;
  second: Answer;
}

/** Two orders of which the second repeats what is to be unique; the first may take a while to show. */
async function repeat(t: Context, first: Body, second: Body): Promise<Repeated> {
  const accepting = requireAccepted(await order(t, first), 'the order whose identifier is repeated');
  await t.settle();
  return { first: accepting, second: await order(t, second) };
}

/** The plain program for duplicates: another than `other`, if there is one. */
async function programForDuplicates(t: Context): Promise<BaseOrder> {
  const other = programOf(t, 'other');
  for (const key of PLAIN_PROGRAMS.filter((one) => programOf(t, one))) {
    const found = await t.shared(baseOrders[key]);
    if (succeeded(found.answer) && String(found.program.custProgId) !== String(other?.custProgId)) return found;
  }
  return plainBase(t);
}

const duplicates = scenario('two orders with the same externalIdentifier', async (t) => {
  const { make, program } = await programForDuplicates(t);
  const externalIdentifier = t.unique('order');
  const answers = await repeat(t, { ...make(), externalIdentifier }, { ...make(), externalIdentifier });
  return { ...answers, externalIdentifier, program };
});

check(
  'portal.orderCards.duplicate-order',
  'another order with the same externalIdentifier',
  inSession(async (t) => {
    const { first, second } = await t.shared(duplicates);
    madeNoSecond(first, second, 'order');
  }),
);

/** Kinds of orders beside the plain one, by the program that takes them. */
const KINDS = [
  ['of two cards', 'personalized', (_: Context, make: BaseOrder['make']) => make(2)],
  ['with load', 'loadOn', (t: Context, make: BaseOrder['make']) => withLoad(t, make())],
  ['of a Digital card', 'digitalOn', (_: Context, make: BaseOrder['make']) => asDigital(make())],
] as const;

check(
  'portal.orderCards.duplicate-order',
  'another order of each kind with the same externalIdentifier',
  inSession(async (t) => {
    await t.shared(duplicates);
    for (const [kind, key, of] of KINDS.filter(([, key]) => programOf(t, key))) {
      const { make, answer } = await t.shared(baseOrders[key]);
      if (!succeeded(answer)) continue;
      const externalIdentifier = t.unique('order');
      const again = () => order(t, { ...of(t, make), externalIdentifier });
      const first = await again();
      if (!succeeded(first)) continue;
      await t.settle();
      madeNoSecond(first, await again(), `order ${kind}`);
    }
  }),
);

check(
  'portal.orderCards.duplicate-other-program',
  'the same externalIdentifier on another program',
  inSession(async (t) => {
    const { externalIdentifier, program } = await t.shared(duplicates);
    const { make, program: other } = await takesOrders(t, 'other');
    if (String(other.custProgId) === String(program.custProgId))
      skip('needs a program in portal.programs of the fixtures file beside other');
    const answer = await order(t, { ...make(), externalIdentifier });
    accepted(answer, 'an order with the externalIdentifier of an order on another program');
  }),
);

check(
  'portal.orderCards.duplicate-load',
  'another order with the externalIdentifier of a load',
  inSession(async (t) => {
    const { make } = await takesOrders(t, 'duplicateLoadChecker');
    const externalIdentifier = t.unique('load');
    const load = () => withCards(withLoad(t, make(1)), (card) => ({ ...card, externalIdentifier }));
    const { first, second } = await repeat(t, load(), load());
    madeNoSecond(first, second, 'load');
  }),
);

check(
  'portal.orderCards.other-info-required',
  'otherInfo absent',
  inSession(async (t) => {
    const { make } = await takesOrders(t, 'uniqueOtherInfo');
    const lacking = withCards(make(), ({ otherInfo: _, ...card }) => card);
    expectRefused(await order(t, lacking), 'an order without otherInfo');
  }),
);

const twoEmployees = scenario('an order of two cards with an otherInfo of their own', async (t) => {
  const { make } = await takesOrders(t, 'uniqueOtherInfo');
  return order(t, make(2));
});

check(
  'portal.orderCards.other-info-required',
  'otherInfo absent in the second of two cards',
  inSession(async (t) => {
    const { make } = await takesOrders(t, 'uniqueOtherInfo');
    requireAccepted(await t.shared(twoEmployees), 'an order of two cards with an otherInfo of their own');
    const lacking = withCards(make(2), (card, index) => (index === 1 ? without(card, 'otherInfo') : card));
    expectRefused(await order(t, lacking), 'an order whose second card has no otherInfo');
  }),
);

check(
  'portal.orderCards.other-info-repeated-in-order',
  'two cards with the same otherInfo',
  inSession(async (t) => {
    const { make } = await takesOrders(t, 'uniqueOtherInfo');
    requireAccepted(await t.shared(twoEmployees), 'an order of two cards with an otherInfo of their own');
    const otherInfo = t.unique('employee');
    const repeating = withCards(make(2), (card) => ({ ...card, otherInfo }));
    expectRefused(await order(t, repeating), 'an order that repeats otherInfo among its cards');
  }),
);

check(
  'portal.orderCards.other-info-repeated-over-orders',
  'otherInfo of each card of earlier orders',
  inSession(async (t) => {
    const { make, answer } = await takesOrders(t, 'uniqueOtherInfo');
    const earlier = [answer, await t.shared(twoEmployees)].filter(succeeded);
    await t.settle();
    for (const { otherInfo } of earlier.flatMap(({ input }) => cardsOf(input.json as Body))) {
      const repeating = withCards(make(1), (card) => ({ ...card, otherInfo }));
      expectRefused(await order(t, repeating), 'an order that repeats the otherInfo of an earlier one');
    }
  }),
);

check(
  'portal.orderCards.order-identifier',
  'two cards',
  inSession(async (t) => {
    await personalized(t);
    const answer = accepted(await t.shared(orderOfTwo), 'an order of two cards');
    has(answer, 'named orderId', (name) => name === 'orderId');
  }),
);

check(
  'portal.orderCards.proxy',
  'one card',
  inSession(async (t) => {
    const { make, answer } = await personalized(t);
    const isOne = cardsOf(answer.input.json as Body).length === 1;
    has(
      isOne ? answer : requireAccepted(await order(t, make(1)), 'an order of one card'),
      'whose name contains proxy',
      (name) => /proxy/i.test(name),
    );
  }),
);

/** The base order of a program that is not known for instant issue. @throws Skipped, Inconclusive */
async function personalized(t: Context): Promise<BaseOrder> {
  const found = await plainBase(t);
  return found.program.key === 'instantIssue' ? skip('needs portal.programs.personalized in the fixtures file') : found;
}

/** @throws Nonconformance when no member of the answer, at any depth, has such a name */
function has(answer: Answer, what: string, isMeant: (name: string) => boolean): void {
  for (const { name, value } of members(bodyOf(answer))) if (isMeant(name) && value !== null) return;
  fail(`the answer holds no member ${what}`, { expected: `a member ${what}`, actual: 'none' });
}
