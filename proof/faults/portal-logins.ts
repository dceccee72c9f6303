/** Faults of logins and logouts: loginIDs and passwords that resemble the right ones, and sessions that are not begun or ended as they should be. */
import type { Answer, SandboxRequest } from '../../sandbox/exchange.ts';
import type { Refusal, SandboxOptions, World } from '../../sandbox/index.ts';
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

/** Sessions of other users end with a login, or a logout. */
function endsWithOthers(by: 'portal.login' | 'portal.logout'): SandboxOptions {
  const livingIn = memory(() => new Map<string, unknown>());
  return {
    rules: {
      alsoRefuses: ({ operation, query }, world) => {
        const { sessionId } = query;
        const isLost = sessionId !== undefined && livingIn(world).get(sessionId) === 'lost';
        return operation !== 'portal.login' && isLost ? { kind: 'session', name: 'ended' } : undefined;
      },
    },
    middleware: [
      (answer, { operation, request, world }) => {
        const living = livingIn(world);
        const { userId, sessionId } = (answer.body ?? {}) as Body;
        if (answer.status !== 200) return undefined;
        const user = operation === 'portal.login' ? userId : living.get(request.query.sessionId ?? '');
        if (operation === by) for (const [id, other] of living) if (other !== user) living.set(id, 'lost');
        if (operation === 'portal.login') living.set(String(sessionId), userId);
        return undefined;
      },
    ],
  };
}

const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
const CUSTOMER_LIST = 'portal.getCustomerList';
const LOGIN_USER = 301;
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

const hasSession = (world: World) =>
  [...sessionsIn(world).values()].some(({ userId, ended }) => userId === LOGIN_USER && !ended);

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

/** Sessions that no operation takes. */
const dead = (isDead: (session: Session) => boolean): SandboxOptions =>
  knowingSessions({
    rules: {
      meanwhile: (world, request) => {
        const session = sessionOf(world, request);
        if (session && isDead(session)) request.query.sessionId = 'dead';
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

/** A logout knows the session of the latest login of each user; the others go on, and are none to it. */
function latestAloneLoggedOut(): SandboxOptions {
  const latestIn = memory(() => new Map<unknown, string>());
  return knowingSessions({
    rules: {
      alsoRefuses: (request, world) => {
        const session = sessionOf(world, request);
        const isEarlier = session && latestIn(world).get(session.userId) !== session.id;
        return request.operation === 'portal.logout' && isEarlier ? { kind: 'session', name: 'earlier' } : undefined;
      },
    },
    middleware: [
      (answer, { operation, world }) => {
        const { userId, sessionId } = (answer.body ?? {}) as Body;
        if (operation === 'portal.login' && answer.status === 200) latestIn(world).set(userId, String(sessionId));
        return undefined;
      },
    ],
  });
}

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

/** A loginID that is continued is that of the user whose it continues; the answer gives back what was sent. */
function continuedAndGivenBack(): SandboxOptions {
  const sentIn = memory(() => new WeakMap<SandboxRequest, string>());
  return {
    rules: {
      meanwhile: (world, request) => {
        const { loginID: sent = '' } = request.query;
        const user = world.data.users.find(({ loginId }) => sent.startsWith(loginId));
        if (request.operation !== 'portal.login' || !user) return;
        sentIn(world).set(request, sent);
        request.query.loginID = user.loginId;
      },
    },
    middleware: [
      (answer, { operation, request, world }) =>
        operation === 'portal.login' && answer.status === 200
          ? { ...answer, body: { ...(answer.body as Body), loginId: sentIn(world).get(request) } }
          : undefined,
    ],
  };
}

export const portalLoginFaults: readonly Fault[] = [
  fault(
    'a logout ends the sessions of other users',
    'portal.logout.leaves-other-users',
    endsWithOthers('portal.logout'),
  ),
  fault('a login ends the sessions of other users', 'portal.login.leaves-other-users', endsWithOthers('portal.login')),
  fault('whoever logs in is made a user', 'portal.login.unknown-login-id', {
    rules: {
      meanwhile: ({ data }, { operation, query }) => {
        const { loginID: loginId, password } = query;
        const [user] = data.users;
        if (
          operation === 'portal.login' &&
          user &&
          loginId &&
          password &&
          !data.users.some((one) => one.loginId === loginId)
        )
          data.users.push({ ...user, userId: user.userId + data.users.length, loginId, password });
      },
    },
  }),
  ...(
    [
      ['what follows a loginID is cut off', (sent: string, real: string) => sent.startsWith(real)],
      ['a part of a loginID is enough', (sent: string, real: string) => sent.length > 5 && real.startsWith(sent)],
    ] as const
  ).map(([name, isLike]) =>
    fault(
      name,
      'portal.login.unknown-login-id',
      {
        rules: {
          meanwhile: ({ data }, { operation, query }) => {
            const user = data.users.find(({ loginId }) => query.loginID && isLike(query.loginID, loginId));
            if (operation === 'portal.login' && user) query.loginID = user.loginId;
          },
        },
      },
      thorough,
    ),
  ),
  ...(['loginID', 'password'] as const).map((parameter) =>
    fault(
      `a quote in ${parameter} makes every login a good one`,
      'portal.login.unknown-login-id',
      {
        rules: {
          meanwhile: ({ data }, { operation, query }) => {
            const [user] = data.users;
            if (operation === 'portal.login' && user && /' OR '/.test(query[parameter] ?? ''))
              Object.assign(query, { loginID: user.loginId, password: user.password });
          },
        },
      },
      thorough,
    ),
  ),
  fault(
    'a loginID that is continued logs in',
    'portal.login.unknown-login-id',
    {
      rules: {
        meanwhile: ({ data }, { operation, query }) => {
          const [user] = data.users;
          if (operation === 'portal.login' && user && query.loginID?.startsWith(user.loginId))
            Object.assign(query, { loginID: user.loginId });
        },
      },
    },
    thorough,
  ),
  fault(
    'a loginID that is continued logs in, and is given back as it was sent',
    'portal.login.unknown-login-id',
    continuedAndGivenBack(),
    thorough,
  ),
  fault('an empty session identifier logs out', 'portal.logout.requires-session', {
    rules: letThrough(
      ({ operation, kind, request }) =>
        operation === 'portal.logout' && kind === 'session' && request.query.sessionId === '',
    ),
  }),
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
  atSeed(
    0,
    'one wrong character of a password is forgiven',
    takesPassword(
      (sent, right) =>
        sent.length === right.length && [...sent].filter((letter, index) => letter !== right[index]).length === 1,
    ),
  ),
  fault(
    'a logout without session is refused, and logs everybody out',
    'portal.logout.requires-session',
    (() => {
      let forgotten = false;
      return {
        rules: {
          meanwhile: (_, { operation, query }) => {
            if (operation === 'portal.logout' && !query.sessionId) forgotten = true;
            else if (operation === 'portal.login') forgotten = false;
            else if (forgotten && query.sessionId) query.sessionId = 'forgotten';
          },
        },
      } satisfies SandboxOptions;
    })(),
  ),
  fault('the second logout of an ended session is answered with 200', 'portal.logout.requires-session', {
    rules: (() => {
      const timesIn = memory(() => new Map<string, number>());
      let times = new Map<string, number>();
      return {
        meanwhile: (world: World) => {
          times = timesIn(world);
        },
        enforces: ({ operation, kind, name, request }: Refusal) => {
          if (operation !== 'portal.logout' || kind !== 'session' || name !== 'ended') return true;
          const { sessionId = '' } = request.query;
          times.set(sessionId, (times.get(sessionId) ?? 0) + 1);
          return times.get(sessionId)! < 2;
        },
      };
    })(),
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
    'a user who has a session needs no right password',
    'portal.login.wrong-password',
    logsInWith((sent, world) => sent !== undefined && hasSession(world)),
  ),
  fault(
    'a user who has a session needs no password',
    'portal.login.required-parameters',
    logsInWith((sent, world) => sent === undefined && hasSession(world)),
  ),
  fault('a login after a logout gives the ended session again', 'portal.login.begins-session', endedAgain),
  fault(
    'a login after a logout gives the ended session again, which is answered with 403',
    'portal.login.begins-session',
    forbidding(endedAgain),
  ),
  fault('an ended session is good again after an hour', 'portal.logout.ends-session', goodAgain(), {
    also: ['token.issue', 'portal.login'],
  }),
  fault('a loginID may be a pattern', 'portal.login.unknown-login-id', takesPatterns(), thorough),
  fault(
    'no session of a user but the first is taken',
    'portal.login.begins-session',
    dead(({ number }) => number > 1),
  ),
  fault('only the latest session of a user is logged out', 'portal.logout.required-only', latestAloneLoggedOut()),
  ...(
    [
      [1, HIERARCHY],
      [5, PROGRAM_LIST],
      [5, CUSTOMER_LIST],
      [3, 'portal.getATMLocation'],
    ] as const
  ).map(([seed, operation]) =>
    inLaterSessions(seed, `${operation} is answered with 500`, `${operation}.status`, operation, (answer) => ({
      ...answer,
      status: 500,
      body: {},
    })),
  ),
  ...(
    [
      [1, HIERARCHY],
      [5, PROGRAM_LIST],
      [5, CUSTOMER_LIST],
    ] as const
  ).map(([seed, operation]) =>
    inLaterSessions(
      seed,
      `${operation} shows what is another partner's`,
      `${operation}.foreign-customer`,
      operation,
      withItems((items) => [...items, { customerId: FOREIGN_CUSTOMER }]),
    ),
  ),
  inLaterSessions(
    1,
    'the hierarchy of the login has no children',
    `${HIERARCHY}.children`,
    HIERARCHY,
    withItems((items) => items.filter(({ parentId }) => parentId !== LOGIN_CUSTOMER)),
  ),
  misanswered(
    'portal.login: from the second on it names a customer that does not exist',
    'portal.login.customer-id-accepted',
    'portal.login',
    (body, { request }) => {
      if (request.callNumber > 1) body.customerId = 4_242_424;
    },
  ),
];
