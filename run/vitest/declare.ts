/** Declares every check as a vitest test. */
import { BroadcastChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, type RunnerTestSuite, type TestContext, test } from 'vitest';
import { EVERY_EXCHANGE } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Check, Suite } from '../../helpers/check.ts';
import { accuses } from '../../helpers/configuration/scope.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Run, type RunFacts } from '../../helpers/run.ts';
import { exchangeRequirements, judgeExchanges, reasonHindered } from '../../helpers/runner/execute.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { type Reachability, reach } from '../../helpers/runner/reach.ts';
import { checksOf, runChecks } from '../../helpers/runner/schedule.ts';
import { asRedacted } from '../../redaction/types.ts';
import { replayCommand } from '../../reports/rerun.ts';
import { triedAsBaseline } from '../as-baseline.ts';
import { assemble, type Findings } from '../assemble.ts';
import { dropRecord } from '../drop-record.ts';
import { CARRIED_OUT, NotCarriedOut, reasonsNotCarriedOut } from './carried-out.ts';
import { PROGRESS_CHANNEL, type WorkerProgress } from './progress.ts';

declare module 'vitest' {
  interface ProvidedContext {
    configuration: Configuration;
    /** Notes for the record, besides those of the run. */
    notes: string[];
  }
  interface TaskMeta {
    /** Of a test: the outcome of its check. */
    outcome?: Outcome;
    /** Of the file: outcomes that no test reports, because it was left out or cancelled. */
    unreported?: Outcome[];
    /** Of the file, once the interfaces have been tried. */
    reachability?: Reachability;
    /** Of the file, once the run is over. */
    facts?: RunFacts;
  }
}

/** Interval of progress reports, in milliseconds. */
const PROGRESS_MS = 250;

/** Hooks around a run, for use without a vitest reporter. */
export interface RunHooks {
  /** The report directory; undefined to record no exchanges. By default that of the configuration. */
  recordIn?: string | undefined;
  /** Called before the first request; returns notes for the record. */
  onStart?(): string[];
  onEnd?(findings: Findings): void;
}

/** The source of a test's result. */
interface Reported {
  requirement: string;
  name: string;
  outcome(): Promise<Outcome>;
}

/**
 * Declares a run: each check is a test that waits for its outcome, grouped by the operation that it judges, and one more
 * test fails if nothing was judged. The run begins in the first hook, so that collecting tests sends nothing, and runs
 * the checks that the test runner has selected.
 */
export function declareChecks(configuration: Configuration, suite: Suite, hooks: RunHooks = {}): void {
  const declared = new DeclaredRun(configuration, suite, hooks);
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the context destructured
  beforeAll(({}, file) => declared.begin(file), 0);
  // Also called when the test runner is cancelled: requests in flight finish, and what is reversible is undone.
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the context destructured
  afterAll(({}, file) => declared.end(file), 0);
  for (const [operation, group] of Map.groupBy(declared.everything, operationOf))
    describe.concurrent(operation, () => {
      for (const reported of group)
        test(titleOf(reported), { timeout: 0 }, (context) => declared.report(reported, context));
    });
  test(CARRIED_OUT, { timeout: 0 }, ({ signal }) => declared.assertCarriedOut(signal));
}

/** The test file in which a run is declared. */
type TestFile = Pick<RunnerTestSuite, 'tasks' | 'meta'>;

/** A declared run, which the test runner's hooks begin and end. */
class DeclaredRun {
  /** The sources of all tests. */
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
  /** Whether the test runner left out the test that shows whether the run was carried out. */
  #isUnasserted = false;
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
        outcome: () =>
          this.#observed.then(() => judgeExchanges(this.#run!, requirement, reasonHindered(this.#run!, requirement))),
      })),
    ];
    this.#open = new Set(this.everything);
    this.#selected = this.#open;
  }

  /** Tries the interfaces, and starts the checks that the file has selected. */
  async begin(file: TestFile): Promise<void> {
    const titles = selectedTitles(file);
    this.#selected = new Set(this.everything.filter((reported) => titles.has(titleOf(reported))));
    this.#isUnasserted = !titles.has(CARRIED_OUT);
    // Tests beside it were selected, and none of its own.
    if (this.#selected.size === 0 && this.#isUnasserted) return;
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

  /** Where exchanges are recorded; undefined for nowhere. */
  get #recordIn(): string | undefined {
    return 'recordIn' in this.#hooks ? this.#hooks.recordIn : this.#configuration.run.reportDir;
  }

  /** What shows a failure, and what sends its requests again; empty where no exchanges are recorded. */
  #evidenceOf({ requirement, shownBy, exchanges }: Outcome): string {
    const { risk, repeated } = this.#configuration.run;
    const shown = shownBy ?? exchanges.at(-1);
    if (this.#recordIn === undefined || shown === undefined) return '';
    const again = replayCommand({ risk, options: repeated }, this.#recordIn, requirement);
    return `\nshown by exchange ${shown} of ${this.#recordIn}; ${again} sends its requests again, index.html has them for curl`;
  }

  /** Creates the run, which reports its progress from now on and ends when it is out of time. */
  #started(): Run {
    const { maxMinutes } = this.#configuration.run;
    let waitingFor = '';
    const onWait = (waiting: string) => {
      waitingFor = waiting;
    };
    const recordIn = this.#recordIn;
    // An editor may run the checks again without setting up anew.
    const notes = recordIn === undefined ? [] : dropRecord(recordIn);
    const recorder = new Recorder(recordIn);
    const run = new Run(this.#configuration, this.#suite.rules, { onWait, recorder });
    for (const note of notes) run.note(note);
    this.#run = run;
    this.#startedAt = new Date();
    const timeIsUp = () => run.end(`out of time (RUN_MAX_MINUTES=${maxMinutes})`);
    this.#limit = setTimeout(timeIsUp, maxMinutes * 60_000);
    this.#noting = setInterval(() => {
      const { requests, inFlight } = run.transport.stats();
      this.#channel.postMessage({ requests, inFlight, waitingFor } satisfies WorkerProgress);
    }, PROGRESS_MS);
    return run;
  }

  /** The selected checks, and all checks of an operation whose exchange-based requirements are selected. */
  #needed(): Check[] {
    const requirementsOf = [...this.#selected].map(({ requirement }) => requirementById(requirement));
    const observed = requirementsOf.flatMap(({ everyExchange, operations }) => (everyExchange ? operations : []));
    return this.#checks.filter(
      (check, index) => this.#selected.has(this.everything[index]!) || observed.includes(operationOf(check)),
    );
  }

  /** Waits for the outcome of one check, and applies it to its test. */
  async report(reported: Reported, { task, skip, signal }: TestContext): Promise<void> {
    const outcome = await reported.outcome();
    if (signal.aborted) return;
    task.meta.outcome = outcome;
    this.#reported.push(outcome);
    this.#open.delete(reported);
    if (outcome.verdict === 'passed') return;
    // Advice and known failures are reported without failing the test.
    const requirement = requirementById(outcome.requirement);
    if (outcome.verdict === 'failed' && accuses(this.#configuration, requirement))
      throw new Accusation(outcome, this.#evidenceOf(outcome));
    skip(`${outcome.verdict}: ${outcome.message}`);
  }

  /** Waits for all outcomes. @throws NotCarriedOut with the reasons, unless the test runner cancels the run */
  async assertCarriedOut(signal?: AbortSignal): Promise<void> {
    const selected = await Promise.all([...this.#selected].map((reported) => reported.outcome()));
    if (signal?.aborted) return;
    const tried = new Set(selected.map(({ requirement }) => requirement));
    const untried = this.everything.filter(({ requirement }) => !tried.has(requirement)).map(notSelected);
    const record = assemble(this.#configuration, this.#findings([...selected, ...untried]));
    const reasons = reasonsNotCarriedOut(record, this.#selected.size < this.everything.length);
    if (reasons.length > 0) throw new NotCarriedOut(reasons);
  }

  #findings(outcomes: readonly Outcome[]): Findings {
    return {
      startedAt: this.#startedAt,
      finishedAt: new Date(),
      outcomes,
      facts: this.#run!.facts(),
      reachability: this.#reachability,
    };
  }

  /** Ends the run, and passes on what no test has reported. @throws NotCarriedOut if no test could say so */
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
    const found = this.#findings([...this.#reported, ...unreported]);
    const facts = await triedAsBaseline(this.#configuration, found, this.#recordIn);
    const findings = { ...found, facts, finishedAt: new Date() };
    Object.assign(file.meta, { unreported, facts: findings.facts });
    this.#hooks.onEnd?.(findings);
    if (this.#isUnasserted) await this.assertCarriedOut();
  }
}

const operationOf = ({ requirement }: Pick<Reported, 'requirement'>): string =>
  requirementById(requirement).operations[0]!;

const titleOf = ({ requirement, name }: Pick<Reported, 'requirement' | 'name'>): string => `${requirement}: ${name}`;

/** Titles of the tests that run, without those excluded by a pattern, a line or an editor. */
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
  message: asRedacted('not selected'),
  leftOut: 'selection',
  durationMs: 0,
  exchanges: [],
});

/** A failed check as test runners show failed assertions: with expected and actual values, what shows it, and what sends it again. */
class Accusation extends Error {
  override readonly name = 'AssertionError';
  readonly expected?: string;
  readonly actual?: string;
  constructor({ message, difference }: Outcome, evidence: string) {
    super(message + evidence);
    if (difference) Object.assign(this, { expected: difference.expected, actual: difference.actual });
    this.stack = `${this.name}: ${this.message}`;
  }
}
