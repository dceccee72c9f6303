/** Faults of login, logout and sessions. */
import type { Refusal } from '../../sandbox/exchange.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { broken, letThrough, misanswered, refusedWith } from './broken.ts';
import type { Fault } from './fault.ts';

/** Refusals of one kind are left out. */
const lets = (kind: Refusal['kind'], name: string) =>
  letThrough((refusal) => refusal.kind === kind && refusal.name === name);

const isSessionOf = (operation: string) => (refusal: Refusal) =>
  refusal.operation === operation && refusal.kind === 'session';

/** A login whose customer is another. */
const loginOf = (name: string, customerId: number): Fault =>
  misanswered(`portal sessions: ${name}`, 'portal.login.customer-id-accepted', 'portal.login', (body) => {
    body.customerId = customerId;
  });

const SIGNATURE = 'c2lnbmF0dXJl';
const encoded = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');

/** Session identifiers are JSON Web Tokens whose claims are read and whose signature is not looked at. */
const unverified: SandboxOptions = {
  rules: {
    meanwhile: (_, { query }) => {
      const [, claims, signature] = query.sessionId?.split('.') ?? [];
      if (!claims || !signature) return;
      try {
        query.sessionId = JSON.parse(Buffer.from(claims, 'base64url').toString()).jti;
      } catch {
        query.sessionId = 'no claims';
      }
    },
  },
  middleware: [
    (answer, { operation }) => {
      const body = answer.body as Record<string, unknown>;
      if (operation === 'portal.login' && answer.status === 200)
        body.sessionId = [encoded({ alg: 'HS256' }), encoded({ jti: body.sessionId }), SIGNATURE].join('.');
      return undefined;
    },
  ],
};

/** Every second session that a login gives is refused from the start. */
function everySecondSessionDead(): Fault {
  const dead = new Set<unknown>();
  let logins = 0;
  return {
    name: 'portal sessions: every second session is dead on arrival',
    condemns: ['portal.login.begins-session'],
    also: ['portal'],
    sandbox: {
      middleware: [
        ({ body }, { operation }) => {
          const { sessionId } = (body ?? {}) as { sessionId?: string };
          if (operation === 'portal.login' && sessionId && ++logins % 2 === 0) dead.add(sessionId);
          return undefined;
        },
      ],
      rules: {
        alsoRefuses: ({ query }) => (dead.has(query.sessionId) ? { kind: 'session', name: 'invented' } : undefined),
      },
    },
  };
}

export const portalSessionFaults: readonly Fault[] = [
  broken('portal sessions: a wrong password logs in', 'portal.login.wrong-password', lets('credentials', 'password')),
  broken(
    'portal sessions: an unknown loginID logs in',
    'portal.login.unknown-login-id',
    lets('credentials', 'loginID'),
  ),
  broken(
    'portal sessions: a wrong password is answered with 401',
    'portal.login.wrong-password',
    refusedWith(401, ({ kind, name }) => kind === 'credentials' && name === 'password'),
  ),
  broken(
    'portal sessions: an unknown loginID is answered with 404',
    'portal.login.unknown-login-id',
    refusedWith(404, ({ kind, name }) => kind === 'credentials' && name === 'loginID'),
  ),
  broken(
    'portal sessions: a login without parameters is answered with 422',
    'portal.login.required-parameters',
    refusedWith(422, ({ operation, kind }) => operation === 'portal.login' && kind === 'missing-parameter'),
  ),
  broken('portal sessions: every second login is refused', 'portal.login.required-only', {
    alsoRefuses: ({ operation, callNumber }) =>
      operation === 'portal.login' && callNumber % 2 === 0 ? { kind: 'state', name: 'login' } : undefined,
  }),
  everySecondSessionDead(),
  loginOf('login names a customer that does not exist', 424242),
  loginOf("login names another partner's customer", 9_000_000),
  broken(
    'portal sessions: logout leaves the session as it is',
    [
      'portal.logout.ends-session',
      'portal.logout.requires-session',
      'portal.getCustomerList.requires-session',
      'portal.getATMLocation.requires-session',
    ],
    { takesEffect: (operation) => operation !== 'portal.logout' },
  ),
  broken(
    'portal sessions: logout leaves the session as it is, the only one that a user may have',
    ['portal.logout.ends-session', 'portal.getShippingMethods.requires-session'],
    { takesEffect: (operation) => operation !== 'portal.logout', mostSessionsPerUser: 1 },
  ),
  broken(
    'portal sessions: one operation takes sessions that were logged out',
    ['portal.logout.ends-session', 'portal.getShippingFeeTypes.requires-session'],
    {
      enforces: ({ operation, kind, name }) =>
        !(operation === 'portal.getShippingFeeTypes' && kind === 'session' && name === 'ended'),
    },
  ),
  {
    name: 'portal sessions: the signature of a session identifier is not verified',
    condemns: ['portal.getShippingMethods.requires-session', 'portal.orderCards.requires-session'],
    sandbox: unverified,
    configure: ({ run }) => {
      run.thorough = true;
    },
  },
  broken(
    'portal sessions: a program list without a good session is answered with 401',
    'portal.getCustomerProgramList.requires-session',
    refusedWith(401, isSessionOf('portal.getCustomerProgramList')),
  ),
  broken(
    'portal sessions: an ended session is answered with 500 by logout',
    'portal.logout.requires-session',
    refusedWith(500, (refusal) => isSessionOf('portal.logout')(refusal) && refusal.name === 'ended'),
  ),
  broken(
    'portal sessions: a user who is not entitled gets 403',
    'portal.not-entitled',
    refusedWith(403, ({ kind }) => kind === 'entitlement'),
  ),
  broken(
    'portal sessions: a user who is not entitled is served',
    'portal.not-entitled',
    lets('entitlement', 'portal.getCustomerList'),
  ),
  olderSessionsStay(),
];

/** Logs out the latest session of the user only: an older one that is logged out goes on. */
function olderSessionsStay(): Fault {
  const begun: string[] = [];
  const staying = new Set<unknown>();
  return {
    name: 'portal sessions: a session that is logged out after a later one began goes on',
    condemns: ['portal.logout.ends-session'],
    sandbox: {
      rules: letThrough(
        ({ kind, name, operation, request }) =>
          kind === 'session' &&
          name === 'ended' &&
          operation !== 'portal.logout' &&
          staying.has(request.query.sessionId),
      ),
      middleware: [
        (answer, { operation, request }) => {
          const { sessionId } = (answer.body ?? {}) as { sessionId?: string };
          if (operation === 'portal.login' && sessionId) begun.push(sessionId);
          if (operation === 'portal.logout' && answer.status === 200 && request.query.sessionId !== begun.at(-1))
            staying.add(request.query.sessionId);
          return undefined;
        },
      ],
    },
  };
}
