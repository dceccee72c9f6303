/** Puts the verdict and counts of a run into words, for every report. */
import type { Conformance, Counts } from '../contracts/record.ts';
import { count, duration, visible } from './text.ts';

/** The names of the counts, in the order of the reports. */
export const COUNTS: readonly (readonly [keyof Counts, string])[] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['knownFailed', 'known'],
  ['skipped', 'skipped'],
  ['inconclusive', 'inconclusive'],
  ['blocked', 'blocked'],
  ['notApplicable', 'not applicable'],
  ['outOfScope', 'out of scope'],
];

/** The verdict in one sentence, without the target's name. */
export function verdictInWords({ summary, run }: Pick<Conformance, 'summary' | 'run'>): string {
  const { failed, knownFailed, passed, blocked, skipped, inconclusive } = summary.must;
  if (summary.verdict === 'nonconformant') {
    const known = knownFailed > 0 ? `, ${knownFailed} of them as known` : '';
    return `${count(failed + knownFailed, 'must requirement')} failed${known}`;
  }
  const none = `${count(passed, 'must requirement')} passed, none failed`;
  if (!run.complete) return `${none}; the run was not completed`;
  if (blocked > 0) return `${none}; ${blocked} could not be tried`;
  return summary.partial ? `${none}; partial, since ${skipped + inconclusive} could not be judged` : none;
}

/** A run in one line: risk, selection, seed, requests, time, suite. */
export function runInWords({ run, suite }: Pick<Conformance, 'run' | 'suite'>): string {
  return [
    `risk ${run.risk}`,
    run.selection === 'all' ? 'all requirements' : visible(run.selection),
    `seed ${run.seed}`,
    count(run.requests, 'request'),
    duration(run.durationMs),
    visible(`${suite.name} ${suite.version}, catalogue ${suite.catalogueDigest.slice(0, 12)}`),
  ].join(' · ');
}

/** The operations that TARGET_OPERATIONS selects, in one sentence; empty if the target claims all. */
export function claimInWords({ run: { operations = [] } }: Pick<Conformance, 'run'>): string {
  const excluded = operations.filter((pattern) => pattern.startsWith('-')).map((pattern) => pattern.slice(1));
  const included = operations.filter((pattern) => !pattern.startsWith('-'));
  if (operations.length === 0) return '';
  const only = included.length > 0 ? `these operations only: ${included.join(', ')}` : 'all operations';
  const but = excluded.length > 0 ? `${included.length > 0 ? ', ' : ' '}but not ${excluded.join(', ')}` : '';
  return visible(`The target claims ${only}${but} (TARGET_OPERATIONS)`);
}

/** The target's name and version. */
export function targetInWords({ target }: Pick<Conformance, 'target'>): string {
  return visible(`${target.name} ${target.version}`.trim());
}
