/** Puts the verdict and counts of a run into words, for every report. */
import type { Conformance, Counts } from '../contracts/record.ts';
import { count, duration, some, visible } from './text.ts';
import { unseen } from './unseen.ts';

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

/** That the embedded sandbox was judged, which says nothing of a target; empty if it was not. */
export const sandboxInWords = ({ target }: Pick<Conformance, 'target'>): string =>
  target.embedded ? 'The embedded sandbox was judged, not a target' : '';

/** Number of reasons that the beginning of a report names. */
const MOST_HINDRANCES = 3;

/** What prevented the run as a whole or a part of it, most requirements first: what it is called, and why. */
export function hindrances({ run, requirements }: Pick<Conformance, 'run' | 'requirements'>): [string, string][] {
  const ended = run.incompleteBecause ?? '';
  const blocked = unseen({ requirements }).filter(({ kind, reason }) => kind === 'blocked' && !ended.includes(reason));
  return [
    ...(ended ? [['not complete', ended] as [string, string]] : []),
    ...blocked
      .slice(0, MOST_HINDRANCES)
      .map((one): [string, string] => [
        'could not be tried',
        `${count(one.requirements.length, 'requirement')}, since ${one.reason}`,
      ]),
  ];
}

/** How those who read reports call what exchanges come from, where no run made them. */
const SOURCES = { recording: 'recorded traffic', proxy: 'traffic through the proxy' };

/** A run in one line: risk or source, selection, seed, requests, time, suite. */
export function runInWords({ run, suite }: Pick<Conformance, 'run' | 'suite'>): string {
  const { source = 'target' } = run;
  const isOwn = source === 'target';
  return [
    isOwn ? `risk ${run.risk}` : SOURCES[source],
    run.selection === 'all' ? 'all requirements' : visible(run.selection),
    ...(isOwn ? [`seed ${run.seed}`] : []),
    count(run.requests, isOwn ? 'request' : 'exchange'),
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

/** Number of operations that one line names. */
const NAMED = 8;

/** What was seen of traffic that others made, in one sentence; empty for a run of the suite's own. */
export function seenInWords({
  run: { source = 'target', seen = [] },
  requirements,
}: Pick<Conformance, 'run' | 'requirements'>): string {
  if (source === 'target') return '';
  const called = new Set(seen.map(({ operation }) => operation));
  const all = new Set([...called, ...requirements.filter(({ inScope }) => inScope).flatMap((one) => one.operations)]);
  const judged = requirements.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed').length;
  const unseen = [...all].filter((operation) => !called.has(operation));
  const but = unseen.length > 0 ? `; never called: ${some(unseen, NAMED)}` : '';
  return visible(
    `Seen: ${called.size} of ${all.size} operations in scope, by which ${count(judged, 'requirement')} could be judged${but}`,
  );
}
