import type { Server } from 'node:http';
import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { addHeaders, cardWrites, isOneOf, onReply, sleep } from '../tools.ts';
import { badRequest, type Change, counted, later, refusesWith, set, waits } from './changes.ts';
import { also, type Freedom, family, ways } from './freedom.ts';

/** Answers every so many requests at once. */
const every =
  (n: number, reply: (x: Exchange) => Reply, isMeant: (x: Exchange) => boolean = () => true): Change =>
  (c) =>
    void c.before.push((x) => (x.number % n === n - 1 && isMeant(x) ? reply(x) : undefined));

const busy =
  (status: number, retryAfter: string) =>
  ({ operation }: Exchange): Reply => ({
    status,
    headers: { 'rEtRy-AfTeR': retryAfter },
    body: operation.startsWith('portal.') ? { later: true } : [{ errorCode: 'LATER' }],
  });

/** Refuses requests while so many with the same key are under way. */
function parallel(c: Choices, most: number, key: (x: Exchange) => unknown, reply: (x: Exchange) => Reply): void {
  const open = new Map<unknown, number>();
  const held = new WeakSet<Exchange>();
  c.before.push(async (x) => {
    const group = key(x);
    if (group === undefined) return undefined;
    const now = open.get(group) ?? 0;
    if (now >= most) return reply(x);
    open.set(group, now + 1);
    held.add(x);
    await sleep(1);
    return undefined;
  });
  c.after.push((_reply, x) => {
    if (held.delete(x)) open.set(key(x), (open.get(key(x)) ?? 1) - 1);
  });
}

const cardChanged = ({ operation, path }: Exchange) => (isOneOf(operation, cardWrites) ? path.identifier : undefined);
const ordered = ({ operation }: Exchange) => (operation === 'portal.orderCards' ? 'order' : undefined);

/** Whether a header has another form, where a text stands for an absent one. */
const without =
  (header: 'accept' | 'content-type' | 'user-agent', form: RegExp, absent = '') =>
  ({ headers }: Exchange) =>
    !form.test(headers[header] ?? absent);

const known: Record<string, string> = {
  'users.list': 'max token parentIdentifier name v1Identifier',
  'cards.list': 'max token customerIdentifier programIdentifier orderIdentifier externalIdentifier',
  'cards.get': 'byToken byProxy programIdentifier isDigital',
};

/** How many requests are taken, which, and how fast. */
export const transportFreedoms: Freedom[] = family('transport', [
  ...ways('throttle', 'v3 and portal, Limits, rate limits: not shown', {
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
  }),
  ...also('v3 and portal, nothing is said of simultaneous requests', {
    'one-change-of-a-card-at-a-time': (c) =>
      parallel(c, 1, cardChanged, () => ({ status: 409, body: [{ errorMessage: 'another request is under way' }] })),
    'six-requests-at-a-time': (c) => parallel(c, 6, () => 'all', busy(429, '0')),
    'one-order-at-a-time': (c) => parallel(c, 1, ordered, () => ({ status: 409, body: { why: 'one at a time' } })),
  }),
  ...also('v3 and portal, Endpoints: parameters, fields and headers beyond those shown', {
    'unknown-parameters-refused': badRequest(['users.list', 'cards.list', 'cards.get'], ({ query, operation }) =>
      [...query.keys()].some((name) => !known[operation]!.split(' ').includes(name)),
    ),
    'repeated-parameters-refused': badRequest(
      ['users.list', 'cards.list', 'cards.get'],
      ({ query }) => new Set(query.keys()).size < [...query].length,
    ),
    'unknown-transfer-fields-refused': badRequest('cards.transfer', ({ content }) =>
      Object.keys(content).some((name) => !/^(targetCardIdentifier|amount|comment|customFields)$/.test(name)),
    ),
    'json-bodies-need-their-content-type': refusesWith(
      415,
      ['cards.transfer', 'cards.setPin', 'cards.reissue', 'cards.encryptForVde', 'users.setPermissions'],
      without('content-type', /\bjson\b/i),
    ),
    'token-form-needs-its-content-type': refusesWith(
      415,
      'token.issue',
      without('content-type', /x-www-form-urlencoded/i),
    ),
    'callers-have-to-say-who-they-are': badRequest(['users.list', 'cards.list'], without('user-agent', /./)),
    'accept-is-heeded': refusesWith(406, ['cards.get', 'users.get'], without('accept', /json|\*\/\*/, '*/*')),
  }),
  ...ways('scheme', 'v3, Authentication 1: whether the scheme heeds the case of letters is open', {
    'bearer-heeds-case': set({ bearer: (header) => /^Bearer (\S+)$/.exec(header ?? '')?.[1] }),
  }),
  ...ways('pace', 'v3 and portal, nothing is said of how fast answers come', {
    'answers-after-40-ms': waits(() => 40),
    'answers-now-and-then-after-800-ms': waits(({ number }) => (number % 60 === 0 ? 800 : undefined)),
    'answers-in-no-order': waits(({ number }) => (number * 7) % 23),
  }),
  ...also('v3 and portal, nothing is said of how fast answers come', {
    'changes-answered-late': (c) => onReply(c, cardWrites, () => sleep(60)),
  }),
]);

/** Writes the Date header itself, so many seconds away from the target's clock; not at all without them. */
const dated =
  (seconds: number | undefined, ahead = 0): Change =>
  (c) => {
    c.created.push((world) => world.advance(ahead));
    c.sent.push((response) => void Object.assign(response, { sendDate: false }));
    if (seconds === undefined) return;
    c.after.push((reply, { world }) =>
      addHeaders(reply, { Date: new Date(world.now() + seconds * 1000).toUTCString() }),
    );
  };

const serving =
  (options: Partial<Pick<Server, 'maxRequestsPerSocket' | 'keepAliveTimeout'>>): Change =>
  (c) =>
    void c.served.push((server) => void Object.assign(server, options));

const isRead = ({ operation }: Exchange) => /^(cards|users)\.(get|list)/.test(operation);

/** Clocks, connections, and what stands before a target. */
export const connectionFreedoms: Freedom[] = family('transport', [
  ...ways('date', 'v3 and portal, HTTP: a target may have a clock of its own, or none', {
    'date-header-absent': dated(undefined),
    'date-header-of-another-machine': dated(200),
    'clock-ten-minutes-ahead': dated(0, 600),
    'clock-ten-minutes-behind': dated(0, -600),
  }),
  ...ways('connections', 'v3 and portal, HTTP: how long a connection is kept is open', {
    'connections-serve-ten-requests': serving({ maxRequestsPerSocket: 10 }),
    'connections-kept-for-a-second': serving({ keepAliveTimeout: 1000 }),
  }),
  ...ways('interim', 'v3 and portal, HTTP: interim responses may come before the final one', {
    'interim-responses-processing': (c) => void c.sent.push((response) => response.writeProcessing()),
    'interim-responses-with-hints': (c) =>
      void c.sent.push((response) => response.writeEarlyHints({ link: '</style.css>; rel=preload' })),
  }),
  ...ways('gateway', 'v3 and portal, Limits: what a gateway answers for a target that is busy is not shown', {
    'reads-now-and-then-409': every(55, () => ({ status: 409, body: [{ errorMessage: 'being refreshed' }] }), isRead),
    'reads-now-and-then-502': every(
      70,
      () => ({ status: 502, headers: { 'Content-Type': 'text/html' }, bytes: '<h1>Bad gateway</h1>' }),
      isRead,
    ),
    'reads-now-and-then-504': every(70, () => ({ status: 504, bytes: '' }), isRead),
  }),
  ...also('v3, rate limits: not shown', {
    'bad-tokens-are-counted': (c) => {
      const isOften = counted(20, 500);
      c.before.push((x) => {
        if (!/^(cards|users|cardholders)\./.test(x.operation)) return undefined;
        const presented = c.bearer(x.headers.authorization, x);
        const isKnown = x.world.tokens.some(({ value }) => value === presented);
        return !isKnown && isOften() ? later(429, []) : undefined;
      });
    },
  }),
]);
