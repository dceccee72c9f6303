/**
 * Sound portals that allow little: sessions that end by themselves, few requests, one at a time, and logins that are locked for everybody. Of none of
 * these does the document say anything (Limits: rate limits are not shown; Authentication: how long a user session is).
 */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { Answer, OperationId, Rules, SandboxOptions, World } from '../../sandbox/index.ts';
import { credentials } from '../../sandbox/seed/credentials.ts';
import { answering, memory, refusing } from '../changed-sandbox.ts';
import { atMost, oneAtATime, ownRule } from './portal-rule.ts';
import { setting, thoroughly, type Variant, variant } from './variant.ts';

const LOGIN = 'portal.login';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
const BASIS = 'Limits: rate limits are not shown';

const limit = (name: string, sandbox: SandboxOptions): Variant => variant(`portal limits: ${name}`, BASIS, sandbox);

const alone = (name: string, sandbox: SandboxOptions): Variant => ({ ...limit(name, sandbox), standsAlone: true });

const isInSession = ({ operation, query }: SandboxRequest) =>
  operation.startsWith('portal.') && operation !== LOGIN && query.sessionId !== undefined;

/** A session that is over is refused as every bad one, and no login gives it again. */
const endingWhen = (isOver: (sessionId: string, world: World) => boolean): Partial<Rules> => ({
  sessionId: 'new',
  ...refusing(
    { kind: 'session', name: 'expired' },
    (request, world) => isInSession(request) && isOver(request.query.sessionId!, world),
  ),
});

/** Sessions that end after so many requests. */
function endingAfter(most: number, more: Partial<Rules> = {}): SandboxOptions {
  const usesIn = memory(() => new Map<string, number>());
  const ending = endingWhen((sessionId, world) => {
    const uses = (usesIn(world).get(sessionId) ?? 0) + 1;
    usesIn(world).set(sessionId, uses);
    return uses > most;
  });
  return { rules: { ...ending, ...more } };
}

/** Bad sessions are refused with this status where none is said. */
const withStatus = (status: number): Partial<Rules> => ({
  refusalStatus: ({ kind, operation }, byDefault) =>
    kind === 'session' && operation !== PROGRAM_LIST && operation !== 'portal.logout' ? status : byDefault,
});

/** Sessions that end with the first refusal. */
function endingWithRefusal(): SandboxOptions {
  const overIn = memory(() => new Set<string>());
  return {
    rules: endingWhen((sessionId, world) => overIn(world).has(sessionId)),
    middleware: [
      (_, { request, refusal, world }) => {
        if (isInSession(request) && refusal) overIn(world).add(request.query.sessionId!);
        return undefined;
      },
    ],
  };
}

/** So many requests of an operation are looked at, right or wrong. */
function looksAt(most: number, operation: OperationId): SandboxOptions {
  const askedIn = memory(() => ({ times: 0 }));
  return {
    rules: ownRule((request, world) => request.operation === operation && ++askedIn(world).times > most, 403),
  };
}

/** So many requests of an operation are accepted in each session. */
function inSession(most: number, operation: OperationId): SandboxOptions {
  const acceptedIn = memory(() => new Map<string | undefined, number>());
  const accepted = ({ query: { sessionId } }: SandboxRequest, world: World) => acceptedIn(world).get(sessionId) ?? 0;
  return {
    rules: ownRule((request, world) => request.operation === operation && accepted(request, world) >= most, 403),
    ...answering(operation, (_, { request, world }) => {
      acceptedIn(world).set(request.query.sessionId, accepted(request, world) + 1);
    }),
  };
}

/** So many requests, in good or bad sessions, are looked at in a day. */
function aDay(most: number, status: number, isMeant: RegExp): SandboxOptions {
  const askedIn = memory(() => ({ times: 0 }));
  let isOver = false;
  return {
    rules: {
      meanwhile: (world, { operation }) => {
        isOver = isMeant.test(operation) && ++askedIn(world).times > most;
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
): SandboxOptions {
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

/** Whether a request is of the user who is not entitled to everything, as the fixtures file names it. */
const isOfClerk = ({ query }: SandboxRequest) => query.loginID === credentials.restrictedLoginId;

export const portalLimitVariants: readonly Variant[] = [
  ...[5, 17].map((most) => ({
    ...alone(
      `a session ends after ${most} requests, and the fixtures file names a customer below that of the login`,
      endingAfter(most),
    ),
    configure: setting({ portal: { customerId: 5010 } }),
  })),
  ...[403, 440, 302].map((status) =>
    alone(
      `a session ends after five requests, with ${status} where no status is said`,
      endingAfter(5, withStatus(status)),
    ),
  ),
  alone('a session ends after eighty requests', endingAfter(80)),
  alone('a session ends with the first request that is refused', endingWithRefusal()),
  ...[400, 403].map((status) => alone(`330 requests a day, then ${status}`, aDay(330, status, /^portal\.(get|order)/))),
  alone('twelve program lists a day, in good or bad sessions', aDay(12, 403, /^portal\.getCustomerProgramList$/)),
  alone('400 requests a day, logins and all', aDay(400, 403, /^portal\./)),
  limit(
    'one look-up of a session at a time',
    oneAtATime(
      (request) => (isInSession(request) && request.method === 'GET' ? request.query.sessionId : undefined),
      409,
      3,
    ),
  ),
  limit('six program lists, right or wrong', looksAt(6, PROGRAM_LIST)),
  limit('three program lists', atMost(3, PROGRAM_LIST, 403)),
  thoroughly(limit('twenty orders in a session', inSession(20, 'portal.orderCards'))),
  limit('one login of a user who is not entitled to everything', atMost(1, LOGIN, 403, isOfClerk)),
  limit('six look-ups of cash machines, right or wrong', looksAt(6, 'portal.getATMLocation')),
  limit('three refused logins lock all of an address for good, with 423', lockedAfter(3, 423, Infinity)),
  limit('two refused logins lock all of an address for a moment', lockedAfter(2, 403, 40)),
  alone(
    'two refused logins have the next wrong ones looked at no further for a moment',
    lockedAfter(2, 403, 200, ({ status }) => status !== 200),
  ),
  ...(['users.list', 'cards.list'] as const).flatMap((operation) => {
    const thirty = variant(`${operation}: thirty listings, right or wrong`, BASIS, looksAt(30, operation));
    return [thirty, thoroughly({ ...thirty, name: `${thirty.name}, where all forms are tried` })];
  }),
];
