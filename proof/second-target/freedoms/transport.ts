import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { cardWrites, isOneOf, onReply, rule, sleep } from '../tools.ts';
import { also, type Freedom, family, ways } from './freedom.ts';

function every(n: number, reply: (x: Exchange) => Reply): (c: Choices) => void {
  return (c) => {
    c.before.push((x) => (x.number % n === n - 1 ? reply(x) : undefined));
  };
}

function busy(status: number, retryAfter: string): (x: Exchange) => Reply {
  return ({ operation }) => ({
    status,
    headers: { 'rEtRy-AfTeR': retryAfter },
    body: operation.startsWith('portal.') ? { later: true } : [{ errorCode: 'LATER' }],
  });
}

const throttles = ways('throttle', 'v3 and portal, Limits, rate limits: not shown', {
  'busy-429-every-fortieth': every(40, busy(429, '1')),
  'busy-429-every-fiftieth-without-delay': every(50, busy(429, '0')),
  'busy-503-every-fortieth': every(40, busy(503, '1')),
  'busy-403-every-fiftieth': every(50, busy(403, '1')),
  'busy-429-with-a-date': every(60, (x) => busy(429, new Date(Date.now() + 1000).toUTCString())(x)),
  'busy-503-with-a-page-of-html': every(60, () => ({
    status: 503,
    headers: { 'Retry-After': '1', 'Content-Type': 'text/html' },
    bytes: '<html><h1>Please wait</h1></html>',
  })),
});

function parallel(c: Choices, most: number, counted: (x: Exchange) => unknown, reply: (x: Exchange) => Reply): void {
  const open = new Map<unknown, number>();
  const held = new WeakSet<Exchange>();
  c.before.push(async (x) => {
    const key = counted(x);
    if (key === undefined) return undefined;
    const now = open.get(key) ?? 0;
    if (now >= most) return reply(x);
    open.set(key, now + 1);
    held.add(x);
    await sleep(1);
    return undefined;
  });
  c.after.push((_reply, x) => {
    if (held.delete(x)) open.set(counted(x), (open.get(counted(x)) ?? 1) - 1);
  });
}

const parallels = also('v3 and portal, nothing is said of simultaneous requests', {
  'one-change-of-a-card-at-a-time': (c) =>
    parallel(
      c,
      1,
      (x) => (isOneOf(x.operation, cardWrites) ? x.path.identifier : undefined),
      () => ({ status: 409, body: [{ errorMessage: 'another request is under way' }] }),
    ),
  'six-requests-at-a-time': (c) => parallel(c, 6, () => 'all', busy(429, '0')),
  'one-order-at-a-time': (c) =>
    parallel(
      c,
      1,
      ({ operation }) => (operation === 'portal.orderCards' ? 'order' : undefined),
      () => ({ status: 409, body: { why: 'one at a time' } }),
    ),
});

const asked = [
  ...also('v3 and portal, Endpoints: parameters, fields and headers beyond those shown', {
    'unknown-parameters-refused': (c) => {
      const known: Record<string, string> = {
        'users.list': 'max token parentIdentifier name v1Identifier',
        'cards.list': 'max token customerIdentifier programIdentifier orderIdentifier externalIdentifier',
        'cards.get': 'byToken byProxy programIdentifier isDigital',
      };
      rule(
        c,
        ['users.list', 'cards.list', 'cards.get'],
        ({ query, operation }) => [...query.keys()].some((name) => !known[operation]!.split(' ').includes(name)),
        400,
      );
    },
    'repeated-parameters-refused': (c) =>
      rule(
        c,
        ['users.list', 'cards.list', 'cards.get'],
        ({ query }) => new Set(query.keys()).size < [...query].length,
        400,
      ),
    'unknown-transfer-fields-refused': (c) =>
      rule(
        c,
        'cards.transfer',
        ({ content }) => {
          const known = ['targetCardIdentifier', 'amount', 'comment', 'customFields'];
          return Object.keys(content).some((name) => !known.includes(name));
        },
        400,
      ),
    'json-bodies-need-their-content-type': (c) =>
      rule(
        c,
        ['cards.transfer', 'cards.setPin', 'cards.reissue', 'cards.encryptForVde', 'users.setPermissions'],
        ({ headers }) => !/\bjson\b/i.test(headers['content-type'] ?? ''),
        415,
      ),
    'token-form-needs-its-content-type': (c) =>
      rule(c, 'token.issue', ({ headers }) => !/x-www-form-urlencoded/i.test(headers['content-type'] ?? ''), 415),
    'callers-have-to-say-who-they-are': (c) =>
      rule(c, ['users.list', 'cards.list'], ({ headers }) => !headers['user-agent'], 400),
    'accept-is-heeded': (c) =>
      rule(c, ['cards.get', 'users.get'], ({ headers }) => !/json|\*\/\*/.test(headers.accept ?? '*/*'), 406),
  }),
  ...ways('scheme', 'v3, Authentication 1: whether the scheme heeds the case of letters is open', {
    'bearer-heeds-case': (c) => {
      c.bearer = (header) => /^Bearer (\S+)$/.exec(header ?? '')?.[1];
    },
  }),
];

const slow = ways('pace', 'v3 and portal, nothing is said of how fast answers come', {
  'answers-after-40-ms': (c) => {
    c.before.push(() => sleep(40).then(() => undefined));
  },
  'answers-now-and-then-after-800-ms': (c) => {
    c.before.push((x) => (x.number % 60 === 0 ? sleep(800).then(() => undefined) : undefined));
  },
  'answers-in-no-order': (c) => {
    c.before.push((x) => sleep((x.number * 7) % 23).then(() => undefined));
  },
});

const late = also('v3 and portal, nothing is said of how fast answers come', {
  'changes-answered-late': (c) => {
    onReply(c, cardWrites, () => sleep(60));
  },
});

/** How many requests are taken, which, and how fast. */
export const transportFreedoms: Freedom[] = family('transport', [
  ...throttles,
  ...parallels,
  ...asked,
  ...slow,
  ...late,
]);
