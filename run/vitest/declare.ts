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
  const declared = new DeclaredRun(configuration, suite, hooks);
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the context destructured
  beforeAll(({}, file) => declared.begin(file), 0);
  // Also reached when the test runner is cancelled: what is in flight finishes, and what is reversible is undone.
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the context destructured
  afterAll(({}, file) => declared.end(file), 0);
  for (const [operation, group] of Map.groupBy(declared.everything, operationOf))
    describe.concurrent(operation, () => {
      for (const reported of group)
        test(titleOf(reported), { timeout: 0 }, (context) => declared.report(reported, context));
    });
}

/** The file of tests that a run is declared in. */
type TestFile = Pick<RunnerTestSuite, 'tasks' | 'meta'>;

/** A run whose checks are declared, and which the hooks of the test runner begin and end. */
class DeclaredRun {
  /** What the tests report. */
  readonly everything: readonly Reported[];
  readonly #configuration: Configuration;
  readonly #suite: Suite;
  readonly #hooks: RunHooks;
  readonly #checks: readonly Check[];
  readonly #channel = new BroadcastChannel(PROGRESS_CHANNEL);
  /** Those that no test has reported yet. */
  readonly #open: Set<Reported>;
  readonly #reported: Outcome[] = [];
  #selected: ReadonlySet<Reported>;
  #run: Run | undefined;
  #startedAt!: Date;
  #reachability!: Reachability;
  #outcomes = new Map<Check, Promise<Outcome>>();
  #observed!: Promise<void>;
  #noting: NodeJS.Timeout | undefined;
  #limit: NodeJS.Timeout | undefined;

  constructor(configuration: Configuration, suite: Suite, hooks: RunHooks) {
    this.#configuration = configuration;
    this.#suite = suite;
    this.#hooks = hooks;
    this.#checks = checksOf({ configuration }, suite);
    this.everything = [
      ...this.#checks.map((check) => ({ ...check, outcome: () => this.#outcomes.get(check)! })),
      ...exchangeRequirements.map((requirement) => ({
        requirement: requirement.id,
        name: EVERY_EXCHANGE,
        outcome: () => this.#observed.then(() => judgeExchanges(this.#run!, requirement)),
      })),
    ];
    this.#open = new Set(this.everything);
    this.#selected = this.#open;
  }

  /** Tries the interfaces, and sets all checks going that the file has selected. */
  async begin(file: TestFile): Promise<void> {
    const titles = selectedTitles(file);
    this.#selected = new Set(this.everything.filter((reported) => titles.has(titleOf(reported))));
    const notes = this.#hooks.onStart?.() ?? [];
    const run = this.#started();
    for (const note of notes) run.note(note);
    this.#reachability = await reach(run);
    file.meta.reachability = this.#reachability;
    const observers = this.#selected.size === this.everything.length ? this.#suite.observers : [];
    const { outcomes, done } = runChecks(run, { checks: this.#needed(), observers });
    this.#outcomes = outcomes;
    this.#observed = done;
  }

  /** The run, which notes its progress from now on, and ends when its time is up. */
  #started(): Run {
    const { reportDir, maxMinutes } = this.#configuration.run;
    let waitingFor = '';
    const onWait = (waiting: string) => {
      waitingFor = waiting;
    };
    const recorder = new Recorder('recordIn' in this.#hooks ? this.#hooks.recordIn : reportDir);
    const run = new Run(this.#configuration, this.#suite.rules, { onWait, recorder });
    this.#run = run;
    this.#startedAt = new Date();
    const timeIsUp = () => run.end(`the time was up (RUN_MAX_MINUTES=${maxMinutes})`);
    this.#limit = setTimeout(timeIsUp, maxMinutes * 60_000);
    this.#noting = setInterval(() => {
      const { requests, inFlight } = run.transport.stats();
      this.#channel.postMessage({ requests, inFlight, waitingFor } satisfies WorkerProgress);
    }, PROGRESS_MS);
    return run;
  }

  /** The selected checks; where what every exchange of an operation showed is selected, the checks of that operation as well. */
  #needed(): Check[] {
    const requirementsOf = [...this.#selected].map(({ requirement }) => requirementById(requirement));
    const observed = requirementsOf.flatMap(({ everyExchange, operations }) => (everyExchange ? operations : []));
    return this.#checks.filter(
      (check, index) => this.#selected.has(this.everything[index]!) || observed.includes(operationOf(check)),
    );
  }

  /** Waits for the outcome of one check, and makes it that of its test. */
  async report(reported: Reported, { task, skip, signal }: TestContext): Promise<void> {
    const outcome = await reported.outcome();
    if (signal.aborted) return;
    task.meta.outcome = outcome;
    this.#reported.push(outcome);
    this.#open.delete(reported);
    if (outcome.verdict === 'passed') return;
    // Advice and known failures are reported, and turn no test red.
    const requirement = requirementById(outcome.requirement);
    if (outcome.verdict === 'failed' && accuses(this.#configuration, requirement)) throw new Accusation(outcome);
    skip(`${outcome.verdict}: ${outcome.message}`);
  }

  /** Ends the run, and hands over what no test has reported. */
  async end(file: TestFile): Promise<void> {
    const run = this.#run;
    if (!run) return;
    if ([...this.#selected].some((reported) => this.#open.has(reported))) run.interrupt();
    const unreported = await Promise.all(
      [...this.#open].map((reported) => (this.#selected.has(reported) ? reported.outcome() : notSelected(reported))),
    );
    clearTimeout(this.#limit);
    clearInterval(this.#noting);
    await run.close();
    this.#channel.close();
    const facts = run.facts();
    Object.assign(file.meta, { unreported, facts });
    this.#hooks.onEnd?.({
      startedAt: this.#startedAt,
      finishedAt: new Date(),
      outcomes: [...this.#reported, ...unreported],
      facts,
      reachability: this.#reachability,
    });
  }
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
