import type { Choices } from '../choices.ts';
import { bodyWith, onReply, overlook, rule, showsWithin, since, sleep, succeeded, tally } from '../tools.ts';
import type { Card, CardFacts, World } from '../world.ts';
import { also, type Draft, doubtful, type Freedom, family, ways } from './freedom.ts';

/** What a card was so many milliseconds ago. */
export function factsBefore(card: Card, ms: number): CardFacts {
  const then = Date.now() - ms;
  return card.history.findLast(({ at }) => at <= then)?.facts ?? card.history[0]!.facts;
}

function behind(ms: number, turns: (n: number) => boolean): (c: Choices) => void {
  return (c) => {
    c.seen = (card, x) => (turns(x.turn) ? factsBefore(card, ms) : card.facts);
    // A record is refreshed by what a replica showed, and is then itself read from a replica.
    showsWithin(c, 2 * ms + 400);
  };
}

const replicas = ways('replica', 'v3, nothing is said of how soon an effect shows when it is read back', {
  'effects-show-after-200-ms': behind(200, () => true),
  'effects-show-after-600-ms': behind(600, () => true),
  'effects-show-back-and-forth-for-300-ms': behind(300, (n) => n % 2 === 0),
  'effects-show-on-every-third-read-for-500-ms': behind(500, (n) => n % 3 > 0),
  'effects-show-last-on-the-replica-of-every-fifth-read': behind(400, (n) => n % 5 === 4),
});

function issuedAgain(c: Choices): void {
  onReply(c, 'token.issue', (reply, { world }) => {
    const now = world.now();
    const standing = world.tokens.find(({ issued, expires }) => issued < now && expires - now > 600_000);
    if (!succeeded(reply) || !standing) return;
    reply.body = {
      access_token: standing.value,
      token_type: 'Bearer',
      expires_in: Math.floor((standing.expires - now) / 1000),
      expires_on: Math.floor(standing.expires / 1000),
    };
  });
}

const tokens = [
  ...doubtful('expires_in is described as 60 minutes from generation, here it counts from the first answer', [
    {
      id: 'token-given-again-while-valid',
      basis: 'v3, tokenResponse: whether each request generates a token is open',
      change: issuedAgain,
    },
  ]),
  ...also('v3, tokenResponse, not_before: how it relates to the moment is open', {
    'token-valid-since-five-minutes-ago': (c) =>
      bodyWith(c, 'token.issue', ({ not_before }) => ({ not_before: Number(not_before) - 300 })),
    'token-not-before-zero': (c) => bodyWith(c, 'token.issue', { not_before: 0 }),
  }),
  ...ways('issuing', 'v3, Token: how often a token may be asked for, and how soon after a mistake, is not shown', {
    'token-the-same-within-five-seconds': (c) => {
      onReply(c, 'token.issue', (reply, { world }) => {
        const now = world.now();
        const standing = world.tokens.find(({ issued }) => issued < now && now - issued < 5_000);
        if (!succeeded(reply) || !standing) return;
        Object.assign(reply.body as object, { access_token: standing.value });
      });
    },
    'client-locked-for-half-a-second-after-a-wrong-secret': (c) => lockedClient(c, 401, {}),
    'client-told-to-wait-after-a-wrong-secret': (c) => lockedClient(c, 429, { 'Retry-After': '1' }),
  }),
  ...also('v3, Authentication: when a code or a temporary token ends is not shown', {
    'temporary-tokens-live-two-seconds': (c) => {
      const made = new Map<string, number>();
      c.before.push(({ operation, path, query }) => {
        if (operation !== 'cards.get' || query.get('byToken') !== 'true') return undefined;
        const old = Date.now() - (made.get(path.identifier!) ?? Date.now()) > 2000;
        return old ? { status: 410, body: [{ errorMessage: 'too late' }] } : undefined;
      });
      onReply(c, 'cards.createToken', ({ body }) => {
        made.set((body as { token: string }).token, Date.now());
      });
    },
    'temporary-tokens-live-five-minutes': (c) => {
      const made = new Map<string, number>();
      c.before.push(({ world, operation, path, query }) => {
        if (operation !== 'cards.get' || query.get('byToken') !== 'true') return undefined;
        const old = world.now() - (made.get(path.identifier!) ?? 0) > 300_000;
        return old ? { status: 410, body: [{ errorMessage: 'too late' }] } : undefined;
      });
      onReply(c, 'cards.createToken', ({ body }, { world }) => {
        made.set((body as { token: string }).token, world.now());
      });
    },
  }),
];

/** Refuses the client for half a second after it came with a wrong secret. */
function lockedClient(c: Choices, status: number, headers: Record<string, string>): void {
  let wrong = 0;
  c.before.push(({ operation }) =>
    operation === 'token.issue' && Date.now() - wrong < 500
      ? { status, headers, body: { error: 'invalid_client' } }
      : undefined,
  );
  onReply(c, 'token.issue', (reply, { text, world }) => {
    const form = new URLSearchParams(text);
    const isOurs = form.get('client_id') === world.client.id;
    if (reply.status >= 400 && isOurs && form.get('client_secret') !== world.client.secret && Date.now() - wrong > 500)
      wrong = Date.now();
  });
}

function eachSession(c: Choices, ends: (world: World) => void): void {
  c.before.push(({ world, operation }) => {
    if (operation.startsWith('portal.')) ends(world);
    return undefined;
  });
}

const sessions: Draft[] = doubtful('"A session is valid for a user session, until logout"', [
  {
    id: 'sessions-end-when-unused-for-half-an-hour',
    basis: 'portal, Authentication 2: how long a user session is stays open',
    change: (c) =>
      eachSession(c, (world) => {
        for (const session of world.sessions) if (world.now() - session.used > 1_800_000) session.ended = true;
      }),
  },
  {
    id: 'sessions-end-after-eight-hours',
    basis: 'portal, Authentication 2: how long a user session is stays open',
    change: (c) =>
      eachSession(c, (world) => {
        for (const session of world.sessions) if (world.now() - session.since > 28_800_000) session.ended = true;
      }),
  },
  {
    id: 'one-session-per-user-the-newest',
    basis: 'portal, Authentication: how many sessions a user may have is open',
    slot: 'sessionCount',
    change: (c) => newest(c, 1),
  },
  {
    id: 'three-sessions-per-user-the-newest',
    basis: 'portal, Authentication: how many sessions a user may have is open',
    slot: 'sessionCount',
    change: (c) => newest(c, 3),
  },
  {
    id: 'a-second-login-gives-the-same-session',
    basis: 'portal, Transitions: what login does when a session is active is not shown',
    slot: 'sessionCount',
    change: (c) =>
      onReply(c, 'portal.login', (reply, { world, session }) => {
        const standing = world.sessions.find(
          (other) => other !== session && other.user === session?.user && !other.ended,
        );
        if (!succeeded(reply) || !standing) return;
        world.sessions.pop();
        Object.assign(reply.body as object, { sessionId: standing.id });
      }),
  },
  ...[1, 2, 3].map((most) => ({
    id: `${['one-session', 'two-sessions', 'three-sessions'][most - 1]}-per-user-and-no-further-login`,
    basis: 'portal, Authentication: how many sessions a user may have is open',
    slot: 'sessionCount',
    change: (c: Choices) =>
      rule(
        c,
        'portal.login',
        ({ world, query }) =>
          world.sessions.filter(({ user, ended }) => user.loginId === query.get('loginID') && !ended).length >= most,
        400,
      ),
  })),
  {
    id: 'logout-ends-all-sessions-of-the-user',
    basis: 'portal, Transitions, logout: "a user session" may be all that a user has open',
    slot: 'sessionCount',
    change: (c) =>
      onReply(c, 'portal.logout', (reply, { world, session }) => {
        if (succeeded(reply)) for (const other of world.sessions) if (other.user === session?.user) other.ended = true;
      }),
  },
  {
    id: 'logout-of-an-ended-session-succeeds',
    basis: 'portal, logout, 400 "logout failed": whether an ended session makes it fail is open',
    change: (c) =>
      overlook(c, 'portal.logout', 'bad-session', ({ world, query }) =>
        world.sessions.some(({ id, ended }) => ended && id === query.get('sessionId')),
      ),
  },
]);

function newest(c: Choices, most: number): void {
  onReply(c, 'portal.login', (_reply, { world, session }) => {
    const own = world.sessions.filter(({ user, ended }) => user === session?.user && !ended);
    for (const old of own.slice(0, Math.max(0, own.length - most))) old.ended = true;
  });
}

const logins = also('portal, login: nothing is said of how often it may be tried', {
  'login-locked-for-a-second-after-a-wrong-password': (c) => {
    const failed = new Map<string, number>();
    onReply(c, 'portal.login', (reply, { query }) => {
      if (reply.status === 400) failed.set(query.get('loginID') ?? '', Date.now());
    });
    rule(c, 'portal.login', ({ query }) => Date.now() - (failed.get(query.get('loginID') ?? '') ?? 0) < 1000, 400);
  },
  'login-locked-for-three-seconds-after-a-wrong-password': (c) => {
    const failed = new Map<string, number>();
    onReply(c, 'portal.login', (reply, { query, world }) => {
      const known = world.users.find(({ loginId }) => loginId === query.get('loginID'));
      if (reply.status === 400 && query.get('password') !== known?.password)
        failed.set(query.get('loginID') ?? '', Date.now());
    });
    rule(c, 'portal.login', ({ query }) => Date.now() - (failed.get(query.get('loginID') ?? '') ?? 0) < 3000, 400);
  },
  'login-refused-with-delay-after-three-wrong-passwords': (c) => {
    let wrong = 0;
    onReply(c, 'portal.login', ({ status }) => {
      wrong += status === 400 ? 1 : 0;
    });
    c.before.push(async ({ operation }) => {
      if (operation === 'portal.login' && wrong > 2) await sleep(150);
      return undefined;
    });
  },
  'forty-sessions-at-most': (c) => {
    rule(c, 'portal.login', ({ world }) => world.sessions.filter(({ ended }) => !ended).length >= 40, 400);
  },
  'logins-100-ms-apart': (c) => {
    const ago = since(c, 'portal.login', () => 'login');
    c.before.push((x) => {
      const early = x.operation === 'portal.login' && ago(x) < 100;
      return early ? { status: 429, headers: { 'Retry-After': '1' }, body: {} } : undefined;
    });
  },
  'login-ids-in-any-case': (c) => {
    const usual = c.isSame;
    c.isSame = (one, other, x) =>
      x.operation === 'portal.login' ? one.toLowerCase() === other.toLowerCase() : usual(one, other, x);
  },
});

const continuations = also('v3, customerResults, continuationToken: how long and how often it serves is open', {
  'continuation-serves-once': (c) => {
    const used = new Set<string>();
    rule(c, ['users.list', 'cards.list'], ({ query }) => used.has(query.get('token') ?? ''), 400);
    onReply(c, ['users.list', 'cards.list'], (reply, { query }) => {
      const token = query.get('token');
      if (token !== null && succeeded(reply)) used.add(token);
    });
  },
  'continuation-ended-by-a-newer-listing': (c) => {
    let newestToken: unknown;
    rule(c, 'users.list', ({ query }) => query.has('token') && query.get('token') !== newestToken, 400);
    onReply(c, 'users.list', (reply) => {
      if (succeeded(reply)) newestToken = (reply.body as { continuationToken?: string }).continuationToken;
    });
  },
  'continuation-lives-a-minute': (c) => {
    const made = new Map<string, number>();
    onReply(c, ['users.list', 'cards.list'], ({ body }, { world }) => {
      const token = (body as { continuationToken?: string })?.continuationToken;
      if (token) made.set(token, world.now());
    });
    rule(
      c,
      ['users.list', 'cards.list'],
      ({ query, world }) => {
        const at = made.get(query.get('token') ?? '');
        return at !== undefined && world.now() - at > 60_000;
      },
      400,
    );
  },
  'continuation-wants-its-filters-again': (c) => {
    const filters = new Map<string, string>();
    const key = (query: URLSearchParams) =>
      JSON.stringify([...query].filter(([name]) => !['token', 'max'].includes(name)).sort());
    onReply(c, ['users.list', 'cards.list'], ({ body }, { query }) => {
      const token = (body as { continuationToken?: string })?.continuationToken;
      if (token) filters.set(token, key(query));
    });
    const listings = ['users.list', 'cards.list'] as const;
    rule(c, listings, ({ query }) => query.has('token') && filters.get(query.get('token')!) !== key(query), 400);
  },
});

const drifts = doubtful('a reader may hold that a balance changes by transfers only', [
  {
    id: 'balances-grow-by-interest',
    basis: 'v3, card, balance: what else changes it is not said',
    change: (c: Choices) => {
      const reads = tally(c, 'cards.getBalance', ({ path }) => path.identifier);
      onReply(c, 'cards.getBalance', (_reply, x) => {
        if (x.card && reads(x) % 4 === 3) x.world.pay(x.card, 1);
      });
    },
  },
  {
    id: 'balance-inquiries-cost-a-cent',
    basis: 'v3, card, balance: what else changes it is not said',
    change: (c) =>
      onReply(c, 'cards.getBalance', (reply, x) => {
        if (x.card && succeeded(reply) && x.card.facts.cents > 0) x.world.pay(x.card, -1);
      }),
  },
  {
    id: 'transfers-cost-a-fee',
    basis: 'v3, POST transfer: whether it costs a fee is not said',
    change: (c: Choices) => {
      const usual = c.debit;
      c.debit = (card, cents, x) => usual(card, cents + (card.facts.cents > cents + 25 ? 25 : 0), x);
    },
  },
]);

/** When things begin, end and show. */
export const timeFreedoms: Freedom[] = family('time', [
  ...replicas,
  ...tokens,
  ...sessions,
  ...logins,
  ...continuations,
  ...drifts,
]);
