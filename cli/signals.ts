/** What Ctrl-C, SIGTERM and SIGHUP (a closed terminal, a lost connection) do to a run: the first ends it in order, a later one at once. */
import type { Conducting } from './conducting.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';

/**
 * Milliseconds in which further signals are taken for the same one: a terminal sends it to the whole process group, and
 * npm hands its own on to the process that it started.
 */
const SAME_MS = 1000;
/** Milliseconds between two looks at who started this process. */
const WATCH_MS = 250;

/** Listens from its construction on, for as long as the process lives. */
export class Signals {
  #conducting: Conducting | undefined;
  #first: number | undefined;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.#received(signal));
    if (process.env.npm_lifecycle_event !== undefined) this.#watchParent();
  }

  /** From now on there is a run to end in order; before, a signal ends the process. */
  end(conducting: Conducting): void {
    this.#conducting = conducting;
  }

  /** npm hands a signal on to the shell between it and this process, and the shell ends without a word. */
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
    if (!this.#conducting) process.exit(EXIT_INTERRUPTED);
    if (this.#first === undefined) {
      this.#first = performance.now();
      console.error(`\n${signal}: finishing what is in flight and undoing changes; once more to end at once`);
      this.#conducting.interrupt();
    } else if (performance.now() - this.#first > SAME_MS) this.#conducting.abandon();
  }
}
