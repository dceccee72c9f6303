/** Faults of logins and logouts: loginIDs and passwords that resemble the right ones, and sessions that are not begun or ended as they should be. */
import type { Answer, SandboxRequest } from '../../sandbox/exchange.ts';
import type { SandboxOptions, World } from '../../sandbox/index.ts';
import { letThrough, misanswered, thorough } from './broken.ts';
import type { Fault } from './fault.ts';
import { type Body, fault, memory } from './portal-broken.ts';

const takesPassword = (isLike: (sent: string, right: string) => boolean): SandboxOptions => ({
  rules: {
    meanwhile: ({ data }, { operation, query }) => {
      const user = data.users.find(({ loginId }) => loginId === query.loginID);
      if (operation === 'portal.login' && user && query.password && isLike(query.password, user.password))
        query.password = user.password;
    },
  },
});

/** One form of wrong password is tried per run, by the seed: another case, shortened, continued, one character changed. */
const atSeed = (seed: number, name: string, sandbox: SandboxOptions): Fault =>
  fault(name, 'portal.login.wrong-password', sandbox, {
    configure: ({ run }) => {
      run.seed = seed;
    },
  });

const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
const LOGIN_CUSTOMER = 5001;
const FOREIGN_CUSTOMER = 9_000_000;

interface Session {
  id: string;
  userId: unknown;
  /** Counts the sessions of the user. */
  number: number;
  ended: boolean;
}

const sessionsIn = memory(() => new Map<string, Session>());
const sessionOf = (world: World, { query }: SandboxRequest) => sessionsIn(world).get(query.sessionId ?? '');

/** A sandbox whose faults know which sessions were begun, and ended. */
const knowingSessions = ({ rules = {}, middleware = [] }: SandboxOptions): SandboxOptions => ({
  rules,
  middleware: [
    ...middleware,
    (answer, { operation, request, world }) => {
      if (answer.status !== 200) return undefined;
      if (operation === 'portal.login') {
        const { sessionId, userId } = answer.body as Body;
        const earlier = [...sessionsIn(world).values()].filter((session) => session.userId === userId);
        const id = String(sessionId);
        sessionsIn(world).set(id, { id, userId, number: earlier.length + 1, ended: false });
      }
      const session = sessionOf(world, request);
      if (operation === 'portal.logout' && session) session.ended = true;
      return undefined;
    },
  ],
});

/** An operation answers otherwise in all sessions of a user but the first. */
const inLaterSessions = (
  seed: number,
  name: string,
  condemns: string,
  operation: string,
  change: (answer: Answer) => Answer,
): Fault => ({
  ...fault(
    `${name} in later sessions`,
    condemns,
    knowingSessions({
      middleware: [
        (answer, { operation: called, request, world }) =>
          called === operation && answer.status === 200 && (sessionOf(world, request)?.number ?? 1) > 1
            ? change(answer)
            : undefined,
      ],
    }),
    {
      configure: ({ run }) => {
        run.seed = seed;
      },
    },
  ),
  also: ['portal.login.begins-session'],
});

const withItems =
  (change: (items: Body[]) => Body[]) =>
  (answer: Answer): Answer => ({ ...answer, body: { items: change((answer.body as { items: Body[] }).items) } });

/** Passwords that are taken for that of the user. */
const logsInWith = (isTaken: (sent: string | undefined, world: World) => boolean): SandboxOptions =>
  knowingSessions({
    rules: {
      meanwhile: (world, { operation, query }) => {
        const user = world.data.users.find(({ loginId }) => loginId === query.loginID);
        if (operation === 'portal.login' && user && isTaken(query.password, world)) query.password = user.password;
      },
    },
  });

/** The session that a user had before, ended as it is, is given again. */
const endedAgain = knowingSessions({
  middleware: [
    (answer, { operation, world }) => {
      if (operation !== 'portal.login' || answer.status !== 200) return undefined;
      const user = answer.body as Body;
      const before = [...sessionsIn(world).values()].find(({ userId, ended }) => userId === user.userId && ended);
      return before ? { ...answer, body: { ...user, sessionId: before.id } } : undefined;
    },
  ],
});

/** Bad sessions are all forbidden alike where no status is said. */
const forbidding = ({ rules, ...more }: SandboxOptions): SandboxOptions => ({
  ...more,
  rules: {
    ...rules,
    refusalBody: ({ kind }, byDefault) => (kind === 'session' ? { errorMessage: 'Forbidden' } : byDefault),
    refusalStatus: ({ kind, operation }, byDefault) =>
      kind === 'session' && operation !== PROGRAM_LIST && operation !== 'portal.logout' ? 403 : byDefault,
  },
});

const HOUR_MS = 3_600_000;

/** An hour after it ended a session is good again. */
function goodAgain(): SandboxOptions {
  const endedAt = new Map<string, number>();
  let now = 0;
  return {
    rules: letThrough(
      ({ kind, name, request }) =>
        kind === 'session' && name === 'ended' && now > (endedAt.get(request.query.sessionId ?? '') ?? now) + HOUR_MS,
    ),
    middleware: [
      ({ status }, { operation, request, nowMs }) => {
        now = nowMs;
        if (operation === 'portal.logout' && status === 200) endedAt.set(request.query.sessionId ?? '', nowMs);
        return undefined;
      },
    ],
  };
}

/** A loginID is compared as a pattern of SQL. */
const takesPatterns = (): SandboxOptions => ({
  rules: {
    meanwhile: ({ data }, { operation, query }) => {
      const pattern = query.loginID;
      if (operation !== 'portal.login' || !pattern?.includes('%')) return;
      const user = data.users.find(({ loginId }) => loginId.startsWith(pattern.slice(0, pattern.indexOf('%'))));
      if (user) query.loginID = user.loginId;
    },
  },
});

export const portalLoginFaults: readonly Fault[] = [
  fault(
    'a quote in password makes every login a good one',
    'portal.login.unknown-login-id',
    {
      rules: {
        meanwhile: ({ data }, { operation, query }) => {
          const [user] = data.users;
          if (operation === 'portal.login' && user && /' OR '/.test(query.password ?? ''))
            Object.assign(query, { loginID: user.loginId, password: user.password });
        },
      },
    },
    thorough,
  ),
  atSeed(
    5,
    'passwords are compared without case',
    takesPassword((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  ),
  atSeed(
    4,
    'a part of the password is enough',
    takesPassword((sent, right) => sent.length > 3 && right.startsWith(sent)),
  ),
  atSeed(
    2,
    'what follows the password is cut off',
    takesPassword((sent, right) => sent.startsWith(right)),
  ),
  atSeed(8, 'the password of any user is good enough', {
    rules: {
      meanwhile: ({ data }, { operation, query }) => {
        const user = data.users.find(({ loginId }) => loginId === query.loginID);
        if (operation === 'portal.login' && user && data.users.some(({ password }) => password === query.password))
          query.password = user.password;
      },
    },
  }),
  misanswered('portal: login gives the loginId of another user', 'portal.login.login-id', 'portal.login', (body) => {
    body.loginId = 'somebody.else@partner.invalid';
  }),
  fault(
    'an empty password logs in',
    'portal.login.wrong-password',
    {
      rules: {
        ...logsInWith((sent) => sent === '').rules,
        countsAsAbsent: (_value, _operation, name, byDefault) => byDefault && name !== 'password',
      },
    },
    {
      configure: ({ run }) => {
        run.seed = 9;
      },
    },
  ),
  fault(
    'a login after a logout gives the ended session again, which is answered with 403',
    'portal.login.begins-session',
    forbidding(endedAgain),
  ),
  fault('an ended session is good again after an hour', 'portal.logout.ends-session', goodAgain(), {
    also: ['token.issue', 'portal.login'],
  }),
  fault('a loginID may be a pattern', 'portal.login.unknown-login-id', takesPatterns(), thorough),
  inLaterSessions(
    1,
    `${HIERARCHY} shows what is another partner's`,
    `${HIERARCHY}.foreign-customer`,
    HIERARCHY,
    withItems((items) => [...items, { customerId: FOREIGN_CUSTOMER }]),
  ),
  inLaterSessions(
    1,
    'the hierarchy of the login has no children',
    `${HIERARCHY}.children`,
    HIERARCHY,
    withItems((items) => items.filter(({ parentId }) => parentId !== LOGIN_CUSTOMER)),
  ),
];
