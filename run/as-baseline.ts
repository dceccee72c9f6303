/** Tries what would be a regression in the forms of the baseline, where it failed by others: those tell whether the target changed (reading 52). */
import { digested } from '../contracts/past.ts';
import { type Conformance, EVERY_EXCHANGE } from '../contracts/record.ts';
import { requirementById } from '../contracts/requirements/index.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { RunFacts } from '../helpers/run.ts';
import type { Outcome } from '../helpers/runner/outcome.ts';
import { reach } from '../helpers/runner/reach.ts';
import { runSuite } from '../helpers/runner/schedule.ts';
import { mergeAccounts, mergePools } from '../reports/merge.ts';
import { isTriedAgain, type Tried, triedOf } from '../reports/tried.ts';
import { requirementVerdict } from '../reports/verdicts.ts';
import { suite } from '../suites/index.ts';
import { withRun } from './in-process.ts';

/** Number of requirements that are tried again: a run has few requests left, and each takes as many as a run of it alone. */
const MOST = 3;
/** Limit of the time that it takes, in minutes. */
const MOST_MINUTES = 2;
/** Number of exchanges of a failure whose checks are repeated, where every exchange is judged. */
const DECIDING = 3;

/** What a run found, and what is known of it besides. */
interface Found {
  outcomes: readonly Outcome[];
  facts: RunFacts;
}

/**
 * Carries out another run, of the musts that passed in the baseline and failed by forms that it did not try, in the forms that it did try. Its
 * exchanges and changes follow those of the run that found that, which is over.
 * @param recordIn the report directory; undefined to record nothing
 * @returns the facts of both, with what it showed
 */
export async function triedAsBaseline(
  configuration: Configuration,
  { outcomes, facts }: Found,
  recordIn: string | undefined,
): Promise<RunFacts> {
  const { run, target, fixtures } = configuration;
  const failed = facts.ended === undefined && run.before ? newToUs({ outcomes, facts }, run.before) : [];
  if (failed.length === 0) return facts;
  const { startedAt, rotated } = run.before!;
  const only = failed.flatMap((id) => [id, ...makersOf(outcomes, id)]);
  const again = { ...run, ...limitsAfter(run, facts), only: [...new Set(only)], as: run.baseline, past: [rotated] };
  const how = { rules: suite.rules, recordIn, isContinued: true };
  const done = await withRun({ target, fixtures, run: again }, how, async (following) => {
    await reach(following);
    return { following, outcomes: await runSuite(following, suite) };
  });
  const found = Map.groupBy(done.outcomes, ({ requirement }) => requirement);
  const { requests, rotated: tried, plainlyFailed, account, pools } = done.following.facts();
  const [now, then] = [triedOf(tried.map(digested), plainlyFailed), triedOf(rotated)];
  const verdicts = failed.map((requirement) => ({ requirement, verdict: requirementVerdict(found.get(requirement)!) }));
  return {
    ...facts,
    requests: facts.requests + requests,
    pools: mergePools([...facts.pools, ...pools]),
    account: facts.account && account && mergeAccounts([facts.account, account]),
    // What fails by yet other forms says nothing of those of the baseline.
    asBaseline: {
      startedAt,
      verdicts: verdicts.filter((one) => one.verdict !== 'failed' || isTriedAgain(one.requirement, now, then)),
    },
  };
}

/** The musts that passed in the baseline, and failed by forms alone that it did not try; the first few. */
function newToUs({ outcomes, facts }: Found, before: NonNullable<Configuration['run']['before']>): string[] {
  const [now, then]: [Tried, Tried] = [
    triedOf(facts.rotated.map(digested), facts.plainlyFailed),
    triedOf(before.rotated),
  ];
  return [...Map.groupBy(outcomes, ({ requirement }) => requirement)]
    .filter(([id, own]) => requirementById(id).level === 'must' && requirementVerdict(own) === 'failed')
    .map(([id]) => id)
    .filter((id) => before.passed.includes(id) && !isTriedAgain(id, now, then))
    .slice(0, MOST);
}

/** The requirements whose checks made what shows a failure, where every exchange is judged. */
function makersOf(outcomes: readonly Outcome[], id: string): string[] {
  const isOf = ({ requirement, name, verdict }: Outcome) =>
    requirement === id && name === EVERY_EXCHANGE && verdict === 'failed';
  const deciding = outcomes.filter(isOf).flatMap(({ exchanges }) => exchanges.slice(0, DECIDING));
  return outcomes
    .filter(({ name, exchanges }) => name !== EVERY_EXCHANGE && deciding.some((one) => exchanges.includes(one)))
    .map(({ requirement }) => requirement)
    .slice(0, DECIDING);
}

/** What a run leaves of its limits for another. */
function limitsAfter(
  { maxOrders, maxCipChecks, maxLoss, maxMinutes }: Configuration['run'],
  { account }: Pick<Conformance['run'], 'account'>,
) {
  const left = (limit: number, used = 0) => Math.max(0, limit - used);
  return {
    maxOrders: left(maxOrders, account?.orders),
    maxCipChecks: left(maxCipChecks, account?.cipChecks),
    maxLoss: left(maxLoss, account?.money.missing),
    maxMinutes: Math.min(maxMinutes, MOST_MINUTES),
  };
}
