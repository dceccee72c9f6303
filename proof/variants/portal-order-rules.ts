/** Sound portals with rules of their own for orders: how many, how much, of which form, and what repeats another. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { Order, SandboxOptions, World } from '../../sandbox/index.ts';
import { answering, atMost, type Body, bodyIn, ORDER, oneAtATime, ownRule, variant } from './portal-rule.ts';
import type { Variant } from './variant.ts';

const cardsIn = (order: Body): Body[] => (Array.isArray(order.orderDetails) ? (order.orderDetails as Body[]) : []);

const ifOrder = (isRefused: (order: Body, cards: Body[]) => boolean) => (request: SandboxRequest) =>
  request.operation === ORDER && isRefused(bodyIn(request), cardsIn(bodyIn(request)));

const programIn = (request: SandboxRequest) => String(bodyIn(request).custProgId);

const isIdentifier = (isMeant: (value: string) => boolean) => (order: Body, cards: Body[]) =>
  [order.externalIdentifier, ...cards.flatMap((card) => [card.externalIdentifier, card.otherInfo])].some(
    (value) => typeof value === 'string' && !isMeant(value),
  );

/** A whole order of the fixtures file. */
export const wholeOrder = (custProgId: number, orderProdType: string, more: Body = {}, card: Body = {}): Body => ({
  address1: '1 Fixture Road',
  address2: 'Door 3',
  attn: 'Desk',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  custProgId,
  shippingFee: 5,
  cardFee: 2,
  orderDetails: [{ firstName: 'Fay', lastName: 'Fixture', phone: '2175550100', ssn: '123456789', ...card }],
  orderProdType,
  customerId: 5001,
  ...more,
});

/** Orders are given whole by the fixtures file, each with an externalIdentifier of the house's form. */
const given =
  (identifier: string, amount?: number): Variant['configure'] =>
  ({ fixtures }) => {
    const load = amount === undefined ? {} : { amount };
    const total = amount === undefined ? {} : { totalValue: amount };
    const order = { externalIdentifier: identifier };
    fixtures.portal = {
      ...fixtures.portal,
      programs: {
        ...fixtures.portal?.programs,
        personalized: { custProgId: 7001, order: wholeOrder(7001, 'Personalized Payroll Order', order, {}) },
        other: { custProgId: 7003, order: wholeOrder(7003, 'Personalized Purchasing Order', order, {}) },
        digitalOn: {
          custProgId: 7004,
          order: wholeOrder(7004, 'Direct Order - CORP', { ...order, cardType: 'Digital' }, {}),
        },
        loadOn: {
          custProgId: 7006,
          order: wholeOrder(
            7006,
            'Direct Order - CORP',
            { ...order, ...total },
            { ...load, externalIdentifier: identifier },
          ),
        },
        uniqueOtherInfo: {
          custProgId: 7008,
          order: wholeOrder(7008, 'Personalized Payroll Order', order, { otherInfo: identifier }),
        },
        duplicateLoadChecker: {
          custProgId: 7009,
          order: wholeOrder(
            7009,
            'Direct Order - CORP',
            { ...order, ...total },
            { ...load, externalIdentifier: identifier },
          ),
        },
      },
    };
  };

/** Instant issues are inventory: they need no otherInfo, and none of theirs is looked for. */
const inventoryNamesNobody: Variant = {
  name: 'an instant issue needs no otherInfo',
  basis: 'order rules 1 and 5: an instant issue is inventory; otherInfo prevents duplicate cards',
  sandbox: {
    rules: {
      enforces: ({ operation, name, request }) =>
        !(operation === 'portal.orderCards' && /otherInfo/.test(name) && bodyIn(request).isInstantIssue === true),
    },
  },
};

/** The program with unique otherInfo is given with an instant issue order. */
const employeesAsInventory: Variant = {
  ...inventoryNamesNobody,
  name: 'an instant issue needs no otherInfo, and is the order of the program that wants it',
  configure: ({ fixtures }) => {
    fixtures.portal!.programs = {
      ...fixtures.portal!.programs,
      uniqueOtherInfo: {
        custProgId: 7008,
        order: wholeOrder(
          7008,
          'Instant Issue Payroll Order',
          { isInstantIssue: true, qty: 1 },
          { otherInfo: 'EMP100' },
        ),
      },
    };
  },
};

/**
 * Cards whose otherInfo was seen before are left out of an order, which is taken.
 * @param answerOf its answer
 */
function leavesOutCards(answerOf: (order: Order, isLeftOut: (index: number) => boolean) => Body): SandboxOptions {
  return {
    rules: {
      enforces: ({ kind, name }) => !(kind === 'duplicate' && name.startsWith('otherInfo')),
    },
    middleware: [
      (answer, { operation, request, world }) => {
        if (operation !== ORDER || answer.status !== 200) return undefined;
        const seen = world.orders.slice(0, -1).flatMap(({ cards }) => cards.map(({ otherInfo }) => otherInfo));
        const wanted = cardsIn(bodyIn(request)).map(({ otherInfo }) => otherInfo);
        const isLeftOut = (index: number) => {
          const value = wanted[index];
          return Boolean(value) && (seen.includes(String(value)) || wanted.indexOf(value) < index);
        };
        const isInPart = wanted.some((_, index) => isLeftOut(index));
        const body = { status: 'Accepted in part', ...answerOf(world.orders.at(-1)!, isLeftOut) };
        return isInPart ? { ...answer, body } : undefined;
      },
    ],
  };
}

export const orderRuleVariants: readonly Variant[] = [
  employeesAsInventory,
  variant(
    'identifiers that are UUIDs',
    'orderCards body: externalIdentifier is a string; the fixtures file shows its form',
    { rules: ownRule(ifOrder(isIdentifier((value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)))) },
    given('3f2b9c1e-5a77-4d0e-9b1c-0a1b2c3d4e5f'),
  ),
  variant('twelve orders a day', 'Limits: rate limits are not shown', atMost(12, ORDER)),
  variant(
    'twelve orders a day, then 403',
    'Errors: 403 is "understood but refused"',
    atMost(12, ORDER, undefined, 403),
  ),
  variant(
    'one order of a program at a time',
    'orderCards: requests at the same moment are not spoken of',
    oneAtATime(ORDER, programIn, 409),
  ),
  variant(
    'a refused order keeps its externalIdentifier',
    'Order rules, 6: what a refused order leaves behind is not said',
    (() => {
      const used = new WeakMap<World, Set<string>>();
      return {
        rules: ownRule((request, world) => {
          const { externalIdentifier } = bodyIn(request);
          return (
            request.operation === ORDER &&
            externalIdentifier !== undefined &&
            (used.get(world)?.has(`${programIn(request)} ${externalIdentifier}`) ?? false)
          );
        }),
        middleware: [
          (answer, { request, world, refusal }) => {
            const { externalIdentifier } = bodyIn(request);
            if (request.operation !== ORDER || answer.status < 400 || refusal?.kind === 'session') return undefined;
            if (!used.has(world)) used.set(world, new Set());
            if (externalIdentifier) used.get(world)!.add(`${programIn(request)} ${externalIdentifier}`);
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  variant('a duplicate is answered with an id of the answer', 'orderCards response: not shown', {
    rules: { duplicateOrders: 'repeat', duplicateLoads: 'repeat' },
    middleware: [answering(ORDER, (_, { callNumber }) => ({ id: `answer-${callNumber}`, status: 'Taken' }))],
  }),
  variant(
    'a card with a repeated otherInfo is left out of the order',
    'Order rules, 5: what becomes of the order is not said',
    leavesOutCards(({ orderId }) => ({ orderId })),
  ),
  variant('a repeated load is left out, and its order taken', 'Order rules, 4: what becomes of the order is not said', {
    rules: { duplicateLoads: 'accept' },
  }),
];
