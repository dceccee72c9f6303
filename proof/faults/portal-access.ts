/** Faults of whom the portal lets in: identifiers that resemble that of a session, requests that need none, and users who are not entitled. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { bodyIn, cardsIn, letThrough, thorough } from './broken.ts';
import type { Fault } from './fault.ts';
import { type Body, fault, memory } from './portal-broken.ts';

const CIP = 'portal.getCIPCheck';
const ORDER = 'portal.orderCards';
const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
const ATM = 'portal.getATMLocation';

/** One operation takes a session identifier that is like one that was begun. */
function takesLike(operation: string, isLike: (sent: string, begun: string) => boolean): SandboxOptions {
  const begunIn = memory(() => new Set<string>());
  return {
    rules: {
      meanwhile: (world, { operation: called, query }) => {
        const sent = query.sessionId;
        if (called !== operation || sent === undefined || begunIn(world).has(sent)) return;
        const begun = [...begunIn(world)].findLast((one) => isLike(sent, one));
        if (begun !== undefined) query.sessionId = begun;
      },
    },
    middleware: [
      (answer, { operation: called, world }) => {
        if (called === 'portal.login' && answer.status === 200)
          begunIn(world).add(String((answer.body as Body).sessionId));
        return undefined;
      },
    ],
  };
}

const LIST = 'portal.getCustomerList';

/** The customer of the sandbox's login. */
const LOGIN_CUSTOMER = 5001;

/** Refusals that carry what they refuse. */
function shownThough(kind: 'session' | 'entitlement', besideError = false): SandboxOptions {
  const shownIn = memory(() => new Map<string, object>());
  return {
    middleware: [
      (answer, { operation, request, refusal, world }) => {
        const key = `${operation} ${request.query.customerId}`;
        if (answer.status === 200) shownIn(world).set(key, structuredClone(answer.body as object));
        const body = shownIn(world).get(key);
        return refusal?.kind === kind && [LIST, HIERARCHY].includes(operation) && body
          ? { ...answer, body: besideError ? { ...(answer.body as object), ...body } : body }
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

/** An order whose externalIdentifier is known is answered as the first, before anybody looks at the session. */
function answeredAsBefore(): SandboxOptions {
  const madeIn = memory(() => new Map<string, unknown>());
  return {
    rules: { duplicateOrders: 'repeat' },
    middleware: [
      (answer, { operation, request, refusal, world }) => {
        const { custProgId, externalIdentifier } = bodyIn(request);
        if (operation !== ORDER || externalIdentifier === undefined) return undefined;
        const key = `${custProgId} ${externalIdentifier}`;
        const made = madeIn(world);
        if (answer.status === 200 && !made.has(key)) made.set(key, structuredClone(answer.body));
        return refusal?.kind === 'session' && made.has(key)
          ? { ...answer, status: 200, body: made.get(key) }
          : undefined;
      },
    ],
  };
}

const isFilled = ({ raw }: SandboxRequest) => raw.length > 0;

/** Requests of other forms than the plain one that nobody guards. */
const unguarded: readonly Fault[] = (
  [
    [HIERARCHY, 'customers below', ({ query }) => query.customerId !== String(LOGIN_CUSTOMER)],
    [PROGRAM_LIST, 'customers below', ({ query }) => query.customerId !== String(LOGIN_CUSTOMER)],
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

export const portalAccessFaults: readonly Fault[] = [
  fault(
    'what follows a session identifier is cut off by one operation',
    'portal.getCIPCheck.requires-session',
    takesLike(CIP, (sent, begun) => sent.startsWith(begun)),
    thorough,
  ),
  ...(['null'] as const).map((word) =>
    fault(
      `the session identifier ${word} is good enough`,
      'portal.getCustomerList.requires-session',
      takesLike('portal.getCustomerList', (sent) => sent === word),
      thorough,
    ),
  ),
  fault(
    'what stands before a session identifier is cut off by one operation',
    'portal.getCIPCheck.requires-session',
    takesLike(CIP, (sent, begun) => sent.length > begun.length && sent.endsWith(begun)),
    thorough,
  ),
  fault(
    'the middle of a session identifier is not compared by one operation',
    'portal.getShippingFeeTypes.requires-session',
    takesLike(
      'portal.getShippingFeeTypes',
      (sent, begun) =>
        sent.length === begun.length && sent.slice(0, 4) + sent.slice(-4) === begun.slice(0, 4) + begun.slice(-4),
    ),
    thorough,
  ),
  fault(
    'no session is needed for a program list without branded programs',
    'portal.getCustomerProgramList.requires-session',
    {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === PROGRAM_LIST &&
          kind === 'session' &&
          name === 'missing' &&
          request.query.showBranded === 'false',
      ),
    },
    thorough,
  ),
  fault(
    'no session is needed beyond the first page of cash machines',
    'portal.getATMLocation.requires-session',
    {
      rules: letThrough(
        ({ operation, kind, request }) =>
          operation === ATM && kind === 'session' && Number(request.query.pageOffset) > 0,
      ),
    },
    thorough,
  ),
  ...unguarded,
  fault('every session is that of the user who logged in last', 'portal.not-entitled', oneUserForAll()),
  fault(
    'an order that was made before is answered as it was then, whatever the session',
    'portal.orderCards.requires-session',
    answeredAsBefore(),
    thorough,
  ),
  fault(
    'a bad session is refused with an error, beside which stands what it asks for',
    [`${LIST}.requires-session`, `${HIERARCHY}.requires-session`],
    shownThough('session', true),
  ),
  fault(
    'a user who is not entitled is refused, and shown the customer list',
    'portal.not-entitled',
    shownThough('entitlement'),
  ),
  fault(
    'a bad session is answered with 401 by a program list without branded programs',
    `${PROGRAM_LIST}.requires-session`,
    {
      rules: {
        refusalStatus: ({ operation, kind, request }, byDefault) =>
          operation === PROGRAM_LIST && kind === 'session' && request.query.showBranded === 'false' ? 401 : byDefault,
      },
    },
    thorough,
  ),
];
