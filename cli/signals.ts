/**
 * Handles Ctrl-C, SIGTERM and SIGHUP (a closed terminal, a lost connection): the first ends the run in order, a later
 * one immediately.
 */

import { EXIT_INTERRUPTED } from './exit-codes.ts';
import type { WorkerRun } from './worker-run.ts';

/**
 * Milliseconds during which further signals count as the same one: a terminal signals the whole process group, and npm
 * forwards its own signal to the process that it started.
 */
const SAME_MS = 1000;
/** Interval of checks whether the parent process is still there, in milliseconds. */
const WATCH_MS = 250;

/** Listens from construction for the lifetime of the process. */
export class Signals {
  #workerRun: WorkerRun | undefined;
  #first: number | undefined;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.#received(signal));
    if (process.env.npm_lifecycle_event !== undefined) this.#watchParent();
  }

  /** Sets the run to end in order; before that, a signal ends the process. */
  end(workerRun: WorkerRun): void {
    this.#workerRun = workerRun;
  }

  /** Detects the end of npm, which forwards a signal to the shell in between, and that shell ends silently. */
  #watchParent(): void {
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      this.#received('npm has ended');
    }, WATCH_MS);
    watch.unref();
  }

  #received(signal: string): void {
    if (!this.#workerRun) process.exit(EXIT_INTERRUPTED);
    if (this.#first === undefined) {
      this.#first = performance.now();
      console.error(`\n${signal}: finishing what is in flight and undoing changes; repeat to end immediately`);
      this.#workerRun.interrupt();
    } else if (performance.now() - this.#first > SAME_MS) this.#workerRun.abandon();
  }
}
