/** Faults of orders. */
import { REQUIRED_ITEM_MEMBERS } from '../../contracts/v1/orders.ts';
import type { Refusal, SandboxRequest } from '../../sandbox/exchange.ts';
import type { Rules } from '../../sandbox/index.ts';
import type { Fault } from './fault.ts';

const ORDER = 'portal.orderCards';

const broken = (name: string, rules: Partial<Rules>, ...condemns: string[]): Fault => ({
  name: `orders: ${name}`,
  condemns: condemns.map((id) => `${ORDER}.${id}`),
  sandbox: { rules },
});

const lets = (isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  enforces: (refusal) => !(refusal.operation === ORDER && isMeant(refusal)),
});

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
    broken(`${member} of a card may be absent`, requires(`orderDetails.${member}`, false), 'required-item-members'),
    broken(
      `${member} is looked for in the first card alone`,
      lets(({ name, request }) => name === `orderDetails.${member}` && firstHas(request, member)),
      'required-item-members',
    ),
  ]),
  broken(
    'ssn of a Digital card may be absent',
    lets(({ name, request }) => name === 'orderDetails.ssn' && orderIn(request).cardType === 'Digital'),
    'required-item-members',
  ),
  ...['orderDetails.dateOfBirth', 'shippingMethod', 'cardType', 'orderDetails.email'].map((member) =>
    broken(`${member} is required`, requires(member, true), 'required-only'),
  ),
  broken(
    'a missing body',
    lets(({ kind, request }) => request.raw.length === 0 && ['missing-body', 'missing-member'].includes(kind)),
    'missing-body',
  ),
  broken('any order type', { listsOrderType: () => true }, 'unlisted-order-type'),
  broken('any card type', { listsCardType: () => true }, 'unlisted-card-type'),
  broken(
    'an empty cardType is refused',
    { listsCardType: (type, byDefault) => byDefault && type !== '' },
    'card-type-optional',
  ),
  broken(
    'a null cardType is refused',
    refuses(({ cardType }) => cardType === null),
    'card-type-optional',
  ),
  broken(
    'Digital is refused everywhere',
    refuses(({ cardType }) => cardType === 'Digital'),
    'digital-accepted',
  ),
  broken(
    'Digital wants a shippingMethod',
    refuses(({ cardType, shippingMethod }) => cardType === 'Digital' && shippingMethod === undefined),
    'digital-accepted',
  ),
  broken(
    'a null shippingMethod is refused',
    refuses(({ shippingMethod }) => shippingMethod === null),
    'digital-accepted',
  ),
  broken(
    'orders with load are refused everywhere',
    refuses(({ totalValue }) => totalValue !== undefined),
    'load-accepted',
  ),
  broken(
    'Digital where it is off',
    lets(({ kind, name }) => kind === 'program-option' && name === 'digital'),
    'digital-off',
  ),
  broken(
    'load where it is off',
    lets(({ kind, name }) => kind === 'program-option' && name === 'load'),
    'load-off',
  ),
  broken(
    'members of any type',
    lets(({ kind }) => kind === 'member-type'),
    'body-types',
  ),
  broken(
    'what is lacking is answered with 422',
    {
      refusalStatus: ({ operation, kind }, byDefault) =>
        operation === ORDER && /^missing/.test(kind) ? 422 : byDefault,
    },
    'refused-with-400',
    'missing-body-400',
  ),
  broken('orders are answered without identifiers', { orderAnswer: () => ({ ok: true }) }, 'order-identifier', 'proxy'),
  broken('a duplicate makes a second order', { duplicateOrders: 'accept' }, 'duplicate-order'),
  broken(
    'a duplicate makes a second order, whose number is the only identifier',
    {
      duplicateOrders: 'accept',
      orderAnswer: ({ orderId, custProgId }) => ({ order: { id: orderId, custProgId }, message: 'created' }),
    },
    'duplicate-order',
  ),
  ...(
    [
      ['of several cards', (order) => cardsIn(order).length > 1],
      ['with load', ({ totalValue }) => Boolean(totalValue)],
      ['of Digital cards', ({ cardType }) => cardType === 'Digital'],
    ] satisfies [string, (order: Record<string, unknown>) => boolean][]
  ).map(([kind, isMeant]) =>
    broken(
      `a duplicate ${kind} makes a second order`,
      {
        meanwhile: (_, request) => {
          const order = orderIn(request);
          const { externalIdentifier } = order;
          if (externalIdentifier && isMeant(order))
            request.body = { ...order, externalIdentifier: `${externalIdentifier}-${request.callNumber}` };
        },
      },
      'duplicate-order',
    ),
  ),
  broken('duplicates are looked for in all programs', { duplicateOrderScope: 'everywhere' }, 'duplicate-other-program'),
  broken('a duplicate load is made', { duplicateLoads: 'accept' }, 'duplicate-load'),
  broken(
    'otherInfo may be absent where it is required',
    requires('orderDetails.otherInfo', false),
    'other-info-required',
  ),
  broken(
    'otherInfo is looked for in the first card alone',
    lets(({ name, request }) => name === 'orderDetails.otherInfo' && firstHas(request, 'otherInfo')),
    'other-info-required',
  ),
  broken(
    'otherInfo is repeated in one order',
    lets(({ kind, name }) => kind === 'duplicate' && name === 'otherInfo-in-order'),
    'other-info-repeated-in-order',
  ),
  broken(
    'otherInfo is repeated over orders',
    lets(({ kind, name }) => kind === 'duplicate' && name === 'otherInfo-over-orders'),
    'other-info-repeated-over-orders',
  ),
];
