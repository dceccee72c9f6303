/**
 * From checks to the verdict of a requirement, from requirements to the summary of a run, from the summary to the exit code.
 */
import {
  type CheckResult,
  type Conformance,
  type Counts,
  LEVELS,
  type RequirementResult,
  VERDICTS,
  type Verdict,
} from '../contracts/record.ts';
import { isSelected } from './selection.ts';

export type Summary = Conformance['summary'];

/**
 * The verdict of a requirement: that of its worst check. Without checks it is skipped; if all checks passed without any
 * exchange, nothing has been shown, so it is inconclusive.
 */
export function requirementVerdict(checks: readonly Pick<CheckResult, 'verdict' | 'exchanges'>[]): Verdict {
  if (checks.length === 0) return 'skipped';
  const worst = VERDICTS.find((verdict) => checks.some((check) => check.verdict === verdict))!;
  const seen = checks.some((check) => check.exchanges.length > 0);
  return worst === 'passed' && !seen ? 'inconclusive' : worst;
}

/** The counts of what the run chose to try, where that is not everything. */
export function countsOfSelection({
  summary,
  requirements,
}: Pick<Conformance, 'summary' | 'requirements'>): Pick<Summary, 'must' | 'should'> {
  const selected = requirements.filter(isSelected);
  return selected.length === requirements.length ? summary : summarise(selected);
}

/** Whether the requirement's failure is a known one that has not expired. */
export function isKnownFailure(requirement: Pick<RequirementResult, 'verdict' | 'known'>): boolean {
  return requirement.verdict === 'failed' && requirement.known?.state === 'known';
}

/**
 * The summary of a run. Requirements out of scope count only in `outOfScope`; unselected ones count as skipped, and do not
 * make the run partial. A known failure is still a failure of the target: the verdict is nonconformant, but the exit
 * code is not 1.
 *
 * @param complete false when the run was out of time or interrupted
 */
export function summarise(requirements: readonly RequirementResult[], complete = true): Summary {
  const summary: Summary = { verdict: 'conformant', partial: false, must: noCounts(), should: noCounts() };
  for (const requirement of requirements) {
    const counts = summary[requirement.level];
    if (!requirement.inScope) counts.outOfScope++;
    else if (isKnownFailure(requirement)) counts.knownFailed++;
    else counts[requirement.verdict]++;
  }
  summary.partial = mustsInScope(requirements).some(
    (requirement) => ['skipped', 'inconclusive'].includes(requirement.verdict) && isSelected(requirement),
  );
  const { must } = summary;
  if (must.failed + must.knownFailed > 0) summary.verdict = 'nonconformant';
  else if (!complete || must.blocked > 0 || must.passed === 0) summary.verdict = 'incomplete';
  return summary;
}

/**
 * The exit code of a run, by its record.
 *
 * @param regressions ids of the musts that passed in the baseline and no longer do; undefined without a baseline
 */
export function exitCode(
  conformance: Pick<Conformance, 'run' | 'summary' | 'requirements'>,
  regressions?: readonly string[],
): 0 | 1 | 2 | 3 | 130 {
  const { run, summary, requirements } = conformance;
  if (run.interrupted) return 130;
  if (run.outOfReach?.length || LEVELS.every((level) => tried(summary[level]) === 0)) return 2;
  const musts = mustsInScope(requirements);
  const outdated = musts.some(({ known }) => known !== null && known.state !== 'known');
  const regressed = musts.some((one) => regressions?.includes(one.id) && !isKnownFailure(one));
  const byRegressions = run.failOn === 'regressions' && regressions !== undefined;
  if (byRegressions ? regressed : summary.must.failed > 0 || outdated) return 1;
  if (!run.complete || summary.must.blocked > 0 || summary.must.passed === 0) return 3;
  return 0;
}

const noCounts = (): Counts => ({
  passed: 0,
  failed: 0,
  knownFailed: 0,
  skipped: 0,
  inconclusive: 0,
  blocked: 0,
  notApplicable: 0,
  outOfScope: 0,
});

const mustsInScope = (requirements: readonly RequirementResult[]) =>
  requirements.filter((requirement) => requirement.inScope && requirement.level === 'must');

/** Number of requirements of a level that the run tried, or wanted to try and could not. */
const tried = ({ passed, failed, knownFailed, inconclusive, blocked, notApplicable }: Counts): number =>
  passed + failed + knownFailed + inconclusive + blocked + notApplicable;
