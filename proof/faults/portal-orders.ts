/** Faults of orders. */
import { REQUIRED_ITEM_MEMBERS } from '../../contracts/v1/orders.ts';
import type { Refusal, SandboxRequest } from '../../sandbox/exchange.ts';
import type { Rules } from '../../sandbox/index.ts';
import { broken, letThrough } from './broken.ts';
import type { Fault } from './fault.ts';

const ORDER = 'portal.orderCards';

const lets = (isMeant: (refusal: Refusal) => boolean) =>
  letThrough((refusal) => refusal.operation === ORDER && isMeant(refusal));

const requires = (member: string, required: boolean): Partial<Rules> => ({
  requires: (operation, name, byDefault) => (operation === ORDER && name === member ? required : byDefault),
});

/** The body of an order; an empty one of any other request. */
const orderIn = ({ operation, body }: SandboxRequest): Record<string, unknown> =>
  operation === ORDER && typeof body === 'object' ? { ...body } : {};

/** Orders that are refused beside those that the documents name. */
const refuses = (isMeant: (order: Record<string, unknown>) => boolean): Partial<Rules> => ({
  alsoRefuses: (request) => (isMeant(orderIn(request)) ? { kind: 'list', name: 'order' } : undefined),
});

const cardsIn = (order: Record<string, unknown>) => (order.orderDetails ?? []) as Record<string, unknown>[];

/** Whether the first card of the order has the member. */
const firstHas = (request: SandboxRequest, member: string): boolean =>
  cardsIn(orderIn(request))[0]?.[member] !== undefined;

export const portalOrderFaults: readonly Fault[] = [
  ...REQUIRED_ITEM_MEMBERS.flatMap((member) => [
    broken(
      `orders: ${member} of a card may be absent`,
      'portal.orderCards.required-item-members',
      requires(`orderDetails.${member}`, false),
    ),
    broken(
      `orders: ${member} is looked for in the first card alone`,
      'portal.orderCards.required-item-members',
      lets(({ name, request }) => name === `orderDetails.${member}` && firstHas(request, member)),
    ),
  ]),
  broken(
    'orders: ssn of a Digital card may be absent',
    'portal.orderCards.required-item-members',
    lets(({ name, request }) => name === 'orderDetails.ssn' && orderIn(request).cardType === 'Digital'),
  ),
  ...['orderDetails.dateOfBirth', 'shippingMethod', 'cardType', 'orderDetails.email'].map((member) =>
    broken(`orders: ${member} is required`, 'portal.orderCards.required-only', requires(member, true)),
  ),
  broken(
    'orders: a missing body',
    'portal.orderCards.missing-body',
    lets(({ kind, request }) => request.raw.length === 0 && ['missing-body', 'missing-member'].includes(kind)),
  ),
  broken('orders: any order type', 'portal.orderCards.unlisted-order-type', { listsOrderType: () => true }),
  broken('orders: an empty cardType is refused', 'portal.orderCards.card-type-optional', {
    listsCardType: (type, byDefault) => byDefault && type !== '',
  }),
  broken(
    'orders: a null cardType is refused',
    'portal.orderCards.card-type-optional',
    refuses(({ cardType }) => cardType === null),
  ),
  broken(
    'orders: Digital is refused everywhere',
    'portal.orderCards.digital-accepted',
    refuses(({ cardType }) => cardType === 'Digital'),
  ),
  broken(
    'orders: Digital wants a shippingMethod',
    'portal.orderCards.digital-accepted',
    refuses(({ cardType, shippingMethod }) => cardType === 'Digital' && shippingMethod === undefined),
  ),
  broken(
    'orders: a null shippingMethod is refused',
    'portal.orderCards.digital-accepted',
    refuses(({ shippingMethod }) => shippingMethod === null),
  ),
  broken(
    'orders: orders with load are refused everywhere',
    'portal.orderCards.load-accepted',
    refuses(({ totalValue }) => totalValue !== undefined),
  ),
  broken(
    'orders: load where it is off',
    'portal.orderCards.load-off',
    lets(({ kind, name }) => kind === 'program-option' && name === 'load'),
  ),
  {
    // those that are answered as the first use up none of the orders that may be made
    ...broken('orders: load where it is off, and duplicates are answered as the first', 'portal.orderCards.load-off', {
      ...lets(({ kind, name }) => kind === 'program-option' && name === 'load'),
      duplicateOrders: 'repeat',
      duplicateLoads: 'repeat',
    }),
    also: ['portal'],
  },
  broken(
    'orders: members of any type',
    'portal.orderCards.body-types',
    lets(({ kind }) => kind === 'member-type'),
  ),
  broken(
    'orders: what is lacking is answered with 422',
    ['portal.orderCards.refused-with-400', 'portal.orderCards.missing-body-400'],
    {
      refusalStatus: ({ operation, kind }, byDefault) =>
        operation === ORDER && /^missing/.test(kind) ? 422 : byDefault,
    },
  ),
  broken(
    'orders: orders are answered without identifiers',
    ['portal.orderCards.order-identifier', 'portal.orderCards.proxy'],
    { orderAnswer: () => ({ ok: true }) },
  ),
  broken('orders: a duplicate makes a second order', 'portal.orderCards.duplicate-order', {
    duplicateOrders: 'accept',
  }),
  broken(
    'orders: a duplicate makes a second order, whose number is the only identifier',
    'portal.orderCards.duplicate-order',
    {
      duplicateOrders: 'accept',
      orderAnswer: ({ orderId, custProgId }) => ({ order: { id: orderId, custProgId }, message: 'created' }),
    },
  ),
  broken(
    'orders: a duplicate makes a second order, beside whose orderId stands the number of the day',
    'portal.orderCards.duplicate-order',
    {
      duplicateOrders: 'accept',
      orderAnswer: ({ orderId }) => ({ orderId, orderNumber: 'D-20261123' }),
    },
  ),
  ...(
    [
      ['of several cards', (order) => cardsIn(order).length > 1],
      ['with load', ({ totalValue }) => Boolean(totalValue)],
      ['of Digital cards', ({ cardType }) => cardType === 'Digital'],
    ] satisfies [string, (order: Record<string, unknown>) => boolean][]
  ).map(([kind, isMeant]) =>
    broken(`orders: a duplicate ${kind} makes a second order`, 'portal.orderCards.duplicate-order', {
      meanwhile: (_, request) => {
        const order = orderIn(request);
        const { externalIdentifier } = order;
        if (externalIdentifier && isMeant(order))
          request.body = { ...order, externalIdentifier: `${externalIdentifier}-${request.callNumber}` };
      },
    }),
  ),
  broken('orders: duplicates are looked for in all programs', 'portal.orderCards.duplicate-other-program', {
    duplicateOrderScope: 'everywhere',
  }),
  broken(
    'orders: one of another program is answered as the one with its externalIdentifier',
    'portal.orderCards.duplicate-other-program',
    { duplicateOrderScope: 'everywhere', duplicateOrders: 'repeat' },
  ),
  broken('orders: a duplicate load is made', 'portal.orderCards.duplicate-load', { duplicateLoads: 'accept' }),
  broken(
    'orders: otherInfo may be absent where it is required',
    'portal.orderCards.other-info-required',
    requires('orderDetails.otherInfo', false),
  ),
  broken(
    'orders: otherInfo is looked for in the first card alone',
    'portal.orderCards.other-info-required',
    lets(({ name, request }) => name === 'orderDetails.otherInfo' && firstHas(request, 'otherInfo')),
  ),
  broken(
    'orders: otherInfo is repeated in one order',
    'portal.orderCards.other-info-repeated-in-order',
    lets(({ kind, name }) => kind === 'duplicate' && name === 'otherInfo-in-order'),
  ),
  broken(
    'orders: otherInfo is repeated over orders',
    'portal.orderCards.other-info-repeated-over-orders',
    lets(({ kind, name }) => kind === 'duplicate' && name === 'otherInfo-over-orders'),
  ),
];
