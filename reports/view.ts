/** The view that every report shows: the record of a run, and what follows from it, from the baseline and from the history. */
import type {
  CheckResult,
  Conformance,
  Exchange,
  RequirementResult,
  Change as TargetChange,
} from '../contracts/record.ts';
import { type Breadth, breadthOf } from './breadth.ts';
import { ByTest, type TestFindings } from './by-test.ts';
import { type Cause, type Findings, findings } from './causes.ts';
import { type Change, changesOf } from './changes.ts';
import type { Comparison } from './compare.ts';
import { isChange } from './hidden.ts';
import type { TargetHistory } from './history.ts';
import { type Rerun, rerunsOf } from './rerun.ts';
import { cited } from './steps.ts';
import { type FormerPermissions, formerPermissions } from './undoing.ts';

/** The input of every report. */
export interface View {
  conformance: Conformance;
  /** Worst first; with a baseline, changed ones before the rest. */
  findings: Findings;
  /** The exchanges that failed checks refer to, by id. */
  evidence: ReadonlyMap<string, Exchange>;
  /** What the requests of tests show, where these say which test they are of. */
  tests: readonly TestFindings[];
  rerun: Rerun;
  formerPermissions: FormerPermissions;
  comparison: Comparison | undefined;
  /** How requirements differ from the baseline, by id. */
  changes: ReadonlyMap<string, Change>;
  history: TargetHistory | undefined;
  /** How much has been tried of what rotates; undefined where nothing does. */
  breadth: Breadth | undefined;
  /** The address of the page, for links from elsewhere; undefined if nobody knows it. */
  page: string | undefined;
}

/** Sources of a view besides the record; reports omit what is absent. */
export interface ViewSources {
  /** The exchanges of the run; those that neither a failed check refers to, nor a test made, are not needed. */
  exchanges?: Iterable<Exchange>;
  /** The run's changes to the target. */
  targetChanges?: Iterable<TargetChange>;
  comparison?: Comparison | undefined;
  history?: TargetHistory | undefined;
  page?: string | undefined;
  /** The report directory. */
  directory?: string | undefined;
}

/** Limit on exchanges that changed cards, of which recorded traffic may hold any number. */
const MOST_CHANGES = 5000;

/** Builds the view of a run. */
export function viewOf(
  conformance: Conformance,
  { exchanges = [], targetChanges = [], comparison, history, page, directory }: ViewSources = {},
): View {
  const wanted = new Set(conformance.requirements.flatMap(failedChecksOf).flatMap(cited));
  const told = new Set([...wanted, ...conformance.requirements.flatMap(openChecksOf).flatMap(cited)]);
  const evidence = new Map<string, Exchange>();
  const telling = new Map<string, Exchange>();
  let changing = 0;
  const byTest = new ByTest(conformance);
  for (const exchange of exchanges) {
    if (wanted.has(exchange.id)) evidence.set(exchange.id, exchange);
    if (told.has(exchange.id) || (isChange(exchange) && changing++ < MOST_CHANGES)) telling.set(exchange.id, exchange);
    byTest.note(exchange);
  }
  const changed = comparison ? changesOf(comparison, history) : [];
  const changes = new Map(changed.map(({ change, requirement }) => [requirement.id, change]));
  const found = findings(conformance, telling);
  const orderOf = ({ requirements }: Cause) => (requirements.some(({ id }) => changes.has(id)) ? 0 : 1);
  return {
    conformance,
    findings: { ...found, failures: found.failures.toSorted((a, b) => orderOf(a) - orderOf(b)) },
    evidence,
    tests: byTest.findings,
    rerun: rerunsOf(conformance, evidence, directory),
    formerPermissions: formerPermissions(targetChanges),
    comparison,
    changes,
    history,
    breadth: breadthOf(conformance, history),
    page,
  };
}

/** Checks that ended without a verdict, and checks that a limit kept from being made: what ended them tells which failure hides them. */
const openChecksOf = ({ checks }: RequirementResult): CheckResult[] =>
  checks.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'blocked' || verdict === 'skipped');

const failedChecksOf = ({ checks }: RequirementResult): CheckResult[] =>
  checks.filter(({ verdict }) => verdict === 'failed');
