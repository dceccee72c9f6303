/** Faults of what is remembered of orders: those that were made, those that were refused, and their identifiers. */
import type { SandboxRequest } from '../../sandbox/index.ts';
import { altering, answering, bodyIn, cardsIn, memory, reads, refusing } from '../changed-sandbox.ts';
import { broken, portal, refused } from './broken.ts';
import type { Fault } from './fault.ts';

const ORDER = 'portal.orderCards';
const DUPLICATE = { kind: 'duplicate', name: 'externalIdentifier' } as const;

const identifierIn = (request: SandboxRequest) => {
  const { custProgId, externalIdentifier } = bodyIn(request);
  return externalIdentifier === undefined ? undefined : `${custProgId} ${externalIdentifier}`;
};

/** An order without session takes its identifier; the answer says that nothing was made. */
function refusedYetMade(): Fault {
  const usedIn = memory(() => new Set<string>());
  return portal('an order without session is refused and made', 'portal.orderCards.corrected-order-accepted', {
    rules: refusing(
      DUPLICATE,
      (request, world) => request.operation === ORDER && usedIn(world).has(identifierIn(request) ?? ''),
    ),
    ...altering((_, { operation, request, refusal, world }) => {
      const identifier = identifierIn(request);
      if (operation === ORDER && refusal?.kind === 'session' && identifier !== undefined) usedIn(world).add(identifier);
      return undefined;
    }),
  });
}

/** What a column that is too short keeps of an identifier. */
const shortened = (identifier: unknown) => String(identifier).slice(0, -1);

function identifiersShortened(): Fault {
  const madeIn = memory((): string[] => []);
  return portal(
    'an externalIdentifier is compared without its last character',
    'portal.orderCards.distinct-identifiers',
    {
      rules: {
        duplicateOrders: 'accept',
        // Members are looked at before identifiers.
        ...refusing(DUPLICATE, (request, world) => {
          const identifier = identifierIn(request);
          const isWhole = request.operation === ORDER && identifier && bodyIn(request).city !== undefined;
          return isWhole ? madeIn(world).some((one) => shortened(one) === shortened(identifier)) : false;
        }),
      },
      ...answering(ORDER, (_, { request, world }) => {
        const identifier = identifierIn(request);
        if (identifier) madeIn(world).push(identifier);
      }),
    },
  );
}

export const orderMemoryFaults: readonly Fault[] = [
  broken(
    'orders: orders are answered without identifiers',
    ['portal.orderCards.order-identifier', 'portal.orderCards.proxy'],
    {
      orderAnswer: () => ({ ok: true }),
    },
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
  identifiersShortened(),
  refused(
    'portal: an otherInfo is compared without its last character',
    'portal.orderCards.distinct-identifiers',
    { kind: 'duplicate', name: 'otherInfo' },
    (request, { orders }) => {
      const made = orders.flatMap(({ cards }) => cards.map(({ otherInfo }) => otherInfo)).filter(Boolean);
      const infos = cardsIn(bodyIn(request)).map(({ otherInfo }) => otherInfo);
      return infos.some((info) => info !== undefined && made.some((one) => shortened(one) === shortened(info)));
    },
  ),
  portal('the last 32 bits of a custProgId count', 'portal.orderCards.unknown-program', {
    rules: reads(ORDER, (order) => {
      const { custProgId } = order;
      return typeof custProgId === 'number' || typeof custProgId === 'bigint'
        ? { ...order, custProgId: Number(BigInt.asUintN(32, BigInt(custProgId))) }
        : order;
    }),
  }),
  refusedYetMade(),
];
