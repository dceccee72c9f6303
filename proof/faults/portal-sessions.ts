/** Faults of login, logout and sessions. */
import type { Refusal } from '../../sandbox/exchange.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { broken, letThrough, refusedWith } from './broken.ts';
import type { Fault } from './fault.ts';

const isSessionOf = (operation: string) => (refusal: Refusal) =>
  refusal.operation === operation && refusal.kind === 'session';

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
  broken('portal sessions: every second login is refused', 'portal.login.required-only', {
    alsoRefuses: ({ operation, callNumber }) =>
      operation === 'portal.login' && callNumber % 2 === 0 ? { kind: 'state', name: 'login' } : undefined,
  }),
  everySecondSessionDead(),
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
    'portal sessions: an ended session is answered with 500 by logout',
    'portal.logout.requires-session',
    refusedWith(500, (refusal) => isSessionOf('portal.logout')(refusal) && refusal.name === 'ended'),
  ),
  broken(
    'portal sessions: a user who is not entitled gets 403',
    'portal.not-entitled',
    refusedWith(403, ({ kind }) => kind === 'entitlement'),
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
