/** Faults of sessions and listings of the portal that were thought of side by side with the checks and their helpers. */
import type { Refusal, SandboxRequest } from '../../sandbox/exchange.ts';
import type { SandboxOptions, World } from '../../sandbox/index.ts';
import type { PortalCustomer } from '../../sandbox/world.ts';
import { bodyIn, cardsIn, letThrough } from './broken.ts';
import type { Fault } from './fault.ts';

type Body = Record<string, unknown>;

const LIST = 'portal.getCustomerList';
const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAMS = 'portal.getCustomerProgramList';
const CIP = 'portal.getCIPCheck';
const ORDER = 'portal.orderCards';
/** The customer and the user of the sandbox's login. */
const LOGIN_CUSTOMER = 5001;
const LOGIN_USER = 301;

const fault = (
  name: string,
  condemns: string | readonly string[],
  sandbox: SandboxOptions,
  configure?: Fault['configure'],
): Fault => ({
  name: `portal further: ${name}`,
  condemns: [condemns].flat(),
  sandbox,
  ...(configure && { configure }),
});

/** All forms of bad input are tried at once. */
const thorough: Fault['configure'] = ({ run }) => {
  run.thorough = true;
};

/** What is remembered of one sandbox. */
function memory<T>(make: () => T): (world: World) => T {
  const memories = new WeakMap<World, T>();
  return (world) => {
    if (!memories.has(world)) memories.set(world, make());
    return memories.get(world)!;
  };
}

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

const hasSession = (world: World) =>
  [...sessionsIn(world).values()].some(({ userId, ended }) => userId === LOGIN_USER && !ended);

/** Passwords that are taken for that of the user. */
const takesPassword = (isTaken: (sent: string | undefined, world: World) => boolean): SandboxOptions =>
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

/** A sessionId that is taken for the latest one. */
const takenForLatest = (isTaken: (sent: string) => boolean): SandboxOptions =>
  knowingSessions({
    rules: {
      meanwhile: (world, { query }) => {
        const latest = [...sessionsIn(world).values()].findLast(({ ended }) => !ended);
        if (latest && query.sessionId !== undefined && isTaken(query.sessionId)) query.sessionId = latest.id;
      },
    },
  });

/** Refusals that carry what they refuse. */
function shownThough(kind: 'session' | 'entitlement'): SandboxOptions {
  const shownIn = memory(() => new Map<string, unknown>());
  return {
    middleware: [
      (answer, { operation, request, refusal, world }) => {
        const key = `${operation} ${request.query.customerId}`;
        if (answer.status === 200) shownIn(world).set(key, structuredClone(answer.body));
        const body = shownIn(world).get(key);
        return refusal?.kind === kind && [LIST, HIERARCHY].includes(operation) && body
          ? { ...answer, body }
          : undefined;
      },
    ],
  };
}

/** Every session acts as the user who logged in last. */
function oneUserForAll(): SandboxOptions {
  const latestIn = memory(() => ({ userId: undefined as unknown }));
  return {
    rules: {
      ...letThrough(({ kind, name }) => kind === 'entitlement' && name !== 'the latest user'),
      alsoRefuses: ({ operation }, world) => {
        const latest = world.data.users.find(({ userId }) => userId === latestIn(world).userId);
        return operation !== 'portal.login' && latest?.forbidden.includes(operation)
          ? { kind: 'entitlement', name: 'the latest user' }
          : undefined;
      },
    },
    middleware: [
      (answer, { operation, world }) => {
        if (operation === 'portal.login' && answer.status === 200)
          latestIn(world).userId = (answer.body as Body).userId;
        return undefined;
      },
    ],
  };
}

/** Answers of an operation are kept by their address, sessionId and all, for longer than any run takes. */
function kept(operation: string): SandboxOptions {
  const keptIn = memory(() => new Map<string, unknown>());
  return {
    middleware: [
      (answer, { operation: called, request, world }) => {
        if (called !== operation) return undefined;
        if (answer.status === 200) keptIn(world).set(request.url, structuredClone(answer.body));
        const body = keptIn(world).get(request.url);
        return body === undefined ? undefined : { ...answer, status: 200, body };
      },
    ],
  };
}

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

/** Refusals that are made once. */
function secondTime(isMeant: (refusal: Refusal) => boolean): SandboxOptions {
  let times = 0;
  return { rules: letThrough((refusal) => isMeant(refusal) && ++times > 1) };
}

const hierarchies = (
  shows: (customer: PortalCustomer, asked: number | undefined, byDefault: boolean) => boolean,
): SandboxOptions => ({
  rules: {
    showsCustomer: (operation, customer, asked, byDefault) =>
      operation === HIERARCHY ? shows(customer, asked, byDefault) : byDefault,
  },
});

const isFilled = ({ raw }: SandboxRequest) => raw.length > 0;

/** Requests of other forms than the plain one that nobody guards. */
const unguarded: readonly Fault[] = (
  [
    [HIERARCHY, 'customers below', ({ query }) => query.customerId !== String(LOGIN_CUSTOMER)],
    [PROGRAMS, 'customers below', ({ query }) => query.customerId !== String(LOGIN_CUSTOMER)],
    [CIP, 'persons without ssn', (request) => isFilled(request) && bodyIn(request).ssn === undefined],
    [ORDER, 'instant issues', (request) => bodyIn(request).isInstantIssue === true],
    [ORDER, 'Digital cards', (request) => bodyIn(request).cardType === 'Digital'],
    [ORDER, 'orders with load', (request) => cardsIn(bodyIn(request)).some(({ amount }) => amount)],
    [ORDER, 'orders of several cards', (request) => cardsIn(bodyIn(request)).length > 1],
  ] satisfies [string, string, (request: SandboxRequest) => boolean][]
).map(([operation, what, isMeant]) =>
  fault(
    `${operation} needs no session for ${what}`,
    `${operation}.requires-session`,
    {
      rules: letThrough(
        ({ operation: of, kind, request }) => of === operation && kind === 'session' && isMeant(request),
      ),
    },
    thorough,
  ),
);

/** What is no integer is read over where a flag is not set. */
const misread: readonly Fault[] = (
  [
    [1, 'showAutoCreated'],
    [2, 'showBranded'],
  ] as const
).map(([seed, flag]) =>
  fault(
    `what is no integer is taken for a customerId with ${flag}=false`,
    `${PROGRAMS}.integer-parameters`,
    {
      rules: letThrough(
        ({ operation, kind, request }) =>
          operation === PROGRAMS && kind === 'parameter-type' && request.query[flag] === 'false',
      ),
    },
    ({ run }) => {
      run.seed = seed;
    },
  ),
);

export const furtherPortalFaults: readonly Fault[] = [
  ...unguarded,
  ...misread,
  fault(
    'an empty password logs in',
    'portal.login.wrong-password',
    {
      rules: {
        ...takesPassword((sent) => sent === '').rules,
        countsAsAbsent: (_value, _operation, name, byDefault) => byDefault && name !== 'password',
      },
    },
    ({ run }) => {
      run.seed = 9;
    },
  ),
  fault(
    'a user who has a session needs no right password',
    'portal.login.wrong-password',
    takesPassword((sent, world) => sent !== undefined && hasSession(world)),
  ),
  fault(
    'a user who has a session needs no password',
    'portal.login.required-parameters',
    takesPassword((sent, world) => sent === undefined && hasSession(world)),
  ),
  fault('a login after a logout gives the ended session again', 'portal.login.begins-session', endedAgain),
  fault(
    'no session of a user but the first is taken',
    'portal.login.begins-session',
    dead(({ number }) => number > 1),
  ),
  ...(
    [
      [1, HIERARCHY],
      [5, PROGRAMS],
    ] as const
  ).map(([seed, operation]) => ({
    ...fault(
      `${operation} is answered with 500 in later sessions`,
      `${operation}.status`,
      knowingSessions({
        middleware: [
          (answer, { operation: called, request, world }) =>
            called === operation && answer.status === 200 && (sessionOf(world, request)?.number ?? 1) > 1
              ? { ...answer, status: 500, body: {} }
              : undefined,
        ],
      }),
      ({ run }) => {
        run.seed = seed;
      },
    ),
    also: ['portal.login.begins-session'],
  })),
  ...(
    [
      [0, HIERARCHY],
      [1, PROGRAMS],
    ] as const
  ).map(([seed, operation]) =>
    fault(
      `what ${operation} answers is kept for the session, and given once it has ended`,
      `${operation}.requires-session`,
      kept(operation),
      ({ run }) => {
        run.seed = seed;
      },
    ),
  ),
  fault('every session is that of the user who logged in last', 'portal.not-entitled', oneUserForAll()),
  fault(
    'a quote in a sessionId is good for the latest session',
    'portal.getShippingMethods.requires-session',
    takenForLatest((sent) => sent.includes("' OR '")),
    thorough,
  ),
  fault(
    'a bad session is refused, and shown what it asks for',
    [`${LIST}.requires-session`, `${HIERARCHY}.requires-session`],
    shownThough('session'),
  ),
  fault(
    'a user who is not entitled is refused, and shown the customer list',
    'portal.not-entitled',
    shownThough('entitlement'),
  ),
  fault(
    'a bad session is answered with 401 by a program list without branded programs',
    `${PROGRAMS}.requires-session`,
    {
      rules: {
        refusalStatus: ({ operation, kind, request }, byDefault) =>
          operation === PROGRAMS && kind === 'session' && request.query.showBranded === 'false' ? 401 : byDefault,
      },
    },
    thorough,
  ),
  fault(
    "another partner's hierarchy is shown the second time it is asked for",
    `${HIERARCHY}.foreign-customer`,
    secondTime(({ operation, kind }) => operation === HIERARCHY && kind === 'foreign'),
  ),
  fault("another partner's programs are listed among those of customers below", `${PROGRAMS}.foreign-customer`, {
    rules: {
      showsProgram: ({ tenant }, { customerId }, byDefault) =>
        byDefault || (tenant === 'other' && customerId !== LOGIN_CUSTOMER),
    },
  }),
  ...[5026, 5034].map((parent) =>
    fault(
      `the hierarchy of ${parent} has no children`,
      `${HIERARCHY}.children`,
      hierarchies((customer, asked, byDefault) => byDefault && !(asked === parent && customer.parentId === parent)),
      thorough,
    ),
  ),
  ...[5012, 5024].map((leaf) =>
    fault(
      `the hierarchy of ${leaf} has no parent`,
      `${HIERARCHY}.parent-within-reach`,
      hierarchies(({ customerId }, asked, byDefault) => byDefault && (asked !== leaf || customerId === leaf)),
      thorough,
    ),
  ),
  fault(
    'showBranded may be absent where showAutoCreated is false',
    `${PROGRAMS}.required-parameters`,
    {
      rules: {
        requires: (operation, name, byDefault, { query }) =>
          byDefault && !(operation === PROGRAMS && name === 'showBranded' && query.showAutoCreated === 'false'),
      },
    },
    ({ run }) => {
      run.seed = 1;
    },
  ),
  ...(
    [
      ['in the ocean', ({ latitude, longitude }) => latitude === '0' && longitude === '0'],
      ['of the southern hemisphere', ({ latitude }) => Number(latitude) < 0],
      ['beyond the last page', ({ pageOffset }) => Number(pageOffset) > 30],
    ] satisfies [string, (query: Record<string, string>) => boolean][]
  ).map(([where, isThere]) =>
    fault(
      `a place ${where} is answered with 500`,
      'portal.getATMLocation.status',
      {
        middleware: [
          (answer, { operation, request }) =>
            operation === 'portal.getATMLocation' && answer.status === 200 && isThere(request.query)
              ? { ...answer, status: 500, body: {} }
              : undefined,
        ],
      },
      thorough,
    ),
  ),
];
