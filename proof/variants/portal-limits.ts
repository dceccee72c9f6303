/**
 * Sound portals that allow little: sessions that end by themselves, few requests, one at a time, and logins that are locked for everybody. Of none of
 * these does the document say anything (Limits: rate limits are not shown; Authentication: how long a user session is).
 */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { Answer, OperationId, World } from '../../sandbox/index.ts';
import { memory, refusing } from '../faults/broken.ts';
import { oneAtATime, ownRule } from './portal-rule.ts';
import { thoroughly, type Variant } from './variant.ts';

const LOGIN = 'portal.login';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
const BASIS = 'Limits: rate limits are not shown';

const limit = (name: string, sandbox: Variant['sandbox'], more: Partial<Variant> = {}): Variant => ({
  name: `portal limits: ${name}`,
  basis: BASIS,
  sandbox,
  ...more,
});
const alone = { standsAlone: true };

const isInSession = ({ operation, query }: SandboxRequest) =>
  operation.startsWith('portal.') && operation !== LOGIN && query.sessionId !== undefined;

/** A session that is over is refused as every bad one, and no login gives it again. */
const endingWhen = (isOver: (sessionId: string, world: World) => boolean): Variant['sandbox'] => ({
  rules: {
    sessionId: 'new',
    ...refusing(
      { kind: 'session', name: 'expired' },
      (request, world) => isInSession(request) && isOver(request.query.sessionId!, world),
    ),
  },
});

/** Sessions that end after so many requests. */
function endingAfter(most: number): Variant['sandbox'] {
  const usesIn = memory(() => new Map<string, number>());
  return endingWhen((sessionId, world) => {
    const uses = (usesIn(world).get(sessionId) ?? 0) + 1;
    usesIn(world).set(sessionId, uses);
    return uses > most;
  });
}

/** Bad sessions are refused with this status where none is said. */
const withStatus = (status: number, { rules, ...more }: Variant['sandbox']): Variant['sandbox'] => ({
  ...more,
  rules: {
    ...rules,
    refusalStatus: ({ kind, operation }, byDefault) =>
      kind === 'session' && operation !== PROGRAM_LIST && operation !== 'portal.logout' ? status : byDefault,
  },
});

/** Sessions that end with the first refusal. */
function endingWithRefusal(): Variant['sandbox'] {
  const overIn = memory(() => new Set<string>());
  return {
    ...endingWhen((sessionId, world) => overIn(world).has(sessionId)),
    middleware: [
      (_, { request, refusal, world }) => {
        if (isInSession(request) && refusal) overIn(world).add(request.query.sessionId!);
        return undefined;
      },
    ],
  };
}

/** So many requests of an operation are looked at, right or wrong. */
function looksAt(most: number, operation: OperationId): Variant['sandbox'] {
  const askedIn = memory(() => ({ times: 0 }));
  return {
    rules: ownRule((request, world) => request.operation === operation && ++askedIn(world).times > most, 403),
  };
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

export const portalLimitVariants: readonly Variant[] = [
  ...[5, 17].map((most) =>
    limit(
      `a session ends after ${most} requests, and the fixtures file names a customer below that of the login`,
      endingAfter(most),
      { ...alone, configure: belowLogin },
    ),
  ),
  ...[403, 440, 302].map((status) =>
    limit(
      `a session ends after five requests, with ${status} where no status is said`,
      withStatus(status, endingAfter(5)),
      alone,
    ),
  ),
  limit('a session ends after eighty requests', endingAfter(80), alone),
  limit('a session ends with the first request that is refused', endingWithRefusal(), alone),
  ...[400, 403].map((status) =>
    limit(
      `330 requests a day, then ${status}`,
      aDay(330, status, (operation) => /^portal\.(get|order)/.test(operation)),
      alone,
    ),
  ),
  limit(
    'twelve program lists a day, in good or bad sessions',
    aDay(12, 403, (operation) => operation === PROGRAM_LIST),
    alone,
  ),
  limit(
    '400 requests a day, logins and all',
    aDay(400, 403, (operation) => operation.startsWith('portal.')),
    alone,
  ),
  limit(
    'one look-up of a session at a time',
    oneAtATime(
      (request) => (isInSession(request) && request.method === 'GET' ? request.query.sessionId : undefined),
      409,
      3,
    ),
  ),
  limit('six program lists, right or wrong', looksAt(6, PROGRAM_LIST)),
  limit('six look-ups of cash machines, right or wrong', looksAt(6, 'portal.getATMLocation')),
  limit(
    'three refused logins lock all of an address for good, with 423',
    lockedAfter(3, 423, Number.POSITIVE_INFINITY),
  ),
  limit('two refused logins lock all of an address for a moment', lockedAfter(2, 403, 40)),
  limit(
    'two refused logins have the next wrong ones looked at no further for a moment',
    lockedAfter(2, 403, 200, ({ status }) => status !== 200),
    alone,
  ),
  ...(['users.list', 'cards.list'] as const).flatMap((operation) => {
    const name = `${operation}: thirty listings, right or wrong`;
    const thirty = { name, basis: BASIS, sandbox: looksAt(30, operation) };
    return [thirty, thoroughly({ ...thirty, name: `${name}, where all forms are tried` })];
  }),
];
