/** The plan of a run: what it would send and change, measured by a dry run of the same selection against an embedded sandbox. */
import { operation } from '../contracts/operations.ts';
import type { Account, Rotated } from '../contracts/record.ts';
import { isObject, succeeded } from '../helpers/answer.ts';
import { amount } from '../helpers/cards/card-state.ts';
import { POOLS, readCard } from '../helpers/cards/pools.ts';
import { accountOf } from '../helpers/changes/account.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { Context } from '../helpers/context.ts';
import { reach } from '../helpers/runner/reach.ts';
import { runSuite } from '../helpers/runner/schedule.ts';
import { attempt } from '../helpers/verdict.ts';
import { AMPLE_LIMIT } from '../reports/breadth.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { suite } from '../suites/index.ts';
import { withRun } from './in-process.ts';
import { pointAt } from './target.ts';

/** What a run would send and change. */
export interface Plan {
  requests: number;
  /** Requests of each operation, and how many of those that change something a sound target accepts. */
  operations: { operation: string; requests: number; changes: number }[];
  account: Account;
  /** Number of requirements that it would judge. */
  selected: number;
  /** How many forms of what rotates it would try, of all that there are. */
  forms: { tried: number; of: number };
}

/** Makes the plan of a run. Nothing is sent to its target. */
export async function planOf(configuration: Configuration): Promise<Plan> {
  const { startSandbox } = await import('../sandbox/index.ts');
  const { cards = {} } = configuration.fixtures;
  const given = POOLS.flatMap((pool) => (cards[pool] ? [[pool, cards[pool].length] as const] : []));
  const sandbox = await startSandbox(configuration.target.embedded ? {} : { pools: Object.fromEntries(given) });
  try {
    const dry = dryRunOf(configuration, sandbox);
    return await withRun(dry, { rules: suite.rules, recordIn: undefined }, async (run) => {
      await reach(run);
      const outcomes = await runSuite(run, suite);
      const byOperation = Map.groupBy(run.answers, (answer) => answer.operation.id);
      return {
        requests: run.transport.stats().requests,
        operations: [...byOperation].map(([id, answers]) => ({
          operation: id,
          requests: answers.length,
          changes: operation(id).risk === 'safe' ? 0 : answers.filter(succeeded).length,
        })),
        account: accountOf(run),
        selected: new Set(outcomes.filter(({ verdict }) => verdict !== 'skipped').map((one) => one.requirement)).size,
        forms: formsIn(run.rotations.facts()),
      };
    });
  } finally {
    await sandbox.close();
  }
}

/** Limits of orders and CIP checks that leave room for every form of them. */
const AMPLE = { maxOrders: AMPLE_LIMIT, maxCipChecks: AMPLE_LIMIT };

/** The plan of a run with ample limits of orders and CIP checks; undefined where its own limits are no smaller. */
export async function amplePlanOf(configuration: Configuration): Promise<Plan | undefined> {
  const { maxOrders, maxCipChecks } = configuration.run;
  if (maxOrders >= AMPLE.maxOrders && maxCipChecks >= AMPLE.maxCipChecks) return undefined;
  return planOf({ ...configuration, run: { ...configuration.run, ...AMPLE } });
}

const formsIn = (rotated: readonly Rotated[]): Plan['forms'] => ({
  tried: rotated.reduce((sum, { tried }) => sum + tried.length, 0),
  of: rotated.reduce((sum, { forms }) => sum + forms, 0),
});

/** The same run against a sandbox: with the same addresses, claims and fixtures given, and as fast as that answers. */
function dryRunOf(configuration: Configuration, sandbox: Pick<Sandbox, 'environment' | 'fixtures'>): Configuration {
  const { target, run, fixtures } = configuration;
  const pointed = pointAt(configuration, sandbox);
  const quick = { ...run, settleMs: 0, rate: 0, waitForExpiry: false, bail: false };
  if (target.embedded) return { ...pointed, run: quick };
  const own = pointed.target;
  const needsToken = target.baseUrl !== undefined && target.authUrl === undefined;
  return {
    run: quick,
    target: {
      ...own,
      authUrl: target.authUrl || needsToken ? own.authUrl : undefined,
      baseUrl: target.baseUrl && own.baseUrl,
      portalUrl: target.portalUrl && own.portalUrl,
      testClockUrl: target.testClockUrl && own.testClockUrl,
      operations: [...target.operations, ...(needsToken ? ['-token.issue', '-token.authorize'] : [])],
      // What is meant for the target is not sent to others.
      accessToken: undefined,
      portalSessionId: undefined,
      headers: {},
      clientCert: undefined,
      clientKey: undefined,
    },
    fixtures: {
      ...(keysOf(pointed.fixtures, fixtures) as Configuration['fixtures']),
      ...(fixtures.cards && {
        cards: {
          ...(keysOf(pointed.fixtures.cards, fixtures.cards) as Configuration['fixtures']['cards']),
          ...(fixtures.cards.transferAmounts && { transferAmounts: fixtures.cards.transferAmounts }),
        },
      }),
    },
  };
}

/** Of a value those keys, at any depth, that another has; of a list as many items. */
function keysOf(value: unknown, given: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(given)) return value.slice(0, given.length);
  if (!isObject(value) || !isObject(given)) return value;
  const keys = Object.keys(value).filter((key) => given[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [key, keysOf(value[key], given[key])]));
}

/** A card of the fixtures file as it is now; undefined readings could not be read. */
export interface PlannedCard {
  pool: string;
  identifier: string;
  status: string | undefined;
  /** In units. */
  balance: number | undefined;
}

/** Number of cards of each pool that are read. */
const MOST_READ = 20;

/**
 * Reads the cards of the target's pools.
 * @throws Error with the reasons where none of the configured interfaces can be used
 */
export async function readPools(configuration: Configuration): Promise<PlannedCard[]> {
  return withRun(configuration, { rules: [], recordIn: undefined }, async (run) => {
    const { reached, blocked } = await reach(run);
    if (reached.length === 0) throw new Error([...blocked.values()].map(({ reason }) => reason).join('; '));
    if (!reached.includes('v3')) return [];
    const context = new Context(run, 'plan');
    const { cards = {} } = configuration.fixtures;
    const listed = POOLS.flatMap((pool) =>
      (cards[pool] ?? []).slice(0, MOST_READ).map((identifier) => ({ pool, identifier })),
    );
    return Promise.all(
      listed.map(async ({ pool, identifier }) => {
        const read = () =>
          readCard(pool, identifier, (id, input) => context.call(id, input, { intent: 'refusable' }), true);
        const { value: card } = await attempt(read);
        const balance = card?.balance === undefined ? undefined : amount(card.balance);
        return { pool, identifier, status: card?.status, balance };
      }),
    );
  });
}
