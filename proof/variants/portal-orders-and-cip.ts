/** Sound portals with limits of how soon something is asked, with answers that say more than was ordered, and with rules for what a client chooses. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { Order, Rules, SandboxOptions, World } from '../../sandbox/index.ts';
import { wholeOrder } from './portal-order-rules.ts';
import { settling, type Variant } from './variant.ts';

type Body = Record<string, unknown>;

const CIP = 'portal.getCIPCheck';
const ORDER = 'portal.orderCards';
const UNIQUE_OTHER_INFO = 7008;

const variant = (name: string, basis: string, sandbox: SandboxOptions, configure?: Variant['configure']): Variant => ({
  name: `portal rule: ${name}`,
  basis,
  sandbox,
  ...(configure ? { configure } : {}),
});

const bodyIn = ({ body }: SandboxRequest): Body =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : {};
const cardsIn = (order: Body): Body[] => (Array.isArray(order.orderDetails) ? (order.orderDetails as Body[]) : []);

const refuses = (isRefused: (request: SandboxRequest, world: World) => boolean): Pick<Rules, 'alsoRefuses'> => ({
  alsoRefuses: (request, world) => (isRefused(request, world) ? { kind: 'range', name: 'rule' } : undefined),
});
const ofOrders = (isRefused: (order: Body, cards: Body[]) => boolean): SandboxOptions => ({
  rules: refuses((request) => request.operation === ORDER && isRefused(bodyIn(request), cardsIn(bodyIn(request)))),
});
/** What is remembered of one sandbox. */
function memory<T>(make: () => T): (world: World) => T {
  const memories = new WeakMap<World, T>();
  return (world) => {
    if (!memories.has(world)) memories.set(world, make());
    return memories.get(world)!;
  };
}

const SETTLE_MS = 10;
/** Longer than the suite waits before it asks alone. */
const PAUSE_MS = 80;
/** Where every second request is one that has to be accepted, these are all accepted, and the others refused now and then. */
const REFILLED_PER_REQUEST = 0.6;

/** After a success of the operation the next has to wait. */
function waits(operation: string, status: number): SandboxOptions {
  const lastIn = memory(() => ({ at: Number.NEGATIVE_INFINITY }));
  return {
    rules: {
      ...refuses(
        (request, world) => request.operation === operation && performance.now() < lastIn(world).at + PAUSE_MS,
      ),
      refusalStatus: ({ name }, byDefault) => (name === 'rule' ? status : byDefault),
    },
    middleware: [
      (answer, { operation: called, world }) => {
        if (called === operation && answer.status === 200) lastIn(world).at = performance.now();
        return undefined;
      },
    ],
  };
}

/** The request after a success is refused, and the next is not: the pause is over by then. */
function pausesForOne(operation: string, status: number): SandboxOptions {
  const pauseIn = memory(() => ({ isOn: false }));
  return {
    rules: {
      ...refuses((request, world) => {
        if (request.operation !== operation || !pauseIn(world).isOn) return false;
        pauseIn(world).isOn = false;
        return true;
      }),
      refusalStatus: ({ name }, byDefault) => (name === 'rule' ? status : byDefault),
    },
    middleware: [
      (answer, { operation: called, world }) => {
        if (called === operation && answer.status === 200) pauseIn(world).isOn = true;
        return undefined;
      },
    ],
  };
}

/** So many requests of the operation at once, and then a share of those that come, at an even pace. */
function refilled(operation: string, most: number, status: number): SandboxOptions {
  const quotaIn = memory(() => ({ left: most }));
  return {
    rules: {
      ...refuses((request, world) => {
        if (request.operation !== operation) return false;
        const quota = quotaIn(world);
        quota.left = Math.min(most, quota.left + REFILLED_PER_REQUEST);
        if (quota.left < 1) return true;
        quota.left--;
        return false;
      }),
      refusalStatus: ({ name }, byDefault) => (name === 'rule' ? status : byDefault),
    },
  };
}

const limits: readonly Variant[] = [CIP, ORDER].flatMap((operation) =>
  [400, 403]
    .flatMap((status) => [
      variant(
        `${operation} is not asked again at once, and answers ${status}`,
        'Limits: rate limits are not shown',
        waits(operation, status),
      ),
      variant(
        `${operation} is not asked again at once but a little later, and answers ${status}`,
        'Limits: rate limits are not shown',
        pausesForOne(operation, status),
      ),
      variant(
        `${operation} has a quota that is refilled, and answers ${status}`,
        'Limits: rate limits are not shown',
        refilled(operation, 6, status),
      ),
    ])
    .map((one) => settling(SETTLE_MS, one)),
);

type Programs = NonNullable<
  NonNullable<Parameters<NonNullable<Variant['configure']>>[0]['fixtures']['portal']>['programs']
>;

const onlyPrograms =
  (programs: Programs): Variant['configure'] =>
  ({ fixtures }) => {
    fixtures.portal = { ...fixtures.portal, programs };
  };

const forms: readonly Variant[] = [
  variant(
    'what names nothing is answered with 500, and the one program is gone',
    'orderCards: a 500 to what is refused anyway is advised against',
    {
      rules: {
        refusalStatus: ({ operation, kind }, byDefault) =>
          operation === ORDER && kind === 'unknown-reference' ? 500 : byDefault,
      },
    },
    onlyPrograms({ personalized: 987_654 }),
  ),
  variant(
    'a program that is not named and one that is gone are both answered with 404',
    'orderCards: other error statuses are not shown; Errors: 404 is "resource not found"',
    {
      rules: {
        refusalStatus: ({ operation, kind }, byDefault) =>
          operation === ORDER && ['unknown-reference', 'missing-body', 'missing-member'].includes(kind)
            ? 404
            : byDefault,
      },
    },
    onlyPrograms({ personalized: 987_654 }),
  ),
];

/** The one program of the fixtures file, of which they give a whole order, takes no order of another kind. */
const ofOneKind = (
  name: string,
  basis: string,
  key: keyof Programs,
  order: Body,
  isOfIt: (order: Body, cards: Body[]) => boolean,
): Variant =>
  variant(
    name,
    basis,
    ofOrders((sent, cards) => sent.city !== undefined && !isOfIt(sent, cards)),
    onlyPrograms({ [key]: { custProgId: order.custProgId as number, order } }),
  );

const kinds: readonly Variant[] = [
  ofOneKind(
    'the one program takes orders with load alone',
    'Order rules, 4: amount per card, totalValue and an externalIdentifier are sent',
    'personalized',
    wholeOrder(
      7006,
      'Direct Order - CORP',
      { totalValue: 20, externalIdentifier: '4711001' },
      { amount: 20, externalIdentifier: '4711001' },
    ),
    ({ totalValue }) => Number(totalValue) > 0,
  ),
];

const fewIdentifiers: readonly Variant[] = [
  variant(
    'identifiers are so short that a run uses up all like them',
    'orderCards body: externalIdentifier and otherInfo are strings; the fixtures file shows their form',
    {},
    onlyPrograms({
      uniqueOtherInfo: {
        custProgId: UNIQUE_OTHER_INFO,
        order: wholeOrder(
          UNIQUE_OTHER_INFO,
          'Personalized Payroll Order',
          { externalIdentifier: '1' },
          { otherInfo: 'E1' },
        ),
      },
    }),
  ),
];

const proxyOf = ({ cards }: Order) => cards[0]?.proxy;
/** A duplicate is answered as the order that it repeats, whose proxies are shown in another way then. */
function repeatsWith(shownAgain: (proxy: string) => string[]): SandboxOptions {
  const answeredIn = memory(() => new Set<unknown>());
  return {
    rules: {
      duplicateOrders: 'repeat',
      orderAnswer: (order) => ({ orderId: order.orderId, proxies: [proxyOf(order)] }),
    },
    middleware: [
      (answer, { operation, world }) => {
        if (operation !== ORDER || answer.status !== 200) return undefined;
        const { orderId, proxies } = answer.body as { orderId: number; proxies: string[] };
        const isRepeated = answeredIn(world).has(orderId);
        answeredIn(world).add(orderId);
        return isRepeated ? { ...answer, body: { orderId, proxies: shownAgain(proxies[0]!) } } : undefined;
      },
    ],
  };
}

/** Proxies alone say which order it was. */
const withoutOrderId = ({ middleware = [], ...others }: SandboxOptions): SandboxOptions => ({
  ...others,
  middleware: [
    ...middleware,
    (answer, { operation }) =>
      operation === ORDER && answer.status === 200
        ? { ...answer, body: { proxies: (answer.body as Body).proxies } }
        : undefined,
  ],
});

/** A card is ordered once for each otherInfo: ordered again, it is answered as the card that there is. */
function answersTheCard(): SandboxOptions {
  return {
    rules: { enforces: ({ kind, name }) => !(kind === 'duplicate' && name === 'otherInfo-over-orders') },
    middleware: [
      (answer, { operation, request, world }) => {
        const { custProgId, ...order } = bodyIn(request);
        if (operation !== ORDER || answer.status !== 200 || custProgId !== UNIQUE_OTHER_INFO) return undefined;
        const otherInfo = cardsIn(order)[0]?.otherInfo;
        const earlier = world.orders.slice(0, -1).filter((one) => one.custProgId === custProgId);
        const known = earlier.flatMap(({ cards }) => cards).find((card) => card.otherInfo === otherInfo);
        if (!known) return undefined;
        world.orders.pop();
        return { ...answer, body: { status: 'Known', instantPersonalizedProxy: known.proxy } };
      },
    ],
  };
}

/** An order is answered before its cards are made. */
const whenMade = ({ rules, ...others }: SandboxOptions): SandboxOptions => ({
  ...others,
  rules: { ...rules, orderAnswer: () => ({ status: 'Accepted', instantPersonalizedProxy: null }) },
});

const answers: readonly Variant[] = [
  variant(
    'a duplicate is answered as the first, with the last digits of its proxies alone',
    'orderCards response: not shown',
    withoutOrderId(repeatsWith((proxy) => [`****${proxy.slice(-4)}`])),
  ),
  variant('a duplicate is answered as the first, with how many proxies are left', 'orderCards response: not shown', {
    rules: { duplicateOrders: 'repeat', duplicateLoads: 'repeat', orderAnswer: ({ orderId }) => ({ orderId }) },
    middleware: [
      (answer, { operation, request }) =>
        operation === ORDER && answer.status === 200
          ? { ...answer, body: { ...(answer.body as Body), remainingProxies: 5000 - request.callNumber } }
          : undefined,
    ],
  }),
  variant('the latest orders are answered beside the order', 'orderCards response: not shown', {
    rules: { duplicateOrders: 'repeat', duplicateLoads: 'repeat' },
    middleware: [
      (answer, { operation, world }) =>
        operation === ORDER && answer.status === 200
          ? {
              ...answer,
              body: {
                ...(answer.body as Body),
                orders: world.orders.slice(-5).map(({ orderId }) => ({ id: `order-${orderId}` })),
              },
            }
          : undefined,
    ],
  }),
  variant(
    'a repeated otherInfo is answered with the card that has it, which was still to come',
    'Order rules, 2: when a proxy is there is not said',
    whenMade(answersTheCard()),
  ),
];

export const orderAndCipVariants: readonly Variant[] = [...limits, ...forms, ...kinds, ...fewIdentifiers, ...answers];
