/** Faults of whom the portal lets in: identifiers that resemble that of a session, requests that need none, and users who are not entitled. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { OperationId } from '../../sandbox/index.ts';
import { altering, answering, bodyIn, cardsIn, letThrough, memory, refusedWith } from '../changed-sandbox.ts';
import { broken, fault, misrefused, portal, tolerated } from './broken.ts';
import type { Fault } from './fault.ts';

const CIP = 'portal.getCIPCheck';
const ORDER = 'portal.orderCards';
const LIST = 'portal.getCustomerList';
const HIERARCHY = 'portal.getCustomerHierarchy';
const ATM = 'portal.getATMLocation';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
/** The customer of the sandbox's login. */
const LOGIN_CUSTOMER = 5001;

/** One operation takes a session identifier that is like one that was begun. */
function takesLike(name: string, operation: OperationId, isLike: (sent: string, begun: string) => boolean): Fault {
  const begunIn = memory(() => new Set<string>());
  return portal(name, `${operation}.requires-session`, {
    rules: {
      meanwhile: (world, { operation: called, query }) => {
        const sent = query.sessionId;
        if (called !== operation || sent === undefined || begunIn(world).has(sent)) return;
        query.sessionId = [...begunIn(world)].findLast((one) => isLike(sent, one)) ?? sent;
      },
    },
    ...answering('portal.login', ({ sessionId }, { world }) => void begunIn(world).add(String(sessionId))),
  });
}

/** Refusals that carry what they refuse. */
function shownThough(
  name: string,
  condemns: string | readonly string[],
  kind: 'session' | 'entitlement',
  within = (shown: object, _refusal: object) => shown,
): Fault {
  const shownIn = memory(() => new Map<string, object>());
  return portal(
    name,
    condemns,
    altering((answer, { operation, request, refusal, world }) => {
      const key = `${operation} ${request.query.customerId}`;
      if (answer.status === 200) shownIn(world).set(key, structuredClone(answer.body as object));
      const shown = shownIn(world).get(key);
      const isMeant = refusal?.kind === kind && [LIST, HIERARCHY].includes(operation) && shown;
      return isMeant && { body: within(shown, answer.body as object) };
    }),
  );
}

/** Every session acts as the user who logged in last. */
function oneUserForAll(): Fault {
  const latestIn = memory(() => ({ userId: undefined as unknown }));
  return portal('every session is that of the user who logged in last', 'portal.not-entitled', {
    rules: {
      ...letThrough(({ kind, name }) => kind === 'entitlement' && name !== 'the latest user'),
      alsoRefuses: ({ operation }, world) => {
        const latest = world.data.users.find(({ userId }) => userId === latestIn(world).userId);
        return operation !== 'portal.login' && latest?.forbidden.includes(operation)
          ? { kind: 'entitlement', name: 'the latest user' }
          : undefined;
      },
    },
    ...answering('portal.login', ({ userId }, { world }) => {
      latestIn(world).userId = userId;
    }),
  });
}

/** An order whose externalIdentifier is known is answered as the first, before anybody looks at the session. */
function answeredAsBefore(): Fault {
  const madeIn = memory(() => new Map<string, unknown>());
  return portal(
    'an order that was made before is answered as it was then, whatever the session',
    'portal.orderCards.requires-session',
    {
      rules: { duplicateOrders: 'repeat' },
      ...altering((answer, { operation, request, refusal, world }) => {
        const { custProgId, externalIdentifier } = bodyIn(request);
        if (operation !== ORDER || externalIdentifier === undefined) return undefined;
        const key = `${custProgId} ${externalIdentifier}`;
        const made = madeIn(world);
        if (answer.status === 200 && !made.has(key)) made.set(key, structuredClone(answer.body));
        return refusal?.kind === 'session' && made.has(key) && { status: 200, body: made.get(key) };
      }),
    },
  );
}

const encoded = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');

/** Session identifiers are JSON Web Tokens whose claims are read and whose signature is not looked at. */
const unverified = fault(
  'portal sessions: the signature of a session identifier is not verified',
  ['portal.getShippingMethods.requires-session', 'portal.orderCards.requires-session'],
  {
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
    ...answering('portal.login', (body) => {
      body.sessionId = [encoded({ alg: 'HS256' }), encoded({ jti: body.sessionId }), 'c2lnbmF0dXJl'].join('.');
    }),
  },
);

type IsMeant = (request: SandboxRequest) => boolean;
const isBelow: IsMeant = ({ query }) => query.customerId !== String(LOGIN_CUSTOMER);
const isUnbranded: IsMeant = ({ query }) => query.showBranded === 'false';
const hasNoSsn: IsMeant = (request) => request.raw.length > 0 && bodyIn(request).ssn === undefined;
const hasLoad: IsMeant = (request) => cardsIn(bodyIn(request)).some(({ amount }) => amount);

/** Requests of other forms than the plain one that nobody guards. */
const unguarded: readonly Fault[] = (
  [
    [`${HIERARCHY} needs no session for customers below`, HIERARCHY, isBelow],
    [`${PROGRAM_LIST} needs no session for customers below`, PROGRAM_LIST, isBelow],
    [`${CIP} needs no session for persons without ssn`, CIP, hasNoSsn],
    [`${ORDER} needs no session for instant issues`, ORDER, (request) => bodyIn(request).isInstantIssue === true],
    [`${ORDER} needs no session for Digital cards`, ORDER, (request) => bodyIn(request).cardType === 'Digital'],
    [`${ORDER} needs no session for orders with load`, ORDER, hasLoad],
    [`${ORDER} needs no session for orders of several cards`, ORDER, (request) => cardsIn(bodyIn(request)).length > 1],
    ['no session is needed beyond the first page of cash machines', ATM, ({ query }) => Number(query.pageOffset) > 0],
  ] satisfies [string, OperationId, IsMeant][]
).map(([name, operation, isMeant]) =>
  tolerated(`portal: ${name}`, `${operation}.requires-session`, { kind: 'session' }, isMeant),
);

export const portalAccessFaults: readonly Fault[] = [
  takesLike('what follows a session identifier is cut off by one operation', CIP, (sent, begun) =>
    sent.startsWith(begun),
  ),
  takesLike(
    'what stands before a session identifier is cut off by one operation',
    CIP,
    (sent, begun) => sent.length > begun.length && sent.endsWith(begun),
  ),
  takesLike(
    'the middle of a session identifier is not compared by one operation',
    'portal.getShippingFeeTypes',
    (sent, begun) =>
      sent.length === begun.length && sent.slice(0, 4) + sent.slice(-4) === begun.slice(0, 4) + begun.slice(-4),
  ),
  unverified,
  ...unguarded,
  tolerated(
    'portal: no session is needed for a program list without branded programs',
    'portal.getCustomerProgramList.requires-session',
    { kind: 'session', name: 'missing' },
    isUnbranded,
  ),
  misrefused(
    'portal: a bad session is answered with 401 by a program list without branded programs',
    'portal.getCustomerProgramList.requires-session',
    401,
    { kind: 'session' },
    isUnbranded,
  ),
  answeredAsBefore(),
  shownThough(
    'a bad session is refused with an error, beside which stands what it asks for',
    ['portal.getCustomerList.requires-session', 'portal.getCustomerHierarchy.requires-session'],
    'session',
    (shown, refusal) => ({ ...refusal, ...shown }),
  ),
  shownThough(
    'a bad session is refused, and what it asks for is shown under other names',
    ['portal.getCustomerList.requires-session', 'portal.getCustomerHierarchy.requires-session'],
    'session',
    (shown, refusal) => ({
      ...refusal,
      debug: (shown as { items: object[] }).items.map((item) => Object.values(item)),
    }),
  ),
  shownThough(
    'a user who is not entitled is refused, and shown the customer list',
    'portal.not-entitled',
    'entitlement',
  ),
  oneUserForAll(),
  broken(
    'portal sessions: a user who is not entitled gets 403',
    'portal.not-entitled',
    refusedWith(403, ({ kind }) => kind === 'entitlement'),
  ),
  misrefused(
    'portal sessions: an ended session is answered with 500 by logout',
    'portal.logout.requires-session',
    500,
    { kind: 'session', name: 'ended' },
  ),
];
