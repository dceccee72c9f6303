/** Assembles conformance.json from the outcomes of checks. */
import { createHash } from 'node:crypto';
import type { CheckResult, Conformance, RequirementResult, Suspected, Verdict } from '../contracts/record.ts';
import { exclusions, type Requirement, requirements } from '../contracts/requirements/index.ts';
import { configuredRedactor } from '../helpers/configuration/redactor.ts';
import { requirementInScope } from '../helpers/configuration/scope.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Unplayed } from '../helpers/evidence/rotations.ts';
import { name, version } from '../helpers/manifest.ts';
import type { RunFacts } from '../helpers/run.ts';
import { concluded, type Outcome } from '../helpers/runner/outcome.ts';
import type { Reachability } from '../helpers/runner/reach.ts';
import { asRedacted } from '../redaction/types.ts';
import { selectionText } from '../reports/selection.ts';
import { requirementVerdict, summarise } from '../reports/verdicts.ts';
import { markKnownFailures } from './known-failures.ts';

/** Digest of the catalogue, to show whether two runs used the same requirements. */
const catalogueDigest = createHash('sha256').update(JSON.stringify(requirements)).digest('hex').slice(0, 16);

/** This suite, as records name it. */
export const SUITE: Conformance['suite'] = { name, version, catalogueDigest };

/** The facts of a run about which nothing is known. */
export const NO_FACTS: RunFacts = {
  requests: 0,
  observations: [],
  rotated: [],
  plainlyFailed: [],
  suspected: [],
  readings: [],
  unplayed: [],
  absent: [],
  seen: [],
  cardStates: undefined,
  notes: [],
  defects: [],
  pools: [],
  settled: undefined,
  account: undefined,
  fixtures: [],
  ended: undefined,
  interrupted: false,
};

/** The results of a run. */
export interface Findings {
  startedAt: Date;
  finishedAt: Date;
  outcomes: readonly Outcome[];
  facts: RunFacts;
  /** Where the exchanges come from; by default the run asked the target. */
  source?: NonNullable<Conformance['run']['source']>;
  /** Which of the configured interfaces could be used. */
  reachability: Reachability;
  /** The test runner's own selection of checks, besides `--only` and `--shard`. */
  selection?: string | undefined;
}

/** Assembles the record of a run. It holds every requirement of the catalogue exactly once, whatever was selected. */
export function assemble(configuration: Configuration, findings: Findings): Conformance {
  const { target, run } = configuration;
  const redactor = configuredRedactor(configuration);
  const { startedAt, finishedAt, facts } = findings;
  const byRequirement = Map.groupBy(concluded(findings.outcomes), (outcome) => outcome.requirement);
  for (const unplayed of facts.unplayed) {
    const outcomes = byRequirement.get(unplayed.requirement);
    if (outcomes?.length && requirementVerdict(outcomes) === 'passed') outcomes.push(outcomeOfUnplayed(unplayed));
  }
  const results = requirements.map((requirement) =>
    resultOf(configuration, requirement, byRequirement.get(requirement.id) ?? [], facts.ended),
  );
  markKnownFailures(results, run.knownFailures, finishedAt, run.shard === undefined);
  const incompleteBecause = [facts.ended, ...facts.defects].filter((reason) => reason !== undefined).join('; ');
  const complete = incompleteBecause === '';
  const outOfReach = reasonsOutOfReach(findings.reachability);
  return {
    schemaVersion: 1,
    suite: SUITE,
    // Reports show the name everywhere, and the history names a file after it.
    target: {
      name: redactor.sentence(target.name),
      version: redactor.sentence(target.version),
      embedded: target.embedded,
    },
    run: {
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      durationMs: finishedAt.getTime() - startedAt.getTime(),
      risk: run.risk,
      seed: run.seed,
      selection: findings.selection ?? selectionText(run.only, run.shard),
      complete,
      requests: facts.requests,
      source: findings.source ?? 'target',
      options: run.repeated,
      knownFailures: run.knownFailures,
      failOn: run.failOn,
      ...(outOfReach.length > 0 ? { outOfReach } : {}),
      ...(complete ? {} : { interrupted: facts.interrupted, incompleteBecause }),
      operations: target.operations,
      absent: facts.absent,
      seen: facts.seen,
      ...(facts.cardStates && { cardStates: facts.cardStates }),
      fixtures: facts.fixtures,
      pools: facts.pools,
      ...(facts.account && { account: facts.account }),
      ...(facts.settled && { settled: facts.settled }),
      rotated: facts.rotated.toSorted((a, b) => (a.subject < b.subject ? -1 : 1)),
      plainlyFailed: facts.plainlyFailed,
      ...(facts.asBaseline && { asBaseline: facts.asBaseline }),
      suspected: unconfirmed(facts.suspected, results),
      readings: facts.readings,
      notes: facts.notes,
    },
    summary: summarise(results, complete),
    requirements: results,
    excluded: exclusions.map(({ id, text, reason, source }) => ({ id, text, reason, source })),
    observations: facts.observations.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** What was suspected of requirements that did not fail. What a scenario suspected is the matter of its checks. */
function unconfirmed(suspected: readonly Suspected[], results: readonly RequirementResult[]): Suspected[] {
  const open = new Set(results.filter(({ inScope, verdict }) => inScope && verdict !== 'failed').map(({ id }) => id));
  return suspected.filter(({ requirement }) => open.has(requirement));
}

/** The name of the outcome that stands for what failed in an earlier run and was not tried again. */
export const FAILED_BEFORE = 'what failed in an earlier run';

/** What failed in an earlier run and was not tried again keeps a requirement from being seen as kept (reading 52). */
const outcomeOfUnplayed = ({ requirement, what }: Unplayed): Outcome => ({
  requirement,
  name: FAILED_BEFORE,
  verdict: 'inconclusive',
  message: asRedacted(
    `it failed in an earlier run${what === undefined ? '' : ` by ${what}`}, which this one could not try again: a limit was reached, something that it needs is gone, or it was not selected; it counts as kept once that was tried and passed`,
  ),
  durationMs: 0,
  exchanges: [],
});

function resultOf(
  configuration: Configuration,
  requirement: Requirement,
  outcomes: readonly Outcome[],
  ended: string | undefined,
): RequirementResult {
  const { id, level, text, source, operations } = requirement;
  const inScope = requirementInScope(configuration, requirement);
  // Sorted by name, not by time, so that the records of two runs can be compared as text.
  const checks = outcomes
    .map(({ requirement: _, ...check }): CheckResult => check)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const verdict = checks.length > 0 ? requirementVerdict(checks) : 'blocked';
  const leftOut = verdict === 'skipped' ? checks.find((check) => check.leftOut)?.leftOut : undefined;
  const retrial = verdict === 'failed' ? checks.find((check) => check.verdict === 'failed')?.retrial : undefined;
  const reason = checks.length > 0 ? reasonOf(verdict, checks) : (ended ?? 'not tried before the run ended');
  return {
    id,
    level,
    text,
    inScope,
    source,
    operations: [...operations],
    verdict,
    reason,
    known: null,
    ...(leftOut ? { leftOut } : {}),
    ...(retrial ? { retrial } : {}),
    checks,
  };
}

/** The messages of the deciding checks, without duplicates. */
function reasonOf(verdict: Verdict, checks: readonly CheckResult[]): string {
  const deciding = checks.filter((check) => check.verdict === verdict && check.message !== '');
  return [...new Set(deciding.map((check) => check.message))].join('; ');
}

/** Why no configured interface could be used; empty if one could, or gave an answer that is judged. */
function reasonsOutOfReach({ reached, blocked }: Reachability): string[] {
  const all = [...blocked.values()];
  if (reached.length > 0 || !all.every(({ outOfReach }) => outOfReach)) return [];
  return [...new Set(all.map(({ reason }) => reason))];
}
