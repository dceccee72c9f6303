import type { Choices, Reply } from '../choices.ts';
import { addHeaders } from '../tools.ts';
import { also, type Freedom, family, ways } from './freedom.ts';

/** Writes the Date header itself, so many seconds away from the target's clock; not at all without them. */
function dated(c: Choices, seconds?: number): void {
  c.sent.push((response) => {
    response.sendDate = false;
  });
  if (seconds === undefined) return;
  c.after.push((reply, { world }) => {
    addHeaders(reply, { Date: new Date(world.now() + seconds * 1000).toUTCString() });
  });
}

const dates = ways('date', 'v3 and portal, HTTP: a target may have a clock of its own, or none', {
  'date-header-absent': (c) => dated(c),
  'date-header-of-another-machine': (c) => dated(c, 200),
  'clock-ten-minutes-ahead': (c) => {
    c.created.push((world) => world.advance(600));
    dated(c, 0);
  },
  'clock-ten-minutes-behind': (c) => {
    c.created.push((world) => world.advance(-600));
    dated(c, 0);
  },
});

const connections = [
  ...ways('connections', 'v3 and portal, HTTP: how long a connection is kept is open', {
    'connections-serve-ten-requests': (c) => {
      c.served.push((server) => {
        server.maxRequestsPerSocket = 10;
      });
    },
    'connections-kept-for-a-second': (c) => {
      c.served.push((server) => {
        server.keepAliveTimeout = 1000;
      });
    },
  }),
  ...ways('interim', 'v3 and portal, HTTP: interim responses may come before the final one', {
    'interim-responses-processing': (c) => {
      c.sent.push((response) => response.writeProcessing());
    },
    'interim-responses-with-hints': (c) => {
      c.sent.push((response) => response.writeEarlyHints({ link: '</style.css>; rel=preload' }));
    },
  }),
];

/** Now and then a read is answered by what stands before the target. */
function nowAndThen(n: number, reply: () => Reply): (c: Choices) => void {
  return (c) => {
    c.before.push((x) =>
      x.number % n === n - 1 && /^(cards|users)\.(get|list)/.test(x.operation) ? reply() : undefined,
    );
  };
}

const busy = [
  ...ways('gateway', 'v3 and portal, Limits: what a gateway answers for a target that is busy is not shown', {
    'reads-now-and-then-409': nowAndThen(55, () => ({ status: 409, body: [{ errorMessage: 'being refreshed' }] })),
    'reads-now-and-then-502': nowAndThen(70, () => ({
      status: 502,
      headers: { 'Content-Type': 'text/html' },
      bytes: '<h1>Bad gateway</h1>',
    })),
    'reads-now-and-then-504': nowAndThen(70, () => ({ status: 504, bytes: '' })),
  }),
  ...also('v3, rate limits: not shown', {
    'bad-tokens-are-counted': (c) => {
      let recent: number[] = [];
      c.before.push((x) => {
        if (!/^(cards|users|cardholders)\./.test(x.operation)) return undefined;
        const presented = c.bearer(x.headers.authorization, x);
        if (x.world.tokens.some(({ value }) => value === presented)) return undefined;
        recent = recent.filter((at) => Date.now() - at < 500);
        if (recent.length >= 20) return { status: 429, headers: { 'Retry-After': '1' }, body: [] };
        recent.push(Date.now());
        return undefined;
      });
    },
  }),
];

/** Clocks, connections, and what stands before a target. */
export const connectionFreedoms: Freedom[] = family('transport', [...dates, ...connections, ...busy]);
