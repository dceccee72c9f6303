/** Faults of login, logout and sessions. */
import type { Answer, Refusal, SandboxRequest } from '../../sandbox/exchange.ts';
import type { Rules, SandboxOptions } from '../../sandbox/index.ts';
import type { Fault } from './fault.ts';

const broken = (name: string, rules: Partial<Rules>, ...condemns: string[]): Fault => ({
  name: `portal sessions: ${name}`,
  condemns,
  sandbox: { rules },
});

/** Refusals of one kind are left out. */
const lets = (kind: Refusal['kind'], name: string): Partial<Rules> => ({
  enforces: (refusal) => !(refusal.kind === kind && refusal.name === name),
});

/** Refusals are answered with another status. */
const answers = (status: number, isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  refusalStatus: (refusal, byDefault) => (isMeant(refusal) ? status : byDefault),
});

const isSessionOf = (operation: string) => (refusal: Refusal) =>
  refusal.operation === operation && refusal.kind === 'session';

/** A login whose customer is another. */
const loginOf = (name: string, customerId: number): Fault => ({
  name: `portal sessions: ${name}`,
  condemns: ['portal.login.customer-id-accepted'],
  sandbox: {
    middleware: [
      (answer: Answer, { operation }) => {
        if (operation === 'portal.login' && answer.status === 200)
          (answer.body as Record<string, unknown>).customerId = customerId;
        return undefined;
      },
    ],
  },
});

const isAnotherLogin = ({ operation, callNumber }: SandboxRequest) => operation === 'portal.login' && callNumber > 1;

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
  broken('a wrong password logs in', lets('credentials', 'password'), 'portal.login.wrong-password'),
  broken('an unknown loginID logs in', lets('credentials', 'loginID'), 'portal.login.unknown-login-id'),
  broken(
    'a wrong password is answered with 401',
    answers(401, ({ kind, name }) => kind === 'credentials' && name === 'password'),
    'portal.login.wrong-password',
  ),
  broken(
    'an unknown loginID is answered with 404',
    answers(404, ({ kind, name }) => kind === 'credentials' && name === 'loginID'),
    'portal.login.unknown-login-id',
  ),
  broken(
    'a login without parameters is answered with 422',
    answers(422, ({ operation, kind }) => operation === 'portal.login' && kind === 'missing-parameter'),
    'portal.login.required-parameters',
  ),
  broken(
    'a user who is logged in cannot log in again',
    { alsoRefuses: (request) => (isAnotherLogin(request) ? { kind: 'state', name: 'login' } : undefined) },
    'portal.login.required-only',
  ),
  loginOf('login names a customer that does not exist', 424242),
  loginOf("login names another partner's customer", 9_000_000),
  broken(
    'logout leaves the session as it is',
    { takesEffect: (operation) => operation !== 'portal.logout' },
    'portal.logout.ends-session',
    'portal.logout.requires-session',
    'portal.getCustomerList.requires-session',
    'portal.getATMLocation.requires-session',
  ),
  broken(
    'one operation takes sessions that were logged out',
    {
      enforces: ({ operation, kind, name }) =>
        !(operation === 'portal.getShippingFeeTypes' && kind === 'session' && name === 'ended'),
    },
    'portal.logout.ends-session',
    'portal.getShippingFeeTypes.requires-session',
  ),
  {
    name: 'portal sessions: the signature of a session identifier is not verified',
    condemns: ['portal.getShippingMethods.requires-session', 'portal.orderCards.requires-session'],
    sandbox: unverified,
  },
  broken(
    'logout without a good session is answered with 401',
    answers(401, isSessionOf('portal.logout')),
    'portal.logout.requires-session',
  ),
  broken(
    'a program list without a good session is answered with 401',
    answers(401, isSessionOf('portal.getCustomerProgramList')),
    'portal.getCustomerProgramList.requires-session',
  ),
  broken(
    'an ended session is answered with 500 by logout',
    answers(500, (refusal) => isSessionOf('portal.logout')(refusal) && refusal.name === 'ended'),
    'portal.logout.requires-session',
  ),
  broken(
    'a user who is not entitled gets 403',
    answers(403, ({ kind }) => kind === 'entitlement'),
    'portal.not-entitled',
  ),
  broken('a user who is not entitled is served', lets('entitlement', 'portal.getCustomerList'), 'portal.not-entitled'),
];
