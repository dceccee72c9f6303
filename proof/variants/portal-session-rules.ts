/** Sound portals with rules of their own for logins and sessions. */
import type { OperationId, SandboxOptions } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import { answering, memory } from '../changed-sandbox.ts';
import { CIP, ORDER, oneAtATime, otherBody, ownRule, portalRule } from './portal-rule.ts';
import type { Variant } from './variant.ts';

/** An ended session still works for a while on one operation, whose server learns of it later. */
function lateOn(operation: OperationId, milliseconds: number): SandboxOptions {
  const endsIn = memory(() => new Map<string, number>());
  let ends: Map<string, number> = new Map();
  return {
    rules: {
      meanwhile: (world, { operation: called, query }) => {
        ends = endsIn(world);
        if (called === 'portal.logout' && query.sessionId && !ends.has(query.sessionId))
          ends.set(query.sessionId, performance.now());
      },
      enforces: ({ kind, name, request }) => {
        const ended = ends.get(request.query.sessionId ?? '');
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
  const begunIn = memory(() => new Map<string, number>());
  let served = 0;
  return {
    rules: {
      alsoRefuses: ({ operation, query }, world) => {
        const begun = begunIn(world).get(query.sessionId ?? '') ?? 0;
        const isLate = performance.now() < begun + KNOWN_AFTER_MS && ++served % nodes === 0;
        return operation !== 'portal.login' && isLate ? { kind: 'session', name: 'invented' } : undefined;
      },
    },
    ...answering('portal.login', ({ sessionId }, { world }) => {
      begunIn(world).set(String(sessionId), performance.now());
    }),
  };
}

/** Session identifiers are read as bytes that may be written in more ways than one. */
const sessionsIn = (
  name: string,
  encoding: 'hex' | 'base64',
  isMeant: (sessionId: string) => boolean = () => true,
): Variant =>
  portalRule(`session identifiers are ${name}`, 'Authentication: the form of sessionId is not said', {
    rules: {
      meanwhile: (_, { query }) => {
        if (query.sessionId && isMeant(query.sessionId))
          query.sessionId = Buffer.from(query.sessionId, encoding).toString();
      },
    },
    ...otherBody('portal.login', (body) => ({
      ...body,
      sessionId: Buffer.from(String(body.sessionId)).toString(encoding),
    })),
  });

/** A firewall before the portal refuses what looks like an attack. */
const firewall: Partial<Rules> = {
  ...ownRule(
    ({ query: { sessionId = '', loginID = '', password = '' } }) =>
      [sessionId, loginID, password].some((value) => value === '%' || value.includes("' OR '")),
    403,
  ),
  judgesSessionLast: () => true,
};

export const sessionRuleVariants: readonly Variant[] = [
  portalRule('no login while the user has a session', 'Authentication: how many sessions a user has is not said', {
    rules: { mostSessionsPerUser: 1 },
  }),
  ...(['portal.getATMLocation', 'portal.getCustomerList', CIP, ORDER] as const).map((operation) =>
    portalRule(
      `${operation} learns late that a session has ended`,
      'States and transitions: how soon an end shows is not said',
      lateOn(operation, 100),
      { run: { settleMs: 200 } },
    ),
  ),
  ...[1, 2].map((nodes) =>
    portalRule(
      `a session is known to all operations a moment after its login${nodes > 1 ? ', to the first of two nodes at once' : ''}`,
      'States and transitions: how soon a session shows is not said',
      knownLate(nodes),
      { run: { settleMs: 200 } },
    ),
  ),
  ...[4, 20260].map((seed) =>
    portalRule(
      `a firewall refuses what looks like an attack (seed ${seed})`,
      'Errors: 403 is "understood but refused"',
      { rules: firewall },
      { run: { seed, thorough: true } },
    ),
  ),
  portalRule(
    'one login at a time',
    'login: requests at the same moment are not spoken of',
    oneAtATime(({ operation }) => (operation === 'portal.login' ? '' : undefined), 400),
  ),
  sessionsIn('hexadecimal, in any case of letters', 'hex', (sessionId) => /^[0-9a-f]+$/i.test(sessionId)),
  sessionsIn('base64, read leniently', 'base64'),
];
