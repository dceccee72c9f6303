/** Faults of what is remembered of orders: those that were made, those that were refused, and two at the same moment. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { Refusal, SandboxOptions, World } from '../../sandbox/index.ts';
import { bodyIn, cardsIn, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';
import { fault, memory } from './portal-broken.ts';

const ORDER = 'portal.orderCards';

const identifierIn = (request: SandboxRequest) => {
  const { custProgId, externalIdentifier } = bodyIn(request);
  return externalIdentifier === undefined ? undefined : `${custProgId} ${externalIdentifier}`;
};

const refusedYetMade = (isMeant: (refusal: Refusal) => boolean): SandboxOptions => {
  // The refused order takes its identifier; the answer says that nothing was made.
  const usedIn = memory(() => new Set<string>());
  return {
    rules: {
      alsoRefuses: (request, world) =>
        request.operation === ORDER && usedIn(world).has(identifierIn(request) ?? '')
          ? { kind: 'duplicate', name: 'externalIdentifier' }
          : undefined,
    },
    middleware: [
      (_, { operation, request, refusal, world }) => {
        const identifier = identifierIn(request);
        if (operation === ORDER && refusal && isMeant(refusal) && identifier !== undefined)
          usedIn(world).add(identifier);
        return undefined;
      },
    ],
  };
};

/** Members are looked at before identifiers. */
const isWhole = (request: SandboxRequest) => bodyIn(request).city !== undefined;

/** What a target remembers of the orders that it made. */
function remembers(
  isKnown: (identifier: string, made: readonly string[], request: SandboxRequest) => boolean,
  of: (request: SandboxRequest) => string = (request) => identifierIn(request) ?? '',
): SandboxOptions {
  const madeIn = memory((): string[] => []);
  return {
    rules: {
      duplicateOrders: 'accept',
      alsoRefuses: (request, world) =>
        request.operation === ORDER &&
        identifierIn(request) &&
        isWhole(request) &&
        isKnown(of(request), madeIn(world), request)
          ? { kind: 'duplicate', name: 'externalIdentifier' }
          : undefined,
    },
    middleware: [
      (answer, { operation, request, world, refusal }) => {
        if (operation !== ORDER || !identifierIn(request)) return undefined;
        const what = answer.status === 200 ? '' : refusal?.kind === 'duplicate' ? 'duplicate ' : 'refused ';
        madeIn(world).push(what + of(request));
        return undefined;
      },
    ],
  };
}

/** All but the last character of an identifier: what a column that is too short keeps of it. */
const shortened = (identifier: unknown) => String(identifier).slice(0, -1);

/** The order goes to the program that `of` makes of its custProgId. */
const onProgram = (of: (custProgId: bigint, world: World) => bigint | number | undefined): SandboxOptions => ({
  rules: {
    meanwhile: (world, request) => {
      const { custProgId } = bodyIn(request);
      if (request.operation !== ORDER || !/^(number|bigint)$/.test(typeof custProgId)) return;
      const instead = of(BigInt(custProgId as number), world);
      if (instead !== undefined) request.body = { ...bodyIn(request), custProgId: Number(instead) };
    },
  },
});

export const orderMemoryFaults: readonly Fault[] = [
  fault(
    'an externalIdentifier is compared without its last character',
    'portal.orderCards.distinct-identifiers',
    remembers((identifier, made) => made.some((one) => shortened(one) === shortened(identifier))),
  ),
  fault('an otherInfo is compared without its last character', 'portal.orderCards.distinct-identifiers', {
    rules: {
      alsoRefuses: (request, { orders }) => {
        const infos = request.operation === ORDER ? cardsIn(bodyIn(request)).map(({ otherInfo }) => otherInfo) : [];
        const isKnown = (info: unknown) =>
          orders.some(({ cards }) =>
            cards.some((card) => card.otherInfo && shortened(card.otherInfo) === shortened(info)),
          );
        return infos.some((info) => info !== undefined && isKnown(info))
          ? { kind: 'duplicate', name: 'otherInfo' }
          : undefined;
      },
    },
  }),
  thoroughly(
    fault(
      'the last 32 bits of a custProgId count',
      'portal.orderCards.unknown-program',
      onProgram((id) => BigInt.asUintN(32, id)),
    ),
  ),
  fault(
    'a Digital order is refused and made where digital cards are off',
    'portal.orderCards.corrected-order-accepted',
    refusedYetMade(({ kind, name }) => kind === 'program-option' && name === 'digital'),
  ),
  thoroughly(
    fault(
      'an order of an unlisted type is refused and made',
      'portal.orderCards.corrected-order-accepted',
      refusedYetMade(({ kind }) => kind === 'list'),
    ),
  ),
  fault(
    'an order without session is refused and made',
    'portal.orderCards.corrected-order-accepted',
    refusedYetMade(({ kind }) => kind === 'session'),
  ),
];
