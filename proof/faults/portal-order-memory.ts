/** Faults of what is remembered of orders: those that were made, those that were refused, and two at the same moment. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { Refusal, SandboxOptions, World } from '../../sandbox/index.ts';
import { wholeOrder } from '../variants/portal-order-rules.ts';
import { bodyIn, cardsIn, letThrough, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';
import { type Body, fault, memory } from './portal-broken.ts';

const ORDER = 'portal.orderCards';

/** Longer than a busy machine takes from one request to the next that was sent with it. */
const AT_ONCE_MS = 60;

/** Requests of an operation that come while another of the same key is answered get what `change` makes of them. */
function atOnce(
  operation: string,
  keyOf: (request: SandboxRequest) => string | undefined,
  change: (request: SandboxRequest) => void,
): SandboxOptions {
  const lastIn = memory(() => new Map<string, number>());
  return {
    rules: {
      meanwhile: (world, request) => {
        const key = request.operation === operation ? keyOf(request) : undefined;
        if (key === undefined) return;
        const last = lastIn(world).get(key);
        lastIn(world).set(key, performance.now());
        if (last !== undefined && performance.now() < last + AT_ONCE_MS) change(request);
      },
    },
    middleware: [
      (answer, { operation: called }) =>
        called === operation ? { ...answer, transport: { delayMs: AT_ONCE_MS + 2 } } : undefined,
    ],
  };
}

const renamed = (member: 'externalIdentifier' | 'otherInfo', ofCards: boolean) => (request: SandboxRequest) => {
  const order = bodyIn(request);
  const other = (body: Body) =>
    body[member] === undefined ? body : { ...body, [member]: `${body[member]}-${request.callNumber}` };
  request.body = ofCards ? { ...order, orderDetails: cardsIn(order).map(other) } : other(order);
};

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

const wasMade = (identifier: string, made: readonly string[]) => made.includes(identifier);

/** What identifies the loads of all cards but the first of an order is another one each time. */
const secondLoadUnseen: SandboxOptions = {
  rules: {
    meanwhile: (_, request) => {
      if (request.operation !== ORDER || cardsIn(bodyIn(request)).length < 2) return;
      request.body = {
        ...bodyIn(request),
        orderDetails: cardsIn(bodyIn(request)).map((card, index) =>
          index === 0
            ? card
            : { ...card, externalIdentifier: `${card.externalIdentifier}-${request.callNumber}-${index}` },
        ),
      };
    },
  },
};

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
  fault(
    'an order on a program that does not exist goes to the first one',
    'portal.orderCards.unknown-program',
    onProgram((id, { programById }) => (programById.has(Number(id)) ? undefined : [...programById.keys()][0])),
  ),
  thoroughly(
    fault(
      'the last 32 bits of a custProgId count',
      'portal.orderCards.unknown-program',
      onProgram((id) => BigInt.asUintN(32, id)),
    ),
  ),
  fault(
    'of two identical orders at the same moment both are made',
    'portal.orderCards.duplicate-order',
    atOnce(ORDER, identifierIn, renamed('externalIdentifier', false)),
  ),
  fault(
    'of two orders with the same otherInfo at the same moment both are made',
    'portal.orderCards.other-info-repeated-over-orders',
    atOnce(
      ORDER,
      (request) => cardsIn(bodyIn(request))[0]?.otherInfo as string | undefined,
      renamed('otherInfo', true),
    ),
  ),
  fault(
    'of two loads with the same externalIdentifier at the same moment both are made',
    'portal.orderCards.duplicate-load',
    atOnce(
      ORDER,
      (request) => cardsIn(bodyIn(request))[0]?.externalIdentifier as string | undefined,
      renamed('externalIdentifier', true),
    ),
  ),
  fault(
    'only the very same order is known by its externalIdentifier, and the run may make no more orders before all are repeated',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, ({ body }) => JSON.stringify(body)),
    {
      configure: (configuration) => {
        configuration.run.maxOrders = 9;
        const { personalized } = configuration.fixtures.portal!.programs!;
        configuration.fixtures = { portal: { programs: { personalized } } };
      },
    },
  ),
  thoroughly(
    fault(
      'an order that lacks a member is refused and made',
      'portal.orderCards.corrected-order-accepted',
      refusedYetMade(({ kind }) => kind === 'missing-member'),
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
  fault(
    'a duplicate is made at the third time',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made) => wasMade(identifier, made) && !made.includes(`duplicate ${identifier}`)),
  ),
  fault(
    'only the latest externalIdentifier of a program is known',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made) => {
      const program = identifier.split(' ')[0]!;
      return made.findLast((one) => one.startsWith(`${program} `)) === identifier;
    }),
  ),
  fault(
    'an externalIdentifier is known in its session alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${request.query.sessionId}`),
  ),
  fault(
    'an externalIdentifier is known among orders of the same cardType alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${bodyIn(request).cardType || 'Physical'}`),
  ),
  fault(
    'an externalIdentifier is not looked at of instant issue orders',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made, request) => wasMade(identifier, made) && !bodyIn(request).isInstantIssue),
  ),
  fault(
    'an externalIdentifier is known among orders of as many cards alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${cardsIn(bodyIn(request)).length}`),
  ),
  fault(
    'an externalIdentifier is known among orders for the same person alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${cardsIn(bodyIn(request))[0]?.lastName}`),
  ),
  fault(
    'an externalIdentifier is known among orders to the same address alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${bodyIn(request).address1}`),
  ),
  fault(
    'an externalIdentifier is known among orders of the same type alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${bodyIn(request).orderProdType}`),
  ),
  fault(
    'an externalIdentifier is not looked at of orders of a campaign',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made, request) => wasMade(identifier, made) && !bodyIn(request).campaignName),
  ),
  fault(
    'a duplicate is made at the fourth time',
    'portal.orderCards.duplicate-order',
    remembers(
      (identifier, made) =>
        wasMade(identifier, made) && made.filter((one) => one === `duplicate ${identifier}`).length < 2,
    ),
  ),
  ...(
    [
      ['with an apostrophe', /'/],
      ['of more than 64 characters', /^.{65,}$/s],
      ['of one character', /^.$/],
    ] as const
  ).map(([what, form]) =>
    fault(
      `an externalIdentifier ${what} is never known`,
      'portal.orderCards.duplicate-order',
      remembers(
        (identifier, made, request) =>
          wasMade(identifier, made) && !form.test(String(bodyIn(request).externalIdentifier)),
      ),
    ),
  ),
  fault('an otherInfo with a percent sign is never known', 'portal.orderCards.other-info-repeated-over-orders', {
    rules: letThrough(
      ({ kind, name, request }) =>
        kind === 'duplicate' &&
        name === 'otherInfo-over-orders' &&
        cardsIn(bodyIn(request)).some(({ otherInfo }) => String(otherInfo).includes('%')),
    ),
  }),
  fault(
    'an otherInfo is known in its session alone',
    'portal.orderCards.other-info-repeated-over-orders',
    (() => {
      const madeIn = memory(() => new Set<string>());
      let made = new Set<string>();
      const ofSession = (request: SandboxRequest) =>
        cardsIn(bodyIn(request)).map(({ otherInfo }) => `${otherInfo} ${request.query.sessionId}`);
      return {
        rules: {
          meanwhile: (world) => {
            made = madeIn(world);
          },
          enforces: ({ kind, name, request }) =>
            !(
              kind === 'duplicate' &&
              name === 'otherInfo-over-orders' &&
              ofSession(request).every((one) => !made.has(one))
            ),
        },
        middleware: [
          (answer, { operation, request, world }) => {
            if (operation === ORDER && answer.status === 200)
              for (const one of ofSession(request)) madeIn(world).add(one);
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  fault(
    'an externalIdentifier is known of the orders of its user alone',
    'portal.orderCards.duplicate-order',
    (() => {
      const usersIn = memory(() => new Map<string, unknown>());
      const options = remembers(
        wasMade,
        (request) => `${identifierIn(request)} ${users?.get(request.query.sessionId ?? '')}`,
      );
      let users: Map<string, unknown> | undefined;
      return {
        rules: {
          ...options.rules,
          meanwhile: (world: World) => {
            users = usersIn(world);
          },
        },
        middleware: [
          ...(options.middleware ?? []),
          (answer, { operation, world }) => {
            const { userId, sessionId } = (answer.body ?? {}) as Body;
            if (operation === 'portal.login') usersIn(world).set(String(sessionId), userId);
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  fault(
    'an externalIdentifier is not looked at of orders whose cards have a birth date',
    'portal.orderCards.duplicate-order',
    remembers(
      (identifier, made, request) =>
        wasMade(identifier, made) && !cardsIn(bodyIn(request)).some(({ dateOfBirth }) => dateOfBirth),
    ),
  ),
  fault(
    'otherInfo is not looked at of orders with an externalIdentifier',
    'portal.orderCards.other-info-repeated-over-orders',
    {
      rules: letThrough(
        ({ kind, name, request }) =>
          kind === 'duplicate' && name === 'otherInfo-over-orders' && Boolean(bodyIn(request).externalIdentifier),
      ),
    },
  ),
  fault(
    'an externalIdentifier with a percent sign is never known',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made) => wasMade(identifier, made) && !identifier.includes('%')),
  ),
  fault(
    'a refused order makes an externalIdentifier free again',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made) => {
      const last = made.findLast((one) => one === identifier || one === `refused ${identifier}`);
      return last === identifier;
    }),
  ),
  fault(
    'only the otherInfo of the latest order is known',
    'portal.orderCards.other-info-repeated-over-orders',
    (() => {
      const latestIn = memory(() => ({ otherInfo: [] as unknown[] }));
      let latest: unknown[] = [];
      return {
        rules: {
          meanwhile: (world) => {
            latest = latestIn(world).otherInfo;
          },
          enforces: ({ kind, name, request }) =>
            !(
              kind === 'duplicate' &&
              name === 'otherInfo-over-orders' &&
              cardsIn(bodyIn(request)).every(({ otherInfo }) => !latest.includes(otherInfo))
            ),
        },
        middleware: [
          (answer, { operation, request, world }) => {
            const otherInfo = cardsIn(bodyIn(request)).map((card) => card.otherInfo);
            if (operation === ORDER && answer.status === 200 && otherInfo[0] !== undefined)
              latestIn(world).otherInfo = otherInfo;
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  fault(
    'the otherInfo of the second card is not remembered',
    'portal.orderCards.other-info-repeated-over-orders',
    (() => {
      const secondsIn = memory(() => new Set<unknown>());
      let seconds = new Set<unknown>();
      return {
        rules: {
          meanwhile: (world) => {
            seconds = secondsIn(world);
          },
          enforces: ({ kind, name, request }) =>
            !(
              kind === 'duplicate' &&
              name === 'otherInfo-over-orders' &&
              cardsIn(bodyIn(request)).some(({ otherInfo }) => seconds.has(otherInfo))
            ),
        },
        middleware: [
          (answer, { operation, request, world }) => {
            if (operation === ORDER && answer.status === 200)
              for (const { otherInfo } of cardsIn(bodyIn(request)).slice(1)) secondsIn(world).add(otherInfo);
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  fault('the load of the second card is not looked at', 'portal.orderCards.duplicate-load', secondLoadUnseen),
  fault(
    'the load of the second card is not looked at, and the fixtures file gives a whole order with the load of one',
    'portal.orderCards.duplicate-load',
    secondLoadUnseen,
    {
      configure: ({ fixtures }) => {
        const load = { externalIdentifier: '4711001' };
        const order = wholeOrder(7009, 'Direct Order - CORP', { totalValue: 20, ...load }, { amount: 20, ...load });
        fixtures.portal!.programs!.duplicateLoadChecker = { custProgId: 7009, order };
      },
    },
  ),
  fault('a load is repeated in one order', 'portal.orderCards.duplicate-load', {
    rules: {
      meanwhile: (_, request) => {
        const cards = request.operation === ORDER ? cardsIn(bodyIn(request)) : [];
        const identifiers = cards.map(({ externalIdentifier }) => externalIdentifier);
        if (cards.length < 2 || new Set(identifiers).size === cards.length) return;
        request.body = {
          ...bodyIn(request),
          orderDetails: cards.map((card, index) => ({
            ...card,
            externalIdentifier: `${card.externalIdentifier}-${index}`,
          })),
        };
      },
    },
  }),
];
