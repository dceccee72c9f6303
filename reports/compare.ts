/** Compares two runs of the suite. */
import type { Conformance, Level, RequirementResult, Source, Verdict } from '../contracts/record.ts';
import { findings, fingerprints } from './causes.ts';
import { type Latency, latencies, slower } from './latency.ts';
import type { RunRecord } from './record.ts';
import { isSelected } from './selection.ts';
import { failsByMore, isTriedAgain, type Tried, triedIn } from './tried.ts';

/** A requirement whose verdict changed in meaning. */
export interface RequirementChange {
  id: string;
  level: Level;
  text: string;
  before: Verdict | 'out of scope';
  after: Verdict | 'out of scope';
  source: Source;
  /** The reason for the current verdict. */
  reason: string;
  /** The reason for the earlier verdict. */
  previousReason: string;
  /** What the earlier run found that made it fail, in the words of all that failed for the same cause; its reason if it did not fail. */
  previousFinding: string;
  /** Whether each run tried what it fails by in the other: else what was tried may have changed, and not the target. */
  isTriedInBoth: boolean;
  /** Whether the later run tried it in the forms of the earlier one, too, and saw it kept: it fails by others alone. */
  isKeptAsBefore: boolean;
  /** Why it is a known failure, if it is one. */
  known?: string;
}

/** A changed observation; null if one of two runs that tried the same has none with that id. */
export interface ObservationChange {
  id: string;
  operation: string;
  subject: string;
  before: string | null;
  after: string | null;
}

/** The latencies of an operation in both runs, in milliseconds. */
export interface LatencyChange {
  operation: string;
  before: Latency;
  after: Latency;
}

/** The parts of an earlier run that a later one is compared with. */
export interface Earlier {
  path: string;
  conformance: Conformance;
  latencies: ReadonlyMap<string, Latency>;
}

/** @throws RecordError when exchanges of the run cannot be read */
export const earlierOf = ({ path, conformance, exchanges }: RunRecord): Earlier => ({
  path,
  conformance,
  latencies: latencies(exchanges()),
});

/** One side of a comparison. */
export interface Side {
  path: string;
  target: Conformance['target'];
  suite: Conformance['suite'];
  startedAt: string;
  seed: number;
  selection: string;
  summary: Conformance['summary'];
}

/** The differences between two runs. */
export interface Comparison {
  before: Side;
  after: Side;
  /** Whether no requirement and no observation changed, disregarding latencies and changes of the suite's version. */
  unchanged: boolean;
  /** Ids of musts that passed and no longer do: failed, or no longer seen. */
  regressions: string[];
  newlyFailing: RequirementChange[];
  fixed: RequirementChange[];
  newlyNotSeen: RequirementChange[];
  newlySeen: RequirementChange[];
  /** Failing in both runs in the same way; with different seeds, in one of the same ways. */
  stillFailing: RequirementChange[];
  /** Failing in both runs, but in different ways. */
  failingDifferently: RequirementChange[];
  observations: ObservationChange[];
  latencies: LatencyChange[];
  /** Ids that only the later run's catalogue has. */
  appeared: string[];
  /** Ids that only the earlier run's catalogue has. */
  vanished: string[];
  /** Number of requirements that one of the runs did not select, and that are not compared. */
  notCompared: number;
}

/**
 * Compares two runs, requirement by requirement. Identifiers, times and numbers in messages are ignored, and so is the
 * order of anything. Not compared are requirements that one run excluded by choice (`--only`, `--shard`) and, since
 * another seed tries other forms (reading 52), observations made with only one of two seeds. Latencies are compared if
 * both runs have enough samples of an operation.
 *
 * @example
 * const { regressions } = compare(earlierOf(readRecord('reports/monday')), readRecord('reports/tuesday'));
 *
 * @throws RecordError when exchanges of a run cannot be read
 */
export function compare(before: Earlier, after: RunRecord): Comparison {
  const old = new Map(before.conformance.requirements.map((requirement) => [requirement.id, requirement]));
  const common = after.conformance.requirements.flatMap((now) => {
    const then = old.get(now.id);
    return then ? [{ then, now }] : [];
  });
  const pairs = common.filter(({ then, now }) => isSelected(then) && isSelected(now));
  const earlier = { findings: findingsIn(before.conformance), tried: triedIn(before.conformance) };
  const tried = triedIn(after.conformance);
  const again = verdictsAsIn(before.conformance, after.conformance);
  const select = (choose: (then: RequirementResult, now: RequirementResult) => boolean) =>
    pairs
      .filter(({ then, now }) => choose(then, now))
      .map(({ then, now }) => ({
        ...requirementChange(then, now),
        previousFinding: earlier.findings.get(now.id) ?? then.reason,
        isTriedInBoth:
          again.get(now.id) === 'failed' || isTriedInBoth({ of: then, tried: earlier.tried }, { of: now, tried }),
        isKeptAsBefore: again.get(now.id) === 'passed',
      }));

  const isSameSeed = before.conformance.run.seed === after.conformance.run.seed;
  const isSameFailure = isSameSeed ? failsAlike : failsPartlyAlike;
  const changes = {
    newlyFailing: select((then, now) => fails(now) && !fails(then)),
    fixed: select((then, now) => fails(then) && passes(now)),
    newlyNotSeen: select((then, now) => isSeen(then) && !isSeen(now)),
    newlySeen: select((then, now) => !isSeen(then) && passes(now)),
    stillFailing: select((then, now) => fails(then) && fails(now) && isSameFailure(then, now)),
    failingDifferently: select((then, now) => fails(then) && fails(now) && !isSameFailure(then, now)),
    observations: observationChanges(before.conformance, after.conformance),
  };
  const { stillFailing: _, ...differences } = changes;
  const ids = new Set(after.conformance.requirements.map(({ id }) => id));
  return {
    before: side(before),
    after: side(after),
    unchanged: Object.values(differences).every((list) => list.length === 0),
    regressions: pairs
      .filter(({ then, now }) => then.level === 'must' && now.level === 'must' && passes(then) && !passes(now))
      .map(({ now }) => now.id),
    ...changes,
    latencies: latencyChanges(before, after),
    appeared: [...ids].filter((id) => !old.has(id)),
    vanished: [...old.keys()].filter((id) => !ids.has(id)),
    notCompared: common.length - pairs.length,
  };
}

/** What was found in a run, by the id of each requirement that failed for that cause. */
function findingsIn(conformance: Conformance): Map<string, string> {
  const { failures, advice } = findings(conformance);
  return new Map(
    [...failures, ...advice].flatMap(({ message, requirements }) =>
      requirements.map(({ id }) => [id, message] as const),
    ),
  );
}

/** By id, what the later run showed of musts in the forms of the earlier one, if that was its baseline. */
function verdictsAsIn({ run: before }: Conformance, { run: { asBaseline } }: Conformance): Map<string, Verdict> {
  const verdicts = asBaseline?.startedAt === before.startedAt ? asBaseline.verdicts : [];
  return new Map(verdicts.map(({ requirement, verdict }) => [requirement, verdict]));
}

/** A requirement in a run, and what that tried of what rotates. */
interface InRun {
  of: RequirementResult;
  tried: Tried;
}

/** Whether what a requirement fails by in one of two runs was tried in both. */
function isTriedInBoth(then: InRun, now: InRun): boolean {
  if (!fails(now.of)) return !fails(then.of) || isTriedAgain(now.of.id, then.tried, now.tried);
  if (fails(then.of)) return failsByMore(now.of.id, then.tried, now.tried);
  const checked = new Set(then.of.checks.map(({ name }) => name));
  const failed = now.of.checks.filter(({ verdict }) => verdict === 'failed');
  const isChecked = failed.length === 0 || failed.some(({ name }) => checked.has(name));
  return passes(then.of) && isChecked && isTriedAgain(now.of.id, now.tried, then.tried);
}

const passes = ({ inScope, verdict }: RequirementResult): boolean => inScope && verdict === 'passed';
const fails = ({ inScope, verdict }: RequirementResult): boolean => inScope && verdict === 'failed';
const isSeen = (requirement: RequirementResult): boolean => passes(requirement) || fails(requirement);

const failsAlike = (then: RequirementResult, now: RequirementResult): boolean =>
  fingerprints(then).join() === fingerprints(now).join();
const failsPartlyAlike = (then: RequirementResult, now: RequirementResult): boolean =>
  fingerprints(then).some((fingerprint) => fingerprints(now).includes(fingerprint));

function requirementChange(
  then: RequirementResult,
  now: RequirementResult,
): Omit<RequirementChange, 'previousFinding' | 'isTriedInBoth' | 'isKeptAsBefore'> {
  const { id, level, text, source, reason, known } = now;
  const meaning = ({ inScope, verdict }: RequirementResult) => (inScope ? verdict : 'out of scope');
  return {
    id,
    level,
    text,
    source,
    before: meaning(then),
    after: meaning(now),
    reason,
    previousReason: then.reason,
    ...(known && { known: known.reason }),
  };
}

const side = ({
  path,
  conformance: { target, suite, run, summary },
}: Pick<RunRecord, 'path' | 'conformance'>): Side => ({
  path,
  target,
  suite,
  startedAt: run.startedAt,
  seed: run.seed,
  selection: run.selection,
  summary,
});

function observationChanges(before: Conformance, after: Conformance): ObservationChange[] {
  const then = new Map(before.observations.map((observation) => [observation.id, observation]));
  const now = new Map(after.observations.map((observation) => [observation.id, observation]));
  // Runs with different selections or seeds make different observations.
  const areAlike = before.run.selection === after.run.selection && before.run.seed === after.run.seed;
  return [...new Map([...then, ...now]).values()]
    .map(({ id, operation, subject }) => ({
      id,
      operation,
      subject,
      before: then.get(id)?.value ?? null,
      after: now.get(id)?.value ?? null,
    }))
    .filter(({ before, after }) => before !== after && (areAlike || (before !== null && after !== null)));
}

function latencyChanges(before: Earlier, after: RunRecord): LatencyChange[] {
  const now = latencies(after.exchanges());
  return [...before.latencies].flatMap(([operation, then]) => {
    const later = now.get(operation);
    return later && slower(then, later) !== 0 ? [{ operation, before: then, after: later }] : [];
  });
}
