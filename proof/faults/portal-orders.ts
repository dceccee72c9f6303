/** Faults of orders. */
import { REQUIRED_ITEM_MEMBERS } from '../../contracts/v1/orders.ts';
import type { Refusal, SandboxRequest } from '../../sandbox/exchange.ts';
import type { Rules } from '../../sandbox/index.ts';
import { broken, letThrough } from './broken.ts';
import type { Fault } from './fault.ts';

const ORDER = 'portal.orderCards';

const lets = (isMeant: (refusal: Refusal) => boolean) =>
  letThrough((refusal) => refusal.operation === ORDER && isMeant(refusal));

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
    'orders: one of another program is answered as the one with its externalIdentifier',
    'portal.orderCards.duplicate-other-program',
    { duplicateOrderScope: 'everywhere', duplicateOrders: 'repeat' },
  ),
  broken('orders: a duplicate load is made', 'portal.orderCards.duplicate-load', { duplicateLoads: 'accept' }),
  broken(
    'orders: otherInfo is repeated in one order',
    'portal.orderCards.other-info-repeated-in-order',
    lets(({ kind, name }) => kind === 'duplicate' && name === 'otherInfo-in-order'),
  ),
];
