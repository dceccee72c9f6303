/** From the outcomes of checks to conformance.json. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CheckResult, Conformance, KnownFailure, RequirementResult, Verdict } from '../contracts/record.ts';
import { exclusions, type Requirement, requirements } from '../contracts/requirements/index.ts';
import { matches } from '../helpers/configuration/pattern.ts';
import { requirementInScope } from '../helpers/configuration/scope.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Outcome } from '../helpers/runner/execute.ts';
import type { Particulars } from '../helpers/runner/worker-channel.ts';
import { selectionText } from '../reports/selection.ts';
import { requirementVerdict, summarise } from '../reports/verdicts.ts';

const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  name: string;
  version: string;
};

/** Digest of the catalogue: the same for the same requirements. */
export const catalogueDigest = createHash('sha256').update(JSON.stringify(requirements)).digest('hex').slice(0, 16);

export interface Ending {
  startedAt: Date;
  finishedAt: Date;
  outcomes: readonly Outcome[];
  particulars: Particulars;
}

/** The record of a run. Every requirement of the catalogue stands in it exactly once, whatever was selected. */
export function assemble(configuration: Configuration, ending: Ending): Conformance {
  const { target, run } = configuration;
  const { startedAt, finishedAt, particulars } = ending;
  const byRequirement = Map.groupBy(ending.outcomes, (outcome) => outcome.requirement);
  const results = requirements.map((requirement) =>
    resultOf(configuration, requirement, byRequirement.get(requirement.id) ?? [], particulars.ended),
  );
  markKnownFailures(results, run.knownFailures, finishedAt);
  const complete = particulars.ended === undefined;
  return {
    schemaVersion: 1,
    suite: { name, version, catalogueDigest },
    target: { name: target.name, version: target.version, embedded: target.embedded },
    run: {
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      durationMs: finishedAt.getTime() - startedAt.getTime(),
      risk: run.risk,
      seed: run.seed,
      selection: selectionText(run.only, run.shard),
      complete,
      requests: particulars.requests,
      ...(complete ? {} : { incompleteBecause: particulars.ended }),
      operations: target.operations,
      fixtures: particulars.fixtures,
      pools: particulars.pools,
      notes: particulars.notes,
    },
    summary: summarise(results, complete),
    requirements: results,
    excluded: exclusions.map(({ id, text, reason, source }) => ({ id, text, reason, source })),
    observations: particulars.observations.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

function resultOf(
  configuration: Configuration,
  requirement: Requirement,
  outcomes: readonly Outcome[],
  ended: string | undefined,
): RequirementResult {
  const { id, level, text, source, operations } = requirement;
  const inScope = requirementInScope(configuration, requirement);
  const checks = outcomes.map(({ requirement: _, ...check }): CheckResult => check);
  const verdict = checks.length > 0 ? requirementVerdict(checks) : 'blocked';
  const reason = checks.length > 0 ? reasonOf(verdict, checks) : (ended ?? 'the run ended before it was tried');
  return { id, level, text, inScope, source, operations: [...operations], verdict, reason, known: null, checks };
}

/** The messages of the checks that decided, each once. */
function reasonOf(verdict: Verdict, checks: readonly CheckResult[]): string {
  const deciding = checks.filter((check) => check.verdict === verdict && check.message !== '');
  return [...new Set(deciding.map((check) => check.message))].join('; ');
}

/** A known failure is stale when nothing that it names fails any more; past its date it counts as any failure. */
function markKnownFailures(
  results: RequirementResult[],
  known: Configuration['run']['knownFailures'],
  today: Date,
): void {
  for (const { id: pattern, ...about } of known) {
    const named = results.filter((result) => result.inScope && matches(pattern, result.id));
    const failing = named.filter((result) => result.verdict === 'failed');
    const expired = about.expires !== undefined && about.expires < today.toISOString().slice(0, 10);
    const state: KnownFailure['state'] = expired ? 'expired' : 'known';
    for (const result of failing) result.known = { ...about, state };
    const kept = named.filter((result) => result.verdict === 'passed');
    if (failing.length === 0 && kept.length === named.length)
      for (const result of kept) result.known = { ...about, state: 'stale' };
  }
}
