/** Collects the results of a run in vitest's main process, whatever happens to its worker. */
import { BroadcastChannel } from 'node:worker_threads';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import type { Level } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { configuredRedactor } from '../../helpers/configuration/redactor.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import type { Reachability } from '../../helpers/runner/reach.ts';
import { type Findings, NO_FACTS } from '../assemble.ts';
import { recoverFindings } from '../recover.ts';
import { CARRIED_OUT, NotCarriedOut } from './carried-out.ts';
import { PROGRESS_CHANNEL, type WorkerProgress } from './progress.ts';

/** The progress of a run, in checks and requests. */
export interface Progress extends WorkerProgress {
  total: number;
  done: number;
  /** Number of failed must checks. */
  failed: number;
  /** Number of failed should checks. */
  advice: number;
}

/** The state before any interface is tried. */
const NOTHING_TRIED: Reachability = { reached: [], blocked: new Map() };

/** A vitest reporter that collects the outcomes of a run from the meta of its tests. */
export class RunCollector implements Reporter {
  #vitest: Vitest | undefined;
  #module: TestModule | undefined;
  #startedAt = new Date();
  #isStarted = false;
  #isInterrupted = false;
  #outcomes: Outcome[] = [];
  #notes: string[] = [];

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestModuleQueued(module: TestModule): void {
    this.#module = module;
    this.#notes = module.project.getProvidedContext().notes;
    this.#startedAt = new Date();
    this.#isStarted = false;
    this.#outcomes = [];
  }

  onTestModuleCollected(module: TestModule): void {
    this.#module = module;
  }

  onTestModuleStart(): void {
    this.#isStarted = true;
    if (this.#isInterrupted) this.#cancel();
  }

  onTestCaseResult(test: TestCase): void {
    const { outcome } = test.meta();
    if (outcome) this.#outcomes.push(outcome);
  }

  /** Ends the run early: requests in flight finish, and what is reversible is undone. */
  interrupt(): void {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    // A worker that has not started yet would miss it.
    if (this.#isStarted) this.#cancel();
  }

  #cancel(): void {
    void this.#vitest?.cancelCurrentRun('keyboard-input');
  }

  /** The results of the latest run. @param errors the errors with which vitest or its worker ended */
  findings(configuration: Configuration, errors: readonly unknown[]): Findings {
    const redactor = configuredRedactor(configuration);
    const ofFile = (this.#module?.errors() ?? []).filter(({ name }) => name !== NotCarriedOut.name);
    const errorTexts = [...new Set([...errors, ...ofFile].map((error) => redactor.text(messageOf(error))))];
    const notes = [...errorTexts, ...this.#notes.map((note) => redactor.text(note))];
    const { facts, reachability = NOTHING_TRIED, unreported = [] } = this.#module?.meta() ?? {};
    const about = { startedAt: this.#startedAt, finishedAt: new Date(), selection: this.#selection(), reachability };
    if (facts)
      return {
        ...about,
        outcomes: [...this.#outcomes, ...unreported],
        facts: { ...facts, notes: [...facts.notes, ...notes] },
      };
    const { outcomes, requests } = recoverFindings(configuration.run.reportDir);
    return {
      ...about,
      outcomes: [...this.#outcomes, ...outcomes],
      facts: { ...NO_FACTS, requests, notes, ended: this.#endOf(errorTexts), interrupted: this.#isInterrupted },
    };
  }

  /** Why there are no facts of the run. */
  #endOf([error]: readonly string[]): string {
    if (this.#isInterrupted) return 'interrupted without waiting for changes to be undone';
    if (this.isNothingSelected) return `nothing was tried: ${this.#selection() ?? 'the selection'} matches no check`;
    return `the run was aborted: ${error ?? 'its worker did not end in time'}`;
  }

  /** Whether the test runner left out every check. */
  protected get isNothingSelected(): boolean {
    return this.#module?.state() === 'skipped';
  }

  /** The tests of checks. */
  get #checks(): TestCase[] {
    return [...(this.#module?.children.allTests() ?? [])].filter(({ name }) => name !== CARRIED_OUT);
  }

  /** The selection by -t or an editor; undefined if everything is selected. */
  #selection(): string | undefined {
    const leftOut = this.#checks.filter((test) => test.options.mode === 'skip' && !test.meta().outcome);
    if (leftOut.length === 0 || this.#isInterrupted) return undefined;
    const pattern = this.#vitest?.getGlobalTestNamePattern();
    return pattern ? `-t ${pattern.source}` : 'single tests';
  }

  /** Reports progress until the returned function is called. */
  watch(onProgress: (progress: Progress) => void): () => void {
    const channel = new BroadcastChannel(PROGRESS_CHANNEL);
    channel.onmessage = (event) => {
      const { data } = event as { data: WorkerProgress };
      const total = this.#checks.length;
      const failed = (level: Level) =>
        this.#outcomes.filter((one) => one.verdict === 'failed' && requirementById(one.requirement).level === level)
          .length;
      onProgress({ ...data, total, done: this.#outcomes.length, failed: failed('must'), advice: failed('should') });
    };
    return () => channel.close();
  }
}

/** The root cause of an error, in one line. */
function messageOf(error: unknown): string {
  const { message = String(error), cause } = (error ?? {}) as Partial<Error>;
  return cause === undefined ? message.split('\n', 1)[0]! : messageOf(cause);
}
