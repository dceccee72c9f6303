/**
 * Sound portals that allow little: sessions that end by themselves, few requests, one at a time, and logins that are locked for everybody. Of none of
 * these does the document say anything (Limits: rate limits are not shown; Authentication: how long a user session is).
 */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { Answer, AnswerFilter, World } from '../../sandbox/index.ts';
import { thoroughly, type Variant } from './variant.ts';

const LOGIN = 'portal.login';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
const ATM = 'portal.getATMLocation';
/** Of these operations the document says how a bad session is answered. */
const ONLY_400 = [PROGRAM_LIST, 'portal.logout'];

const variant = (name: string, sandbox: Variant['sandbox']): Variant => ({
  name: `portal limits: ${name}`,
  basis: 'Limits: rate limits are not shown',
  sandbox,
});

/** What is remembered of one sandbox. */
function memory<T>(make: () => T): (world: World) => T {
  const memories = new WeakMap<World, T>();
  return (world) => {
    if (!memories.has(world)) memories.set(world, make());
    return memories.get(world)!;
  };
}

const isInSession = ({ operation, query }: SandboxRequest) =>
  operation.startsWith('portal.') && operation !== LOGIN && query.sessionId !== undefined;

/** A session that is over is refused as every bad one, and no login gives it again. */
const endingWhen = (isOver: (request: SandboxRequest, world: World) => boolean): Variant['sandbox'] => ({
  rules: {
    sessionId: 'new',
    alsoRefuses: (request, world) =>
      isInSession(request) && isOver(request, world) ? { kind: 'session', name: 'expired' } : undefined,
  },
});

/** Sessions that end after so many requests. */
function endingAfter(most: number): Variant['sandbox'] {
  const usesIn = memory(() => new Map<string, number>());
  return endingWhen(({ query: { sessionId } }, world) => {
    const uses = (usesIn(world).get(sessionId!) ?? 0) + 1;
    usesIn(world).set(sessionId!, uses);
    return uses > most;
  });
}

/** Bad sessions are refused with this status where none is said. */
const withStatus = (status: number, { rules, ...more }: Variant['sandbox']): Variant['sandbox'] => ({
  ...more,
  rules: {
    ...rules,
    refusalStatus: ({ kind, operation }, byDefault) =>
      kind === 'session' && !ONLY_400.includes(operation) ? status : byDefault,
  },
});

/** Sessions that end with this many refusals in a row. */
function endingWithRefusals(most: number): Variant['sandbox'] {
  const refusedIn = memory(() => new Map<string, number>());
  const isOver = ({ query: { sessionId = '' } }: SandboxRequest, world: World) =>
    (refusedIn(world).get(sessionId) ?? 0) >= most;
  const count: AnswerFilter = (_, { request, refusal, world }) => {
    if (!isInSession(request) || isOver(request, world)) return undefined;
    const { sessionId = '' } = request.query;
    refusedIn(world).set(sessionId, refusal ? (refusedIn(world).get(sessionId) ?? 0) + 1 : 0);
    return undefined;
  };
  return { ...endingWhen(isOver), middleware: [count] };
}

/** Requests that a rule of the portal refuses with this status. */
const refusing = (
  status: number,
  isRefused: (request: SandboxRequest, world: World) => boolean,
): Variant['sandbox'] => ({
  rules: {
    alsoRefuses: (request, world) => (isRefused(request, world) ? { kind: 'range', name: 'rule' } : undefined),
    refusalStatus: ({ name }, byDefault) => (name === 'rule' ? status : byDefault),
  },
});

/** So many requests of an operation are looked at, right or wrong. */
function looksAt(most: number, operation: string): Variant['sandbox'] {
  const askedIn = memory(() => ({ times: 0 }));
  return refusing(403, (request, world) => request.operation === operation && ++askedIn(world).times > most);
}

/** So many requests, in good or bad sessions, are looked at in a day. */
function aDay(most: number, status: number, isMeant: (operation: string) => boolean): Variant['sandbox'] {
  const askedIn = memory(() => ({ times: 0 }));
  let isOver = false;
  return {
    rules: {
      meanwhile: (world, { operation }) => {
        isOver = isMeant(operation) && ++askedIn(world).times > most;
      },
      unavailable: () =>
        isOver ? { status, headers: {}, body: { errorMessage: 'too many requests today' } } : undefined,
    },
  };
}

const BUSY_MS = 3;

/** While a look-up of a session is answered, another one meets a conflict. */
function oneLookUpAtATime(): Variant['sandbox'] {
  const untilIn = memory(() => new Map<string, number>());
  const isMeant = (request: SandboxRequest) => isInSession(request) && request.method === 'GET';
  return {
    ...refusing(409, (request, world) => {
      if (!isMeant(request)) return false;
      const isBusy = performance.now() < (untilIn(world).get(request.query.sessionId!) ?? 0);
      if (!isBusy) untilIn(world).set(request.query.sessionId!, performance.now() + BUSY_MS);
      return isBusy;
    }),
    middleware: [
      (answer, { request, refusal }) =>
        isMeant(request) && refusal?.name !== 'rule' ? { ...answer, transport: { delayMs: BUSY_MS + 2 } } : undefined,
    ],
  };
}

/** After so many logins that were refused no login is looked at for a while. */
function lockedAfter(
  most: number,
  status: number,
  milliseconds: number,
  isMeant = (_login: Answer) => true,
): Variant['sandbox'] {
  const lockIn = memory(() => ({ refused: 0, until: 0 }));
  return {
    middleware: [
      (answer, { operation, world }) => {
        const lock = lockIn(world);
        if (operation !== LOGIN) return undefined;
        if (isMeant(answer) && performance.now() < lock.until)
          return { ...answer, status, body: { errorMessage: 'locked' } };
        if (answer.status !== 200 && ++lock.refused % most === 0) lock.until = performance.now() + milliseconds;
        return undefined;
      },
    ],
  };
}

/** The fixtures file names a customer below that of the login. */
const belowLogin: NonNullable<Variant['configure']> = ({ fixtures }) => {
  fixtures.portal = { ...fixtures.portal, customerId: 5010 };
};

const FOR_GOOD = Number.POSITIVE_INFINITY;

export const portalLimitVariants: readonly Variant[] = [
  ...[
    ...[5, 17].map((most) => ({
      ...variant(
        `a session ends after ${most} requests, and the fixtures file names a customer below that of the login`,
        endingAfter(most),
      ),
      configure: belowLogin,
    })),
    ...[403, 440, 302].map((status) =>
      variant(
        `a session ends after five requests, with ${status} where no status is said`,
        withStatus(status, endingAfter(5)),
      ),
    ),
    variant('a session ends after eighty requests', endingAfter(80)),
    variant('a session ends with the first request that is refused', endingWithRefusals(1)),
  ].map((one) => ({ ...one, standsAlone: true })),
  ...[400, 403].map((status) => ({
    ...variant(
      `330 requests a day, then ${status}`,
      aDay(330, status, (operation) => /^portal\.(get|order)/.test(operation)),
    ),
    standsAlone: true,
  })),
  {
    ...variant(
      'twelve program lists a day, in good or bad sessions',
      aDay(12, 403, (of) => of === PROGRAM_LIST),
    ),
    standsAlone: true,
  },
  {
    ...variant(
      '400 requests a day, logins and all',
      aDay(400, 403, (operation) => operation.startsWith('portal.')),
    ),
    standsAlone: true,
  },
  variant('one look-up of a session at a time', oneLookUpAtATime()),
  variant('six program lists, right or wrong', looksAt(6, PROGRAM_LIST)),
  variant('six look-ups of cash machines, right or wrong', looksAt(6, ATM)),
  variant('three refused logins lock all of an address for good, with 423', lockedAfter(3, 423, FOR_GOOD)),
  variant('two refused logins lock all of an address for a moment', lockedAfter(2, 403, 40)),
  {
    ...variant(
      'two refused logins have the next wrong ones looked at no further for a moment',
      lockedAfter(2, 403, 200, ({ status }) => status !== 200),
    ),
    standsAlone: true,
  },
  ...(['users.list', 'cards.list'] as const).flatMap((operation) => {
    const thirty = {
      name: `${operation}: thirty listings, right or wrong`,
      basis: 'Limits: rate limits are not shown',
      sandbox: looksAt(30, operation),
    };
    return [thirty, thoroughly({ ...thirty, name: `${thirty.name}, where all forms are tried` })];
  }),
];
