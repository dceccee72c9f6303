/** What the main process of vitest knows of a run, whatever becomes of its worker. */
import { BroadcastChannel } from 'node:worker_threads';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import type { Level } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import { configuredRedactor } from '../../helpers/evidence/redaction/configured.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import type { Reachability } from '../../helpers/runner/reach.ts';
import { type Findings, NO_FACTS } from '../assemble.ts';
import { recoverFindings } from '../recover.ts';
import { PROGRESS_CHANNEL, type WorkerProgress } from './progress.ts';

/** How far a run is, in checks and requests. */
export interface Progress extends WorkerProgress {
  total: number;
  done: number;
  /** Failed checks of musts. */
  failed: number;
  /** Failed checks of shoulds. */
  advice: number;
}

/** Before the interfaces have been tried. */
const NOTHING_TRIED: Reachability = { reached: [], blocked: new Map() };

/** A reporter of vitest that collects the outcomes of a run from the meta of its tests. */
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

  /** Ends the run early: what is in flight finishes, and what is reversible is undone. */
  interrupt(): void {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    // A worker that has not started yet would not hear it.
    if (this.#isStarted) this.#cancel();
  }

  #cancel(): void {
    void this.#vitest?.cancelCurrentRun('keyboard-input');
  }

  /** What has come of the run that was started last. @param errors what vitest or its worker ended with */
  findings(configuration: Configuration, errors: readonly unknown[]): Findings {
    const redactor = configuredRedactor(configuration);
    const ofFile = this.#module?.errors() ?? [];
    const errorTexts = [...new Set([...errors, ...ofFile].map((error) => redactor.text(messageOf(error))))];
    const notes = [...errorTexts, ...this.#notes];
    const { facts, reachability = NOTHING_TRIED, unreported = [] } = this.#module?.meta() ?? {};
    const about = { startedAt: this.#startedAt, finishedAt: new Date(), selection: this.#selection(), reachability };
    if (facts)
      return {
        ...about,
        outcomes: [...this.#outcomes, ...unreported],
        facts: { ...facts, notes: [...facts.notes, ...notes] },
      };
    const { outcomes, requests } = recoverFindings(configuration.run.reportDir);
    const brokeOff = `the run broke off: ${errorTexts[0] ?? 'its worker did not end in time'}`;
    const ended = this.#isInterrupted ? 'interrupted, and the undoing of changes was not waited for' : brokeOff;
    return {
      ...about,
      outcomes: [...this.#outcomes, ...outcomes],
      facts: { ...NO_FACTS, requests, notes, ended, interrupted: this.#isInterrupted },
    };
  }

  /** What -t or an editor chose; undefined for everything. */
  #selection(): string | undefined {
    const tests = [...(this.#module?.children.allTests() ?? [])];
    const leftOut = tests.filter((test) => test.options.mode === 'skip' && !test.meta().outcome);
    if (leftOut.length === 0 || this.#isInterrupted) return undefined;
    const pattern = this.#vitest?.getGlobalTestNamePattern();
    return pattern ? `-t ${pattern.source}` : 'single tests';
  }

  /** Notes of progress, until the returned function is called. */
  watch(onProgress: (progress: Progress) => void): () => void {
    const channel = new BroadcastChannel(PROGRESS_CHANNEL);
    channel.onmessage = (event) => {
      const { data } = event as { data: WorkerProgress };
      const total = this.#module?.children.allTests().toArray().length ?? 0;
      const failed = (level: Level) =>
        this.#outcomes.filter((one) => one.verdict === 'failed' && requirementById(one.requirement).level === level)
          .length;
      onProgress({ ...data, total, done: this.#outcomes.length, failed: failed('must'), advice: failed('should') });
    };
    return () => channel.close();
  }
}

/** What caused an error in the first place, in one line. */
function messageOf(error: unknown): string {
  const { message = String(error), cause } = (error ?? {}) as Partial<Error>;
  return cause === undefined ? message.split('\n', 1)[0]! : messageOf(cause);
}
