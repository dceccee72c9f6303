/** Sound implementations with rules of their own for any request: nonces, replicas that lag, one request at a time, searches, and forms of texts. */
import { memory, refusing } from '../changed-sandbox.ts';
import { BUSINESS, remembering, rule } from './v3-rule.ts';
import { answered, type Variant, variant } from './variant.ts';

/** Answers of reading operations as they were some time ago, by every second reading: replicas that lag. */
function lagging(milliseconds: number): Variant {
  const historiesIn = memory(() => new Map<string, { at: number; body: unknown }[]>());
  return answered(
    `every second reading is by a replica that lags by ${milliseconds} ms`,
    (answer, { operation, request, world }) => {
      const isReading = ['cards.getBalance', 'cards.getStatus', 'cards.get'].includes(operation);
      if (!isReading || answer.status !== 200 || Object.keys(request.query).length > 0) return undefined;
      const key = `${operation} ${request.params.identifier}`;
      const history = historiesIn(world).get(key) ?? [];
      historiesIn(world).set(key, [...history, { at: performance.now(), body: answer.body }]);
      if (request.callNumber % 2 === 0) return undefined;
      const past = history.findLast(({ at }) => performance.now() - at <= milliseconds && performance.now() - at > 0);
      const old = history.find(({ at }) => performance.now() - at <= milliseconds) ?? past;
      return old ? { ...answer, body: old.body } : undefined;
    },
    {
      basis: 'consistency: not shown; RUN_SETTLE_MS says how long an effect may take to show',
      run: { settleMs: milliseconds + 200 },
    },
  );
}

/** A gateway refuses everything for a moment after every twentieth bad token. */
function lockedAfterBadTokens(): Variant {
  const LOCKED_MS = 100;
  let badTokens = 0;
  let lockedUntil = 0;
  return variant(
    'cards and users: everything is refused for 100 ms after each twenty bad tokens',
    BUSINESS,
    {
      middleware: [
        ({ status }, { operation }) => {
          const isBadToken = status === 401 && !operation.startsWith('portal.');
          if (isBadToken && ++badTokens % 20 === 0) lockedUntil = performance.now() + LOCKED_MS;
          return undefined;
        },
      ],
      rules: {
        ...refusing(
          { kind: 'state', name: 'locked' },
          ({ operation }) => performance.now() < lockedUntil && !operation.startsWith('portal.'),
        ),
        refusalStatus: ({ name }, byDefault) => (name === 'locked' ? 403 : byDefault),
      },
    },
    { standsAlone: true },
  );
}

export const requestRuleVariants: readonly Variant[] = [
  rule(
    'a newer listing of customers ends earlier continuation tokens',
    'continuationToken: how long it holds is not shown',
    {
      alsoRefuses: remembering(
        () => ({ latest: '' }),
        (memory, { operation, query, url }) => {
          if (operation !== 'users.list') return undefined;
          const listing = `${query.max} ${query.name} ${query.parentIdentifier} ${query.v1Identifier}`;
          if (query.token === undefined) memory.latest = listing;
          return query.token !== undefined && memory.latest !== listing
            ? { kind: 'continuation', name: url }
            : undefined;
        },
      ),
    },
  ),
  rule(
    'a continuation token is known a little later than it is given',
    'continuationToken: when it holds is not shown',
    {
      continuationToken: (_state, byDefault) => `${byDefault}.${crypto.randomUUID()}`,
      alsoRefuses: remembering(
        () => ({ known: new Set<string>() }),
        ({ known }, { operation, query: { token } }) => {
          if (operation !== 'users.list' || token === undefined || known.has(token)) return undefined;
          known.add(token);
          return { kind: 'continuation', name: token };
        },
      ),
    },
  ),
  lagging(150),
  lockedAfterBadTokens(),
];
