/** Every check as a test of vitest. */
import { BroadcastChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, type RunnerTestSuite, type TestContext, test } from 'vitest';
import { EVERY_EXCHANGE } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Check, Suite } from '../../helpers/check.ts';
import { accuses } from '../../helpers/configuration/scope.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Run, type RunFacts } from '../../helpers/run.ts';
import { exchangeRequirements, judgeExchanges } from '../../helpers/runner/execute.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { type Reachability, reach } from '../../helpers/runner/reach.ts';
import { checksOf, runChecks } from '../../helpers/runner/schedule.ts';
import type { Findings } from '../assemble.ts';
import { PROGRESS_CHANNEL, type WorkerProgress } from './progress.ts';

declare module 'vitest' {
  interface ProvidedContext {
    configuration: Configuration;
    /** What stands in the record beside what the run notes. */
    notes: string[];
  }
  interface TaskMeta {
    /** Of a test: what came of its check. */
    outcome?: Outcome;
    /** Of the file: outcomes that no test reports, since it was left out or cancelled. */
    unreported?: Outcome[];
    /** Of the file, once the interfaces have been tried. */
    reachability?: Reachability;
    /** Of the file, once the run is over. */
    facts?: RunFacts;
  }
}

/** Milliseconds between two notes of progress. */
const PROGRESS_MS = 250;

/** What goes on around a run, where no reporter of vitest does that. */
export interface RunHooks {
  /** The report directory, undefined to write no exchanges; that of the configuration unless given. */
  recordIn?: string | undefined;
  /** Called before the first request; gives notes for the record. */
  onStart?(): string[];
  onEnd?(findings: Findings): void;
}

/** What a test reports. */
interface Reported {
  requirement: string;
  name: string;
  outcome(): Promise<Outcome>;
}

/**
 * Declares a run: each check is a test that waits for its outcome, and is grouped by the operation that it judges. The run itself
 * begins with the first hook, so that collecting tests sends nothing; it runs the checks that the test runner has selected.
 */
export function declareChecks(configuration: Configuration, suite: Suite, hooks: RunHooks = {}): void {
  const channel = new BroadcastChannel(PROGRESS_CHANNEL);
  const progress: WorkerProgress = { requests: 0, inFlight: 0, waitingFor: '' };
  const checks = checksOf({ configuration }, suite);
  let run!: Run;
  let startedAt: Date;
  let reachability: Reachability;
  const reportedOutcomes: Outcome[] = [];
  let outcomes = new Map<Check, Promise<Outcome>>();
  let observed: Promise<void>;
  let noting: NodeJS.Timeout;
  let limit: NodeJS.Timeout;

  const everything: Reported[] = [
    ...checks.map((check) => ({ ...check, outcome: () => outcomes.get(check)! })),
    ...exchangeRequirements.map((requirement) => ({
      requirement: requirement.id,
      name: EVERY_EXCHANGE,
      outcome: () => observed.then(() => judgeExchanges(run, requirement)),
    })),
  ];
  /** Those that no test has reported yet. */
  const open = new Set(everything);
  let selected = open;

  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the context destructured
  beforeAll(async ({}, file) => {
    const titles = selectedTitles(file);
    selected = new Set(everything.filter((reported) => titles.has(titleOf(reported))));
    const notes = hooks.onStart?.() ?? [];
    const onWait = (waiting: string) => {
      progress.waitingFor = waiting;
    };
    const directory = 'recordIn' in hooks ? hooks.recordIn : configuration.run.reportDir;
    run = new Run(configuration, suite.rules, onWait, new Recorder(directory));
    for (const note of notes) run.note(note);
    startedAt = new Date();
    const { maxMinutes } = configuration.run;
    const timeIsUp = () => run.end(`the time was up (RUN_MAX_MINUTES=${maxMinutes})`);
    limit = setTimeout(timeIsUp, maxMinutes * 60_000);
    noting = setInterval(() => {
      const { requests, inFlight } = run.transport.stats();
      channel.postMessage({ ...progress, requests, inFlight });
    }, PROGRESS_MS);
    reachability = await reach(run);
    file.meta.reachability = reachability;
    const observers = selected.size === everything.length ? suite.observers : [];
    ({ outcomes, done: observed } = runChecks(run, { checks: neededFor(selected), observers }));
  }, 0);

  // Also reached when the test runner is cancelled: what is in flight finishes, and what is reversible is undone.
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the context destructured
  afterAll(async ({}, file) => {
    if (!run) return;
    if ([...selected].some((reported) => open.has(reported))) run.interrupt();
    const unreported = await Promise.all(
      [...open].map((reported) => (selected.has(reported) ? reported.outcome() : notSelected(reported))),
    );
    clearTimeout(limit);
    clearInterval(noting);
    await run.close();
    channel.close();
    const facts = run.facts();
    Object.assign(file.meta, { unreported, facts });
    const outcomes = [...reportedOutcomes, ...unreported];
    hooks.onEnd?.({ startedAt, finishedAt: new Date(), outcomes, facts, reachability });
  }, 0);

  /** The selected checks; where what every exchange of an operation showed is selected, the checks of that operation as well. */
  const neededFor = (selected: ReadonlySet<Reported>): Check[] => {
    const requirementsOf = [...selected].map(({ requirement }) => requirementById(requirement));
    const observed = requirementsOf.flatMap(({ everyExchange, operations }) => (everyExchange ? operations : []));
    return checks.filter((check, index) => selected.has(everything[index]!) || observed.includes(operationOf(check)));
  };

  const report = async (reported: Reported, { task, skip, signal }: TestContext) => {
    const outcome = await reported.outcome();
    if (signal.aborted) return;
    task.meta.outcome = outcome;
    reportedOutcomes.push(outcome);
    open.delete(reported);
    if (outcome.verdict === 'passed') return;
    // Advice and known failures are reported, and turn no test red.
    const isAccused = outcome.verdict === 'failed' && accuses(configuration, requirementById(outcome.requirement));
    if (isAccused) throw new Accusation(outcome);
    skip(`${outcome.verdict}: ${outcome.message}`);
  };
  const byOperation = Map.groupBy(everything, operationOf);
  for (const [operation, group] of byOperation)
    describe.concurrent(operation, () => {
      for (const reported of group) test(titleOf(reported), { timeout: 0 }, (context) => report(reported, context));
    });
}

const operationOf = ({ requirement }: Pick<Reported, 'requirement'>): string =>
  requirementById(requirement).operations[0]!;

const titleOf = ({ requirement, name }: Pick<Reported, 'requirement' | 'name'>): string => `${requirement}: ${name}`;

/** The tests that run: not those that a pattern, a line or an editor left out. */
function selectedTitles({ tasks }: Pick<RunnerTestSuite, 'tasks'>): Set<string> {
  const titles = tasks.flatMap((task) => {
    if (task.type === 'suite') return [...selectedTitles(task)];
    return task.mode === 'skip' || task.mode === 'todo' ? [] : [task.name];
  });
  return new Set(titles);
}

const notSelected = ({ requirement, name }: Reported): Outcome => ({
  requirement,
  name,
  verdict: 'skipped',
  message: 'not selected',
  leftOut: 'selection',
  durationMs: 0,
  exchanges: [],
});

/** A failed check, as test runners show failed assertions: with what was expected and what came. */
class Accusation extends Error {
  override readonly name = 'AssertionError';
  readonly expected?: string;
  readonly actual?: string;
  constructor({ message, difference }: Outcome) {
    super(message);
    if (difference) Object.assign(this, { expected: difference.expected, actual: difference.actual });
    this.stack = `${this.name}: ${message}`;
  }
}
