/** Sound portals with limits of how soon something is asked, with answers that say more than was ordered, and with rules for what a client chooses. */
import type { OperationId, Order, SandboxOptions } from '../../sandbox/index.ts';
import { answering, type Body, bodyIn, cardsIn, is, memory, refusedWith, replacing } from '../changed-sandbox.ts';
import { wholeOrder } from './portal-order-rules.ts';
import { CIP, ORDER, otherBody, ownRule, portalRule } from './portal-rule.ts';
import { setting, type Variant } from './variant.ts';

const UNIQUE_OTHER_INFO = 7008;

// ---- limits of how soon something is asked -----------------------------------------------------------------------

const SETTLE_MS = 10;
/** Longer than the suite waits before it asks alone. */
const PAUSE_MS = 80;
/** Where every second request is one that has to be accepted, these are all accepted, and the others refused now and then. */
const REFILLED_PER_REQUEST = 0.6;

/** After a success of the operation the next has to wait. */
function waits(operation: OperationId, status: number): SandboxOptions {
  const lastIn = memory(() => ({ at: Number.NEGATIVE_INFINITY }));
  return {
    rules: ownRule(
      (request, world) => request.operation === operation && performance.now() < lastIn(world).at + PAUSE_MS,
      status,
    ),
    ...answering(operation, (_, { world }) => {
      lastIn(world).at = performance.now();
    }),
  };
}

/** The request after a success is refused, and the next is not: the pause is over by then. */
function pausesForOne(operation: OperationId, status: number): SandboxOptions {
  const pauseIn = memory(() => ({ isOn: false }));
  return {
    rules: ownRule((request, world) => {
      if (request.operation !== operation || !pauseIn(world).isOn) return false;
      pauseIn(world).isOn = false;
      return true;
    }, status),
    ...answering(operation, (_, { world }) => {
      pauseIn(world).isOn = true;
    }),
  };
}

/** Six requests of the operation at once, and then a share of those that come, at an even pace. */
function refilled(operation: OperationId, status: number): SandboxOptions {
  const MOST = 6;
  const quotaIn = memory(() => ({ left: MOST }));
  return {
    rules: ownRule((request, world) => {
      if (request.operation !== operation) return false;
      const quota = quotaIn(world);
      quota.left = Math.min(MOST, quota.left + REFILLED_PER_REQUEST);
      if (quota.left < 1) return true;
      quota.left--;
      return false;
    }, status),
  };
}

const limits: readonly Variant[] = ([CIP, ORDER] as const).flatMap((operation) =>
  [400, 403].flatMap((status) =>
    Object.entries({
      'is not asked again at once': waits,
      'is not asked again at once but a little later': pausesForOne,
      'has a quota that is refilled': refilled,
    }).map(([what, limited]) =>
      portalRule(
        `${operation} ${what}, and answers ${status}`,
        'Limits: rate limits are not shown',
        limited(operation, status),
        { run: { settleMs: SETTLE_MS } },
      ),
    ),
  ),
);

// ---- one program -------------------------------------------------------------------------------------------------

const loaded = { externalIdentifier: '4711001' };
const withLoad = wholeOrder(7006, 'Direct Order - CORP', { totalValue: 20, ...loaded }, { amount: 20, ...loaded });

const short = { externalIdentifier: '1' };
const shortlyIdentified = wholeOrder(UNIQUE_OTHER_INFO, 'Personalized Payroll Order', short, { otherInfo: 'E1' });

const programs: readonly Variant[] = [
  portalRule(
    'what names nothing is answered with 500, and the one program is gone',
    'orderCards: a 500 to what is refused anyway is advised against',
    { rules: refusedWith(500, is(ORDER, { kind: 'unknown-reference' })) },
    { configure: setting({ portal: { programs: { personalized: 987_654 } } }) },
  ),
  portalRule(
    'a program that is not named and one that is gone are both answered with 404',
    'orderCards: other error statuses are not shown; Errors: 404 is "resource not found"',
    { rules: refusedWith(404, is(ORDER, { kind: /^(unknown-reference|missing-body|missing-member)$/ })) },
    { configure: setting({ portal: { programs: { personalized: 987_654 } } }) },
  ),
  portalRule(
    'the one program takes orders with load alone',
    'Order rules, 4: amount per card, totalValue and an externalIdentifier are sent',
    {
      rules: ownRule((request) => {
        const { city, totalValue } = bodyIn(request);
        return request.operation === ORDER && city !== undefined && !(Number(totalValue) > 0);
      }),
    },
    { configure: setting({ portal: { programs: { personalized: { custProgId: 7006, order: withLoad } } } }) },
  ),
  portalRule(
    'identifiers are so short that a run uses up all like them',
    'orderCards body: externalIdentifier and otherInfo are strings; the fixtures file shows their form',
    {},
    {
      configure: setting({
        portal: { programs: { uniqueOtherInfo: { custProgId: UNIQUE_OTHER_INFO, order: shortlyIdentified } } },
      }),
    },
  ),
];

// ---- answers -----------------------------------------------------------------------------------------------------

/** A duplicate is answered as the order that it repeats, by its proxies alone, of which the last digits are shown then. */
function repeatsInPart(): SandboxOptions {
  const answeredIn = memory(() => new Set<unknown>());
  return {
    rules: {
      duplicateOrders: 'repeat',
      orderAnswer: ({ orderId, cards }: Order) => ({ orderId, proxies: [cards[0]?.proxy] }),
    },
    ...replacing(ORDER, ({ body }, { world }) => {
      const { orderId, proxies } = body as { orderId: number; proxies: string[] };
      const isRepeated = answeredIn(world).has(orderId);
      answeredIn(world).add(orderId);
      return { body: { proxies: isRepeated ? [`****${proxies[0]!.slice(-4)}`] : proxies } };
    }),
  };
}

/** A card is ordered once for each otherInfo: ordered again, it is answered as the card that there is. An order is answered before its cards are made. */
const answersTheCard: SandboxOptions = {
  rules: {
    enforces: ({ kind, name }) => !(kind === 'duplicate' && name === 'otherInfo-over-orders'),
    orderAnswer: () => ({ status: 'Accepted', instantPersonalizedProxy: null }),
  },
  ...replacing(ORDER, (_, { request, world }) => {
    const { custProgId, ...order } = bodyIn(request);
    if (custProgId !== UNIQUE_OTHER_INFO) return undefined;
    const otherInfo = cardsIn(order)[0]?.otherInfo;
    const earlier = world.orders.slice(0, -1).filter((one) => one.custProgId === custProgId);
    const known = earlier.flatMap(({ cards }) => cards).find((card) => card.otherInfo === otherInfo);
    if (!known) return undefined;
    world.orders.pop();
    return { body: { status: 'Known', instantPersonalizedProxy: known.proxy } };
  }),
};

const answers: readonly Variant[] = [
  portalRule(
    'a duplicate is answered as the first, with the last digits of its proxies alone',
    'orderCards response: not shown',
    repeatsInPart(),
  ),
  portalRule('a duplicate is answered as the first, with how many proxies are left', 'orderCards response: not shown', {
    rules: { duplicateOrders: 'repeat', duplicateLoads: 'repeat', orderAnswer: ({ orderId }) => ({ orderId }) },
    ...otherBody(ORDER, (body, { callNumber }) => ({ ...body, remainingProxies: 5000 - callNumber })),
  }),
  portalRule('the latest orders are answered beside the order', 'orderCards response: not shown', {
    rules: { duplicateOrders: 'repeat', duplicateLoads: 'repeat' },
    ...replacing(ORDER, ({ body }, { world }) => ({
      body: { ...(body as Body), orders: world.orders.slice(-5).map(({ orderId }) => ({ id: `order-${orderId}` })) },
    })),
  }),
  portalRule(
    'a repeated otherInfo is answered with the card that has it, which was still to come',
    'Order rules, 2: when a proxy is there is not said',
    answersTheCard,
  ),
];

export const orderAndCipVariants: readonly Variant[] = [...limits, ...programs, ...answers];
