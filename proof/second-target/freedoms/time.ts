import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Json, JsonObject } from '../json.ts';
import { bodyWith, onReply, overlook, rule, showsWithin, since, tally } from '../tools.ts';
import type { Card, CardFacts, Session, World } from '../world.ts';
import { afterwards, all, anyCase, badRequest, type Change, costs, instead, later, set, waits } from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

/** What a card was so many milliseconds ago. */
export function factsBefore(card: Card, ms: number): CardFacts {
  const then = Date.now() - ms;
  return card.history.findLast(({ at }) => at <= then)?.facts ?? card.history[0]!.facts;
}

const behind =
  (ms: number, turns: (n: number) => boolean): Change =>
  (c) => {
    c.seen = (card, x) => (turns(x.turn) ? factsBefore(card, ms) : card.facts);
    // A record is refreshed by what a replica showed, and is then itself read from a replica.
    showsWithin(c, 2 * ms + 400);
  };

/** Refuses the client for half a second after it came with a wrong secret. */
const lockedClient =
  (refusal: () => Reply): Change =>
  (c) => {
    let wrong = 0;
    instead('token.issue', () => (Date.now() - wrong < 500 ? refusal() : undefined))(c);
    onReply(c, 'token.issue', (reply, { text, world }) => {
      const form = new URLSearchParams(text);
      const isWrong = form.get('client_id') === world.client.id && form.get('client_secret') !== world.client.secret;
      if (reply.status >= 400 && isWrong && Date.now() - wrong > 500) wrong = Date.now();
    });
  };

const temporaryTokensLive =
  (ms: number, now: (world: World) => number, isUnknownOld: boolean): Change =>
  (c) => {
    const made = new Map<Json, number>();
    instead('cards.get', ({ world, path, query }) => {
      if (query.get('byToken') !== 'true') return undefined;
      const at = made.get(path.identifier);
      const isOld = at === undefined ? isUnknownOld : now(world) - at > ms;
      return isOld ? { status: 410, body: [{ errorMessage: 'too late' }] } : undefined;
    })(c);
    afterwards('cards.createToken', ({ world }, { body }) => made.set((body as JsonObject).token, now(world)))(c);
  };

const sessionsEnd =
  (isOver: (session: Session, now: number) => boolean): Change =>
  (c) =>
    void c.before.push(({ world, operation }) => {
      if (!operation.startsWith('portal.')) return undefined;
      for (const session of world.sessions) if (isOver(session, world.now())) session.ended = true;
      return undefined;
    });

const newest =
  (most: number): Change =>
  (c) =>
    onReply(c, 'portal.login', (_reply, { world, session }) => {
      const own = world.sessions.filter(({ user, ended }) => user === session?.user && !ended);
      for (const old of own.slice(0, Math.max(0, own.length - most))) old.ended = true;
    });

const sessionsAtMost = (most: number): Change =>
  badRequest('portal.login', ({ world, query }) => {
    const open = world.sessions.filter(({ user, ended }) => user.loginId === query.get('loginID') && !ended);
    return open.length >= most;
  });

/** Refuses logins of a user for some milliseconds after one that was refused. */
const lockedLogin =
  (ms: number, isWrong: (x: Exchange) => boolean): Change =>
  (c) => {
    const failed = new Map<string, number>();
    const who = ({ query }: Exchange) => query.get('loginID') ?? '';
    onReply(c, 'portal.login', (reply, x) => {
      if (reply.status === 400 && isWrong(x)) failed.set(who(x), Date.now());
    });
    rule(c, 'portal.login', (x) => Date.now() - (failed.get(who(x)) ?? 0) < ms, 400);
  };

const LISTS = ['users.list', 'cards.list'] as const;

/** Keeps something for each continuation token that is given. */
function kept<T>(c: Choices, of: (x: Exchange) => T): Map<string | null, T> {
  const known = new Map<string | null, T>();
  onReply(c, LISTS, ({ body }, x) => {
    const token = (body as { continuationToken?: string } | undefined)?.continuationToken;
    if (token) known.set(token, of(x));
  });
  return known;
}

/** When things begin, end and show. */
export const timeFreedoms: Freedom[] = family('time', [
  ...ways('replica', 'v3, nothing is said of how soon an effect shows when it is read back', {
    'effects-show-after-200-ms': behind(200, () => true),
    'effects-show-after-600-ms': behind(600, () => true),
    'effects-show-back-and-forth-for-300-ms': behind(300, (n) => n % 2 === 0),
    'effects-show-on-every-third-read-for-500-ms': behind(500, (n) => n % 3 > 0),
    'effects-show-last-on-the-replica-of-every-fifth-read': behind(400, (n) => n % 5 === 4),
  }),
  ...doubtful(
    'expires_in is described as 60 minutes from generation, here it counts from the first answer',
    exactly('v3, tokenResponse: whether each request generates a token is open', {
      'token-given-again-while-valid': afterwards('token.issue', ({ world }, reply) => {
        const now = world.now();
        const standing = world.tokens.find(({ issued, expires }) => issued < now && expires - now > 600_000);
        if (!standing) return;
        reply.body = {
          access_token: standing.value,
          token_type: 'Bearer',
          expires_in: Math.floor((standing.expires - now) / 1000),
          expires_on: Math.floor(standing.expires / 1000),
        };
      }),
    }),
  ),
  ...also('v3, tokenResponse, not_before: how it relates to the moment is open', {
    'token-valid-since-five-minutes-ago': (c) =>
      bodyWith(c, 'token.issue', ({ not_before }) => ({ not_before: Number(not_before) - 300 })),
    'token-not-before-zero': (c) => bodyWith(c, 'token.issue', { not_before: 0 }),
  }),
  ...ways('issuing', 'v3, Token: how often a token may be asked for, and how soon after a mistake, is not shown', {
    'token-the-same-within-five-seconds': afterwards('token.issue', ({ world }, { body }) => {
      const now = world.now();
      const standing = world.tokens.find(({ issued }) => issued < now && now - issued < 5_000);
      if (standing) Object.assign(body as JsonObject, { access_token: standing.value });
    }),
    'client-locked-for-half-a-second-after-a-wrong-secret': lockedClient(() => ({
      status: 401,
      body: { error: 'invalid_client' },
    })),
    'client-told-to-wait-after-a-wrong-secret': lockedClient(() => later(429, { error: 'invalid_client' })),
  }),
  ...also('v3, Authentication: when a code or a temporary token ends is not shown', {
    'temporary-tokens-live-two-seconds': temporaryTokensLive(2000, () => Date.now(), false),
    'temporary-tokens-live-five-minutes': temporaryTokensLive(300_000, (world) => world.now(), true),
  }),
  ...doubtful('"A session is valid for a user session, until logout"', [
    ...exactly('portal, Authentication 2: how long a user session is stays open', {
      'sessions-end-when-unused-for-half-an-hour': sessionsEnd(({ used }, now) => now - used > 1_800_000),
      'sessions-end-after-eight-hours': sessionsEnd(({ since }, now) => now - since > 28_800_000),
    }),
    ...exactly(
      'portal, Authentication: how many sessions a user may have is open',
      { 'one-session-per-user-the-newest': newest(1), 'three-sessions-per-user-the-newest': newest(3) },
      'sessionCount',
    ),
    ...exactly(
      'portal, Transitions: what login does when a session is active is not shown',
      {
        'a-second-login-gives-the-same-session': afterwards('portal.login', ({ world, session }, { body }) => {
          const standing = world.sessions.find(
            (other) => other !== session && other.user === session?.user && !other.ended,
          );
          if (!standing) return;
          world.sessions.pop();
          Object.assign(body as JsonObject, { sessionId: standing.id });
        }),
      },
      'sessionCount',
    ),
    ...exactly(
      'portal, Authentication: how many sessions a user may have is open',
      {
        'one-session-per-user-and-no-further-login': sessionsAtMost(1),
        'two-sessions-per-user-and-no-further-login': sessionsAtMost(2),
        'three-sessions-per-user-and-no-further-login': sessionsAtMost(3),
      },
      'sessionCount',
    ),
    ...exactly(
      'portal, Transitions, logout: "a user session" may be all that a user has open',
      {
        'logout-ends-all-sessions-of-the-user': afterwards('portal.logout', ({ world, session }) => {
          for (const other of world.sessions) if (other.user === session?.user) other.ended = true;
        }),
      },
      'sessionCount',
    ),
    ...exactly('portal, logout, 400 "logout failed": whether an ended session makes it fail is open', {
      'logout-of-an-ended-session-succeeds': (c) =>
        overlook(c, 'portal.logout', 'bad-session', ({ world, query }) =>
          world.sessions.some(({ id, ended }) => ended && id === query.get('sessionId')),
        ),
    }),
  ]),
  ...also('portal, login: nothing is said of how often it may be tried', {
    'login-locked-for-a-second-after-a-wrong-password': lockedLogin(1000, () => true),
    'login-locked-for-three-seconds-after-a-wrong-password': lockedLogin(3000, ({ query, world }) => {
      const known = world.users.find(({ loginId }) => loginId === query.get('loginID'));
      return query.get('password') !== known?.password;
    }),
    'login-refused-with-delay-after-three-wrong-passwords': (c) => {
      let wrong = 0;
      onReply(c, 'portal.login', ({ status }) => {
        wrong += status === 400 ? 1 : 0;
      });
      waits(({ operation }) => (operation === 'portal.login' && wrong > 2 ? 150 : undefined))(c);
    },
    'forty-sessions-at-most': badRequest(
      'portal.login',
      ({ world }) => world.sessions.filter(({ ended }) => !ended).length >= 40,
    ),
    'logins-100-ms-apart': (c) => {
      const ago = since(c, 'portal.login', all);
      instead('portal.login', (x) => (ago(x) < 100 ? later(429, {}) : undefined))(c);
    },
    'login-ids-in-any-case': anyCase(/^portal\.login$/),
  }),
  ...also('v3, customerResults, continuationToken: how long and how often it serves is open', {
    'continuation-serves-once': (c) => {
      const used = new Set<string | null>();
      rule(c, LISTS, ({ query }) => query.has('token') && used.has(query.get('token')), 400);
      afterwards(LISTS, ({ query }) => used.add(query.get('token')))(c);
    },
    'continuation-ended-by-a-newer-listing': (c) => {
      let newestToken: unknown;
      rule(c, 'users.list', ({ query }) => query.has('token') && query.get('token') !== newestToken, 400);
      afterwards('users.list', (_x, { body }) => {
        newestToken = (body as JsonObject).continuationToken;
      })(c);
    },
    'continuation-lives-a-minute': (c) => {
      const made = kept(c, ({ world }) => world.now());
      rule(c, LISTS, ({ query, world }) => world.now() - (made.get(query.get('token')) ?? world.now()) > 60_000, 400);
    },
    'continuation-wants-its-filters-again': (c) => {
      const key = ({ query }: Exchange) =>
        JSON.stringify([...query].filter(([name]) => !['token', 'max'].includes(name)).sort());
      const filters = kept(c, key);
      rule(c, LISTS, (x) => x.query.has('token') && filters.get(x.query.get('token')) !== key(x), 400);
    },
  }),
  ...doubtful('a reader may hold that a balance changes by transfers only', [
    ...exactly('v3, card, balance: what else changes it is not said', {
      'balances-grow-by-interest': (c) => {
        const reads = tally(c, 'cards.getBalance', ({ path }) => path.identifier);
        onReply(c, 'cards.getBalance', (_reply, x) => {
          if (x.card && reads(x) % 4 === 3) x.world.pay(x.card, 1);
        });
      },
      'balance-inquiries-cost-a-cent': costs('cards.getBalance', 1),
    }),
    ...exactly('v3, POST transfer: whether it costs a fee is not said', {
      'transfers-cost-a-fee': set(({ debit: usual }) => ({
        debit: (card, cents, x) => usual(card, cents + (card.facts.cents > cents + 25 ? 25 : 0), x),
      })),
    }),
  ]),
]);
