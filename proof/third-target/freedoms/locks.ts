import { nowMs } from '../../skipping-clock.ts';
import type { Freedom } from '../core/changes.ts';
import { before } from '../core/changes.ts';
import type { Answer, Call, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';

interface Lock {
  /** How many wrong ones it takes. */
  after: number;
  milliseconds: number;
  answer: Answer;
  /** Trying while it is locked begins it anew. */
  renews?: boolean;
}

const V3 = /^(users|cards|cardholders)\./;
const PORTAL = /^portal\./;

const v3Error = (world: World, status: number, headers?: Record<string, string>): Answer => ({
  ...world.rules.v3Errors(new Refusal(status, 'client', 'Not now', 'locked')),
  ...(headers ? { headers } : {}),
});
const portalError = (world: World, status: number, headers?: Record<string, string>): Answer => ({
  ...world.rules.portalError(new Refusal(status, 'client', 'Not now')),
  ...(headers ? { headers } : {}),
});

/** Refuses what belongs to a key for a while, once wrong ones of it were seen. */
function lock(
  world: World,
  place: RegExp | string,
  { after, milliseconds, answer, renews }: Lock,
  wrong: (call: Call, answer: Answer) => boolean,
  key: (call: Call) => string = () => 'address',
): void {
  const until = new Map<string, number>();
  const seen = new Map<string, number>();
  before(world, place, async (call, next) => {
    const of = key(call);
    if (nowMs() < (until.get(of) ?? 0)) {
      if (renews) until.set(of, nowMs() + milliseconds);
      return answer;
    }
    const given = await next();
    if (!wrong(call, given)) return given;
    const count = (seen.get(of) ?? 0) + 1;
    seen.set(of, count % after);
    if (count >= after) until.set(of, nowMs() + milliseconds);
    return given;
  });
}

const wrongToken = (_call: Call, { status }: Answer) => status === 401;
const wrongLogin = ({ query }: Call, { status }: Answer) =>
  status === 400 && query.has('loginID') && query.has('password');
const wrongSession = ({ session, operation }: Call) => operation !== 'portal.login' && session === undefined;
const loginOf = ({ query }: Call) => query.get('loginID') ?? '';

const logins: [name: string, rule: string, shape: (world: World) => Lock, whole?: boolean][] = [
  [
    'login-locked-403-three-seconds',
    'After a wrong password its user is locked for three seconds, 403',
    (world) => ({ after: 1, milliseconds: 3000, answer: portalError(world, 403) }),
  ],
  [
    'login-locked-423-two-seconds',
    'After a wrong password its user is locked for two seconds, 423',
    (world) => ({ after: 1, milliseconds: 2000, answer: portalError(world, 423) }),
  ],
  [
    'login-locked-400-four-seconds',
    'After a wrong password its user is told that it is wrong for four seconds, right or not',
    (world) => ({ after: 1, milliseconds: 4000, answer: portalError(world, 400) }),
  ],
  [
    'login-locked-429-retry-after',
    'After a wrong password its user is asked to wait two seconds, 429 with Retry-After',
    (world) => ({ after: 1, milliseconds: 2000, answer: portalError(world, 429, { 'retry-after': '2' }) }),
  ],
  [
    'login-locked-429-bare',
    'After a wrong password its user is asked to wait, 429 without Retry-After',
    (world) => ({ after: 1, milliseconds: 1500, answer: portalError(world, 429) }),
  ],
  [
    'login-locked-and-renewed',
    'Trying again while a user is locked begins the two seconds anew',
    (world) => ({ after: 1, milliseconds: 2000, answer: portalError(world, 400), renews: true }),
  ],
  [
    'login-locked-for-the-address',
    'After three wrong logins nobody logs in from that address for two seconds',
    (world) => ({ after: 3, milliseconds: 2000, answer: portalError(world, 403) }),
    true,
  ],
];

const tokens: [name: string, rule: string, place: RegExp, shape: (world: World) => Lock][] = [
  [
    'address-locked-after-bad-token',
    'After a bad token everything from that address is refused for a second, 403',
    V3,
    (world) => ({ after: 1, milliseconds: 1000, answer: v3Error(world, 403) }),
  ],
  [
    'address-locked-after-three-bad-tokens',
    'After three bad tokens everything from that address is refused for two seconds, 401',
    V3,
    (world) => ({ after: 3, milliseconds: 2000, answer: v3Error(world, 401) }),
  ],
  [
    'address-waits-after-five-bad-tokens',
    'After five bad tokens that address waits a second, 429 with Retry-After',
    V3,
    (world) => ({ after: 5, milliseconds: 1000, answer: v3Error(world, 429, { 'retry-after': '1' }) }),
  ],
  [
    'address-unavailable-after-four-bad-tokens',
    'After four bad tokens the gateway says 503 with Retry-After for a second',
    V3,
    (world) => ({ after: 4, milliseconds: 1000, answer: v3Error(world, 503, { 'retry-after': '1' }) }),
  ],
];

const loginLocks: Freedom[] = logins.map(([name, rule, shape, whole]) => ({
  name,
  rule,
  readings: [51, 33],
  apply: (world) => lock(world, 'portal.login', shape(world), wrongLogin, whole ? undefined : loginOf),
}));

const tokenLocks: Freedom[] = tokens.map(([name, rule, place, shape]) => ({
  name,
  rule,
  readings: [51, 17],
  apply: (world) => lock(world, place, shape(world), wrongToken),
}));

const others: Freedom[] = [
  {
    name: 'address-locked-after-bad-session',
    rule: 'After three bad sessions the desk is closed to that address for one and a half seconds, 403',
    readings: [51, 34],
    apply: (world) =>
      lock(world, PORTAL, { after: 3, milliseconds: 1500, answer: portalError(world, 403) }, wrongSession),
  },
  {
    name: 'address-waits-after-bad-session',
    rule: 'After two bad sessions that address waits a second, 429 with Retry-After',
    readings: [51, 34],
    apply: (world) =>
      lock(
        world,
        PORTAL,
        { after: 2, milliseconds: 1000, answer: portalError(world, 429, { 'retry-after': '1' }) },
        wrongSession,
      ),
  },
  {
    name: 'client-locked-after-wrong-secret',
    rule: 'After a wrong secret the client gets no token for two seconds, 401',
    readings: [51, 16],
    apply: (world) =>
      lock(
        world,
        'token.issue',
        { after: 1, milliseconds: 2000, answer: world.rules.tokenError(401, 'invalid_client') },
        wrongToken,
        ({ text }) => new URLSearchParams(text).get('client_id') ?? '',
      ),
  },
  {
    name: 'client-waits-after-wrong-secrets',
    rule: 'After two wrong secrets no token is issued to that address for a second, 429 with Retry-After',
    readings: [51, 16],
    apply: (world) =>
      lock(
        world,
        'token.issue',
        {
          after: 2,
          milliseconds: 1000,
          answer: { ...world.rules.tokenError(429, 'slow_down'), headers: { 'retry-after': '1' } },
        },
        wrongToken,
      ),
  },
  {
    name: 'login-while-three-sessions-open',
    rule: 'A user has three sessions; a fourth login is refused until one is logged out',
    readings: [51, 33],
    apply(world) {
      const { userOf } = world.rules;
      world.rules.userOf = (loginID, password) => {
        const user = userOf(loginID, password);
        const open = world.sessions.filter((session) => session.user === user && !session.ended);
        if (user && open.length >= 3) throw new Refusal(403, 'loginID', 'Log out somewhere first');
        return user;
      };
    },
  },
  {
    name: 'five-tokens-a-second',
    rule: 'Five tokens a second; more are asked to wait, 429 with Retry-After',
    readings: [51],
    apply(world) {
      const issued: number[] = [];
      before(world, 'token.issue', (_call, next) => {
        const lately = issued.filter((time) => nowMs() - time < 1000).length;
        if (lately >= 5) return { ...world.rules.tokenError(429, 'slow_down'), headers: { 'retry-after': '1' } };
        issued.push(nowMs());
        return next();
      });
    },
  },
];

export const locks: Freedom[] = [...loginLocks, ...tokenLocks, ...others];
