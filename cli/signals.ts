/**
 * Handles Ctrl-C, SIGTERM and SIGHUP (a closed terminal, a lost connection): the first ends the work in order, a later
 * one immediately.
 */

import { EXIT_INTERRUPTED } from './exit-codes.ts';

/**
 * Milliseconds during which further signals count as the same one: a terminal signals the whole process group, and npm
 * forwards its own signal to the process that it started.
 */
const SAME_MS = 1000;
/** Interval of checks whether the parent process is still there, in milliseconds. */
const WATCH_MS = 250;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What takes the place of a signal when npm has ended, which may have got one. */
const NPM_HAS_ENDED = 'npm has ended';

/** Work that changes a target, and so must not end just anywhere. */
export interface Endable {
  /** What a first signal leads to, in words; what the listener was told if absent. */
  doing?: string;
  /** Ends early, in order: requests in flight finish, and changes are undone. */
  interrupt(signal: NodeJS.Signals): void;
  /** Ends at once. */
  abandon(): void;
}

/** Listens from construction until it is closed. */
export class Signals {
  readonly #doing: string;
  #work: Endable | undefined;
  #first: number | undefined;
  #watch: NodeJS.Timeout | undefined;

  /** @param doing what a first signal leads to, in words */
  constructor(doing = 'finishing what is in flight and undoing changes') {
    this.#doing = doing;
    for (const signal of SIGNALS) process.on(signal, this.#received);
    if (process.env.npm_lifecycle_event !== undefined) this.#watchParent();
  }

  /** Sets the work to end in order; before that, a signal ends the process. */
  end(work: Endable): void {
    this.#work = work;
  }

  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.#received);
    clearInterval(this.#watch);
  }

  /** Detects the end of npm, which forwards a signal to the shell in between, and that shell ends silently. */
  #watchParent(): void {
    const parent = process.ppid;
    this.#watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(this.#watch);
      this.#received(NPM_HAS_ENDED);
    }, WATCH_MS).unref();
  }

  readonly #received = (signal: NodeJS.Signals | typeof NPM_HAS_ENDED): void => {
    if (!this.#work) process.exit(EXIT_INTERRUPTED);
    if (this.#first === undefined) {
      this.#first = performance.now();
      console.error(`\n${signal}: ${this.#work.doing ?? this.#doing}; repeat to end immediately`);
      this.#work.interrupt(signal === NPM_HAS_ENDED ? 'SIGTERM' : signal);
    } else if (performance.now() - this.#first > SAME_MS) this.#work.abandon();
  };
}

/**
 * Does work in this process that a signal ends in order.
 * @param work given what a signal aborts
 * @returns the exit code of the work, EXIT_INTERRUPTED after a signal
 * @throws what the work throws, unless there was a signal
 */
export async function interruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const signals = new Signals();
  const ending = new AbortController();
  signals.end({ interrupt: () => ending.abort(), abandon: () => process.exit(EXIT_INTERRUPTED) });
  try {
    const code = await work(ending.signal);
    return ending.signal.aborted ? EXIT_INTERRUPTED : code;
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    console.error((error as Error).message);
    return EXIT_INTERRUPTED;
  } finally {
    signals.close();
  }
}
