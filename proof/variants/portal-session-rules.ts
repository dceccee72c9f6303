/** Sound portals with rules of their own for logins and sessions. */
import type { Rules, SandboxOptions, World } from '../../sandbox/index.ts';
import { answering, type Body, CIP, ORDER, oneAtATime, ownRule, variant } from './portal-rule.ts';
import { settling, thoroughly, type Variant } from './variant.ts';

/** An ended session still works for a while on one operation, whose server learns of it later. */
function lateOn(operation: string, milliseconds: number): SandboxOptions {
  const loggedOut = new WeakMap<World, Map<string, number>>();
  const endsOf = (world: World) => {
    if (!loggedOut.has(world)) loggedOut.set(world, new Map());
    return loggedOut.get(world)!;
  };
  let now: Map<string, number> = new Map();
  return {
    rules: {
      meanwhile: (world, { operation: called, query }) => {
        now = endsOf(world);
        if (called === 'portal.logout' && query.sessionId && !now.has(query.sessionId))
          now.set(query.sessionId, performance.now());
      },
      enforces: ({ kind, name, request }) => {
        const ended = now.get(request.query.sessionId ?? '');
        const isFresh = ended !== undefined && performance.now() < ended + milliseconds;
        return !(kind === 'session' && name === 'ended' && request.operation === operation && isFresh);
      },
    },
  };
}

/** How long after its login a session is known to the other operations. */
const KNOWN_AFTER_MS = 60;

/** Sessions are known late to one of so many nodes, which serve the requests in turn: until then it refuses them as what is none. */
function knownLate(nodes: number): SandboxOptions {
  const begunIn = new WeakMap<World, Map<string, number>>();
  let served = 0;
  return {
    rules: {
      alsoRefuses: ({ operation, query }, world) => {
        const begun = begunIn.get(world)?.get(query.sessionId ?? '') ?? 0;
        const isLate = performance.now() < begun + KNOWN_AFTER_MS && ++served % nodes === 0;
        return operation !== 'portal.login' && isLate ? { kind: 'session', name: 'invented' } : undefined;
      },
    },
    middleware: [
      (answer, { operation, world }) => {
        if (operation !== 'portal.login' || answer.status !== 200) return undefined;
        if (!begunIn.has(world)) begunIn.set(world, new Map());
        begunIn.get(world)!.set(String((answer.body as Body).sessionId), performance.now());
        return undefined;
      },
    ],
  };
}

/** A firewall before the portal refuses what looks like an attack. */
const firewall: Partial<Rules> = {
  ...ownRule(({ query: { sessionId = '', loginID = '', password = '' } }) =>
    [sessionId, loginID, password].some((value) => value === '%' || value.includes("' OR '")),
  ),
  refusalStatus: ({ name }, byDefault) => (name === 'rule' ? 403 : byDefault),
  judgesSessionLast: () => true,
};

export const sessionRuleVariants: readonly Variant[] = [
  variant('no login while the user has a session', 'Authentication: how many sessions a user has is not said', {
    rules: { mostSessionsPerUser: 1 },
  }),
  ...['portal.getATMLocation', 'portal.getCustomerList', CIP, ORDER].map((operation) =>
    settling(
      200,
      variant(
        `${operation} learns late that a session has ended`,
        'States and transitions: how soon an end shows is not said',
        lateOn(operation, 100),
      ),
    ),
  ),
  ...[1, 2].map((nodes) =>
    settling(
      200,
      variant(
        `a session is known to all operations a moment after its login${nodes > 1 ? ', to the first of two nodes at once' : ''}`,
        'States and transitions: how soon a session shows is not said',
        knownLate(nodes),
      ),
    ),
  ),
  ...[4, 20260].map((seed) =>
    thoroughly({
      ...variant(
        `a firewall refuses what looks like an attack (seed ${seed})`,
        'Errors: 403 is "understood but refused"',
        { rules: firewall },
      ),
      run: { seed },
    }),
  ),
  variant(
    'one login at a time',
    'login: requests at the same moment are not spoken of',
    oneAtATime('portal.login', () => '', 400),
  ),
  variant(
    'session identifiers are hexadecimal, in any case of letters',
    'Authentication: the form of sessionId is not said',
    {
      rules: {
        meanwhile: (_, { query }) => {
          if (/^[0-9a-f]+$/i.test(query.sessionId ?? ''))
            query.sessionId = Buffer.from(query.sessionId!, 'hex').toString();
        },
      },
      middleware: [
        answering('portal.login', (body) => ({
          ...body,
          sessionId: Buffer.from(String(body.sessionId)).toString('hex'),
        })),
      ],
    },
  ),
  variant('session identifiers are base64, read leniently', 'Authentication: the form of sessionId is not said', {
    rules: {
      meanwhile: (_, { query }) => {
        if (query.sessionId) query.sessionId = Buffer.from(query.sessionId, 'base64').toString();
      },
    },
    middleware: [
      answering('portal.login', (body) => ({
        ...body,
        sessionId: Buffer.from(String(body.sessionId)).toString('base64'),
      })),
    ],
  }),
];
