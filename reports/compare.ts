/** What changed between two runs of the suite. */
import type { Conformance, Level, RequirementResult, Source, Verdict } from '../contracts/record.ts';
import { fingerprints } from './causes.ts';
import { type Latency, latencies, slower } from './latency.ts';
import type { RunRecord } from './record.ts';
import { isSelected } from './selection.ts';

/** A requirement whose verdict means something else than before. */
export interface RequirementChange {
  id: string;
  level: Level;
  text: string;
  before: Verdict | 'out of scope';
  after: Verdict | 'out of scope';
  source: Source;
  /** Why it is as it is now. */
  reason: string;
  /** Why it was as it was before. */
  previousReason: string;
  /** Why it is a known failure, if it is one. */
  known?: string;
}

/** An observation that is not as before; null where one of two runs that tried the same has none of that id. */
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

/** An earlier run, as far as a later one is compared with it. */
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

/** What the later of two runs has that the earlier had not, and the other way round. */
export interface Comparison {
  before: Side;
  after: Side;
  /** Whether no requirement and no observation changed; latencies and what the suite's version brought are left aside. */
  unchanged: boolean;
  /** Ids of musts that passed and no longer do: failed, or no longer seen. */
  regressions: string[];
  newlyFailing: RequirementChange[];
  fixed: RequirementChange[];
  newlyNotSeen: RequirementChange[];
  newlySeen: RequirementChange[];
  /** Failing in both runs, in the same way; with another seed in one of the same ways. */
  stillFailing: RequirementChange[];
  /** Failing in both runs, but not so. */
  failingDifferently: RequirementChange[];
  observations: ObservationChange[];
  latencies: LatencyChange[];
  /** Ids that only the later run's catalogue has. */
  appeared: string[];
  /** Ids that only the earlier run's catalogue has. */
  vanished: string[];
  /** How many requirements one of the runs did not select: nothing is said of them. */
  notCompared: number;
}

/**
 * Compares two runs, requirement by requirement. Identifiers, times and numbers in messages are no change, nor is the
 * order of anything. What one of the runs left out by choice (`--only`, `--shard`) is not compared; nor, since another seed tries other forms
 * (reading 52), what only one of two seeds observed. Latencies are compared where both runs have enough samples of an operation.
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
  const select = (choose: (then: RequirementResult, now: RequirementResult) => boolean) =>
    pairs.filter(({ then, now }) => choose(then, now)).map(({ then, now }) => requirementChange(then, now));

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

/**
 * What a reader of a comparison has to know of what is fixed: with another seed, what failed may not have been tried again. Empty where
 * nothing is fixed, or both runs tried the same.
 */
export const aboutFixed = (fixed: number, before: { seed: number }, after: { seed: number }): string =>
  fixed > 0 && before.seed !== after.seed
    ? `what is fixed was tried with another seed, --seed ${before.seed} tries what failed`
    : '';

const passes = ({ inScope, verdict }: RequirementResult): boolean => inScope && verdict === 'passed';
const fails = ({ inScope, verdict }: RequirementResult): boolean => inScope && verdict === 'failed';
const isSeen = (requirement: RequirementResult): boolean => passes(requirement) || fails(requirement);

const failsAlike = (then: RequirementResult, now: RequirementResult): boolean =>
  fingerprints(then).join() === fingerprints(now).join();
const failsPartlyAlike = (then: RequirementResult, now: RequirementResult): boolean =>
  fingerprints(then).some((fingerprint) => fingerprints(now).includes(fingerprint));

function requirementChange(then: RequirementResult, now: RequirementResult): RequirementChange {
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
  // What only one of the runs selected, or tried by its seed, was observed in that one alone.
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
