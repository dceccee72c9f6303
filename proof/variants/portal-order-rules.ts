/** Sound portals with rules of their own for CIP checks and orders: how many, how often, of which form, and what repeats another. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { type Body, bodyIn, cardsIn, memory, replacing } from '../changed-sandbox.ts';
import { atMost, atMostFor, CIP, ORDER, oneAtATime, otherBody, ownRule, portalRule } from './portal-rule.ts';
import { setting, type Variant } from './variant.ts';

export const cipRuleVariants: readonly Variant[] = [
  portalRule('twelve CIP checks a day', 'Limits: rate limits are not shown', atMost(12, CIP, 403)),
  portalRule(
    'one CIP check at a time',
    'getCIPCheck: requests at the same moment are not spoken of',
    oneAtATime(({ operation }) => (operation === CIP ? '' : undefined), 409),
  ),
  portalRule(
    'the network is poor for one person',
    'CIP check response: returnCode is 0 if the server is down or the network is poor',
    otherBody(CIP, (body, request) =>
      bodyIn(request).firstName === 'Felix' ? { returnCode: 0, data: { Error: 'try again later' } } : body,
    ),
  ),
];

// ---- orders ------------------------------------------------------------------------------------------------------

/** The rowId of a program with the Duplicate Load Checker. */
const LOADING = 7009;

const programIn = (request: SandboxRequest) => String(bodyIn(request).custProgId);

/** Whether an identifier of the order, or of one of its cards, is no UUID. */
const hasOtherIdentifier = (order: Body) =>
  [order.externalIdentifier, ...cardsIn(order).flatMap((card) => [card.externalIdentifier, card.otherInfo])].some(
    (value) => typeof value === 'string' && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
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

const IDENTIFIER = '3f2b9c1e-5a77-4d0e-9b1c-0a1b2c3d4e5f';

/** Orders are given whole by the fixtures file, each with an externalIdentifier of the house's form. */
const given: Variant['configure'] = ({ fixtures }) => {
  const order = { externalIdentifier: IDENTIFIER };
  const programs = [
    ['personalized', 7001, 'Personalized Payroll Order', order, {}],
    ['other', 7003, 'Personalized Purchasing Order', order, {}],
    ['digitalOn', 7004, 'Direct Order - CORP', { ...order, cardType: 'Digital' }, {}],
    ['loadOn', 7006, 'Direct Order - CORP', order, order],
    ['uniqueOtherInfo', 7008, 'Personalized Payroll Order', order, { otherInfo: IDENTIFIER }],
    ['duplicateLoadChecker', 7009, 'Direct Order - CORP', order, order],
  ] as const;
  const orders = programs.map(([key, custProgId, type, more, card]) => [
    key,
    { custProgId, order: wholeOrder(custProgId, type, more, card) },
  ]);
  fixtures.portal = { ...fixtures.portal, programs: { ...fixtures.portal?.programs, ...Object.fromEntries(orders) } };
};

/** Instant issues are inventory: they need no otherInfo, and none of theirs is looked for. The program with unique otherInfo is given with one. */
const employeesAsInventory: Variant = {
  name: 'an instant issue needs no otherInfo, and is the order of the program that wants it',
  basis: 'order rules 1 and 5: an instant issue is inventory; otherInfo prevents duplicate cards',
  sandbox: {
    rules: {
      enforces: ({ operation, name, request }) =>
        !(operation === ORDER && /otherInfo/.test(name) && bodyIn(request).isInstantIssue === true),
    },
  },
  configure: ({ fixtures }) => {
    const more = { isInstantIssue: true, qty: 1 };
    const order = wholeOrder(7008, 'Instant Issue Payroll Order', more, { otherInfo: 'EMP100' });
    fixtures.portal!.programs = { ...fixtures.portal!.programs, uniqueOtherInfo: { custProgId: 7008, order } };
  },
};

/** Cards whose otherInfo was seen before are left out of an order, which is taken. */
const leavesOutCards: SandboxOptions = {
  rules: { enforces: ({ kind, name }) => !(kind === 'duplicate' && name.startsWith('otherInfo')) },
  ...replacing(ORDER, (_, { request, world }) => {
    const seen = world.orders.slice(0, -1).flatMap(({ cards }) => cards.map(({ otherInfo }) => otherInfo));
    const wanted = cardsIn(bodyIn(request)).map(({ otherInfo }) => otherInfo);
    const isInPart = wanted.some(
      (value, index) => value && (seen.includes(String(value)) || wanted.indexOf(value) < index),
    );
    return isInPart && { body: { status: 'Accepted in part', orderId: world.orders.at(-1)!.orderId } };
  }),
};

/** A refused order keeps its externalIdentifier. */
function keepsIdentifiers(): SandboxOptions {
  const usedIn = memory(() => new Set<string>());
  const identifierIn = (request: SandboxRequest) => {
    const { externalIdentifier } = bodyIn(request);
    return externalIdentifier === undefined ? undefined : `${programIn(request)} ${externalIdentifier}`;
  };
  return {
    rules: ownRule((request, world) => request.operation === ORDER && usedIn(world).has(identifierIn(request) ?? '')),
    middleware: [
      ({ status }, { operation, request, world, refusal }) => {
        const identifier = identifierIn(request);
        if (operation === ORDER && status >= 400 && refusal?.kind !== 'session' && identifier)
          usedIn(world).add(identifier);
        return undefined;
      },
    ],
  };
}

export const orderRuleVariants: readonly Variant[] = [
  employeesAsInventory,
  portalRule(
    'identifiers that are UUIDs',
    'orderCards body: externalIdentifier is a string; the fixtures file shows its form',
    { rules: ownRule((request) => request.operation === ORDER && hasOtherIdentifier(bodyIn(request))) },
    { configure: given },
  ),
  portalRule('twelve orders a day', 'Limits: rate limits are not shown', atMost(12, ORDER)),
  portalRule(
    'one program for loads, which takes one a day',
    'Limits: rate limits are not shown',
    atMostFor(1, ORDER, (order) => (cardsIn(order).some(({ amount }) => amount) ? [order.custProgId] : [])),
    { configure: setting({ portal: { programs: { loadOn: LOADING, duplicateLoadChecker: LOADING } } }) },
  ),
  portalRule('twelve orders a day, then 403', 'Errors: 403 is "understood but refused"', atMost(12, ORDER, 403)),
  portalRule(
    'one order of a program at a time',
    'orderCards: requests at the same moment are not spoken of',
    oneAtATime((request) => (request.operation === ORDER ? programIn(request) : undefined), 409),
  ),
  portalRule(
    'a refused order keeps its externalIdentifier',
    'Order rules, 6: what a refused order leaves behind is not said',
    keepsIdentifiers(),
  ),
  portalRule('a duplicate is answered with an id of the answer', 'orderCards response: not shown', {
    rules: { duplicateOrders: 'repeat', duplicateLoads: 'repeat' },
    ...otherBody(ORDER, (_, { callNumber }) => ({ id: `answer-${callNumber}`, status: 'Taken' })),
  }),
  portalRule(
    'a card with a repeated otherInfo is left out of the order',
    'Order rules, 5: what becomes of the order is not said',
    leavesOutCards,
  ),
  portalRule(
    'a repeated load is left out, and its order taken',
    'Order rules, 4: what becomes of the order is not said',
    { rules: { duplicateLoads: 'accept' } },
  ),
];
