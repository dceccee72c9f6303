import type { Choices } from '../choices.ts';
import { bodyWith, onReply, succeeded } from '../tools.ts';
import type { AccessToken, World } from '../world.ts';
import {
  type Draft,
  type Fault,
  overlooked,
  sentences,
  sessionOperations,
  slug,
  spot,
  tokenOperations,
} from './fault.ts';

const late: Draft[] = tokenOperations.map((operation) =>
  overlooked(`expired-tokens-taken-by-${slug(operation)}`, operation, sentences.hour, 'expired-token'),
);

const ended: Draft[] = sessionOperations.map((operation) =>
  overlooked(
    `ended-sessions-taken-by-${slug(operation)}`,
    operation,
    sentences.logout,
    'bad-session',
    ({ world, query }) => world.sessions.some(({ id, ended }) => ended && id === query.get('sessionId')),
  ),
);

function lifetime(seconds: (n: number, world: World) => number): (c: Choices) => void {
  return (c) => void Object.assign(c, { tokenLifetime: seconds });
}

/** Changes tokens once a new one was issued. */
function onIssue(c: Choices, change: (tokens: AccessToken[], now: number) => void): void {
  onReply(c, 'token.issue', (reply, { world }) => {
    if (succeeded(reply)) change(world.tokens, world.now());
  });
}

const midnight = (now: number) =>
  Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth(), new Date(now).getUTCDate() + 1);

const tokens: Draft[] = [
  ['tokens-live-two-hours', 'token.issue', sentences.hour, lifetime(() => 7200)],
  ['tokens-live-62-minutes', 'token.issue', sentences.hour, lifetime(() => 3720)],
  ['tokens-live-50-minutes', 'token.issue', sentences.hour, lifetime(() => 3000)],
  ['tokens-live-ten-minutes', 'token.issue', sentences.hour, lifetime(() => 600)],
  ['tokens-live-for-ever', 'token.issue', sentences.hour, lifetime(() => 1e9)],
  ['second-token-lives-ten-minutes', 'token.issue', sentences.hour, lifetime((n) => (n === 2 ? 600 : 3600))],
  ['second-token-lives-two-hours', 'token.issue', sentences.hour, lifetime((n) => (n === 2 ? 7200 : 3600))],
  ['every-third-token-lives-two-hours', 'token.issue', sentences.hour, lifetime((n) => (n % 3 === 0 ? 7200 : 3600))],
  [
    'tokens-live-until-midnight',
    'token.issue',
    sentences.hour,
    lifetime((_n, world) => (midnight(world.now()) - world.now()) / 1000),
  ],
  [
    'tokens-end-at-midnight',
    'token.issue',
    sentences.hour,
    lifetime((_n, world) => Math.min(3600, (midnight(world.now()) - world.now()) / 1000)),
    'shows only in the last hour of a day',
  ],
  [
    'a-second-token-ends-the-first',
    'token.issue',
    sentences.hour,
    (c) =>
      onIssue(c, (all) => {
        for (const token of all.slice(0, -1)) token.expires = 0;
      }),
  ],
  [
    'a-second-token-halves-the-first',
    'token.issue',
    sentences.hour,
    (c) =>
      onIssue(c, (all, now) => {
        for (const token of all.slice(0, -1)) token.expires = Math.min(token.expires, now + 1_200_000);
      }),
  ],
  [
    'a-second-token-prolongs-the-first',
    'token.issue',
    sentences.hour,
    (c) =>
      onIssue(c, (all, now) => {
        for (const token of all) token.expires = now + 3_600_000;
      }),
  ],
  [
    'a-third-token-ends-the-first',
    'token.issue',
    sentences.hour,
    (c) =>
      onIssue(c, (all) => {
        for (const token of all.slice(0, -2)) token.expires = 0;
      }),
  ],
  [
    'use-prolongs-a-token',
    'cards.get',
    sentences.hour,
    (c) => {
      c.after.push((_reply, { world, headers }) => {
        const used = world.tokens.find(({ value }) => headers.authorization?.endsWith(value));
        if (used && used.expires > world.now()) used.expires = world.now() + 3_600_000;
      });
    },
  ],
  [
    'tokens-end-after-a-hundred-uses',
    'cards.get',
    sentences.hour,
    (c) => {
      const uses = new Map<string, number>();
      c.after.push((_reply, { world, headers }) => {
        const used = world.tokens.find(({ value }) => headers.authorization?.endsWith(value));
        if (!used) return;
        uses.set(used.value, (uses.get(used.value) ?? 0) + 1);
        if (uses.get(used.value)! >= 100) used.expires = 0;
      });
    },
  ],
];

const told: Draft[] = [
  [
    'expires-in-of-7200',
    'token.issue',
    'v3, tokenResponse, expires_in: 60 minutes from generation',
    (c) => bodyWith(c, 'token.issue', { expires_in: 7200 }),
  ],
  [
    'expires-in-wrong-from-the-second-on',
    'token.issue',
    'v3, tokenResponse, expires_in: 60 minutes from generation',
    (c) => bodyWith(c, 'token.issue', ({ expires_in }, { turn }) => ({ expires_in: turn === 1 ? expires_in : 7200 })),
  ],
  [
    'expires-in-of-zero-from-the-second-on',
    'token.issue',
    'v3, tokenResponse, expires_in: 60 minutes from generation',
    (c) => bodyWith(c, 'token.issue', ({ expires_in }, { turn }) => ({ expires_in: turn === 1 ? expires_in : 0 })),
  ],
  [
    'expires-on-a-day-later',
    'token.issue',
    'v3, tokenResponse, expires_on: time at which the token stops being valid',
    (c) => bodyWith(c, 'token.issue', ({ expires_on }) => ({ expires_on: Number(expires_on) + 86_400 })),
  ],
  [
    'expires-on-before-not-before',
    'token.issue',
    'v3, tokenResponse, expires_on: time at which the token stops being valid',
    (c) => bodyWith(c, 'token.issue', ({ not_before }) => ({ expires_on: Number(not_before) - 1 })),
  ],
  [
    'not-before-an-hour-ahead',
    'token.issue',
    'v3, tokenResponse, not_before: time after which the token is valid',
    (c) => bodyWith(c, 'token.issue', ({ not_before }) => ({ not_before: Number(not_before) + 3600 })),
  ],
];

function aging(c: Choices, ends: (since: number, used: number, now: number) => boolean): void {
  c.before.push(({ world, operation }) => {
    if (!operation.startsWith('portal.')) return undefined;
    for (const session of world.sessions) if (ends(session.since, session.used, world.now())) session.ended = true;
    return undefined;
  });
}

const sessions: Draft[] = [
  [
    'sessions-end-after-a-minute',
    'portal.login',
    'portal, Authentication 2: a session is valid until logout',
    (c) => aging(c, (since, _used, now) => now - since > 60_000),
    'how long a user session is stays open',
  ],
  [
    'sessions-end-with-the-hour-though-used',
    'portal.login',
    'portal, Authentication 2: a session is valid until logout',
    (c) => aging(c, (since, _used, now) => now - since > 3_600_000),
    'how long a user session is stays open',
  ],
  [
    'logout-takes-effect-seconds-later',
    'portal.logout',
    sentences.logout,
    (c) => {
      const left = new Map<string, number>();
      onReply(c, 'portal.logout', (reply, { session }) => {
        if (succeeded(reply) && session) left.set(session.id, Date.now());
      });
      c.verdicts.push(({ reason }, { query }) => {
        const at = left.get(query.get('sessionId') ?? '');
        return reason === 'bad-session' && at !== undefined && Date.now() - at < 4000 ? 'overlook' : undefined;
      });
    },
  ],
  [
    'logout-has-no-effect',
    'portal.logout',
    sentences.logout,
    (c) =>
      onReply(
        c,
        'portal.logout',
        (reply, { session }) => void (succeeded(reply) && session && Object.assign(session, { ended: false })),
      ),
  ],
  [
    'a-new-login-revives-ended-sessions',
    'portal.login',
    sentences.logout,
    (c) =>
      onReply(c, 'portal.login', (reply, { world, session }) => {
        if (!succeeded(reply)) return;
        for (const other of world.sessions) if (other.user === session?.user) other.ended = false;
      }),
  ],
  [
    'logout-ends-every-session-of-the-user',
    'portal.logout',
    'portal, Authentication 2: a session is valid until logout',
    (c) =>
      onReply(c, 'portal.logout', (reply, { world, session }) => {
        if (!succeeded(reply)) return;
        for (const other of world.sessions) if (other.user === session?.user) other.ended = true;
      }),
  ],
  [
    'sessions-end-after-a-hundred-requests',
    'portal.login',
    'portal, Authentication 2: a session is valid until logout',
    (c) => {
      const uses = new Map<string, number>();
      c.after.push((_reply, { session }) => {
        if (!session) return;
        uses.set(session.id, (uses.get(session.id) ?? 0) + 1);
        if (uses.get(session.id)! >= 100) session.ended = true;
      });
    },
  ],
];

/** What time does, and should not. */
export const timeFaults: Fault[] = spot(8, [...late, ...ended, ...tokens, ...told, ...sessions]);
