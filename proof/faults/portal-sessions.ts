/** Faults of login, logout and sessions. */
import type { Refusal } from '../../sandbox/exchange.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { broken, refusedWith } from './broken.ts';
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

export const portalSessionFaults: readonly Fault[] = [
  broken('portal sessions: every second login is refused', 'portal.login.required-only', {
    alsoRefuses: ({ operation, callNumber }) =>
      operation === 'portal.login' && callNumber % 2 === 0 ? { kind: 'state', name: 'login' } : undefined,
  }),
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
];
