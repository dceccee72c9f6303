/** What came of a run: the outcome of each check, and what is known beside them. Plain data, which survives a structured clone. */
import type { Operation } from '../../contracts/operation.ts';
import type { CheckResult, Conformance, Observation } from '../../contracts/record.ts';
import type { Run } from '../run.ts';

/** The result of one check of a requirement. */
export interface Outcome extends CheckResult {
  requirement: string;
}

/** What a run knows beside the outcomes of its checks. */
export interface RunFacts {
  requests: number;
  observations: Observation[];
  notes: string[];
  pools: NonNullable<Conformance['run']['pools']>;
  fixtures: NonNullable<Conformance['run']['fixtures']>;
  absent: NonNullable<Conformance['run']['absent']>;
  /** Why the run ended early. */
  ended: string | undefined;
}

/** Which of the configured interfaces can be tried. */
export interface Reachability {
  reached: string[];
  /** Why the others cannot be. */
  blocked: Map<Operation['interface'], BlockedInterface>;
}

export interface BlockedInterface {
  reason: string;
  /** Not reached, or the credentials were refused; otherwise it answered what is judged as nonconformant. */
  outOfReach: boolean;
}

export function factsOf(run: Run): RunFacts {
  return {
    requests: run.transport.stats().requests,
    observations: [...run.observations.values()],
    notes: [...run.notes, ...throttlingNote(run)],
    pools: run.leases.report(),
    fixtures: [...run.usedFixtures.values()],
    absent: run.ledger.absentOperations(),
    ended: run.ended,
  };
}

/** Whether the target throttled the run: the run took longer for it, and RUN_RATE or RUN_CONCURRENCY would spare both sides. */
function throttlingNote(run: Run): string[] {
  const { throttled } = run.transport.stats();
  if (throttled === 0) return [];
  const requests = throttled === 1 ? 'request' : 'requests';
  return [
    `The target answered 429 (too many requests) to ${throttled} ${requests}; they were sent again. RUN_RATE and RUN_CONCURRENCY keep below its limit.`,
  ];
}
