/** Runs the suite in a vitest worker and returns its results, whatever happens to the worker. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { createVitest } from 'vitest/node';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Findings } from '../run/assemble.ts';
import { type Progress, RunCollector } from '../run/vitest/collector.ts';
import { conformanceProject } from '../run/vitest/project.ts';

/**
 * Heap limit of the worker in MiB: several times what a run needs. At the limit the worker ends, and this process
 * reports.
 */
const HEAP_MIB = 1024;
/**
 * Size of each half of the worker's young heap in MiB: a run keeps almost nothing, and a larger one would only fill up.
 */
const YOUNG_HEAP_MIB = 4;
/** Milliseconds allowed for undoing after the end of a run, in addition to requests that are never answered. */
const UNDOING_MS = 10_000;
/** Milliseconds allowed for a finished worker to shut down. */
const SHUTDOWN_MS = 5000;
/**
 * The module that the worker loads first. vitest reports later imports to this thread, which takes longer than the
 * import.
 */
const SUITE = new URL(`../run/vitest/conformance${extname(import.meta.filename)}`, import.meta.url).href;

/** A run in a worker, which can be asked to end. */
export interface WorkerRun {
  findings: Promise<Findings>;
  /**
   * Ends the run early: requests in flight finish, and changes are undone. A worker that takes too long is abandoned.
   */
  interrupt(): void;
  /** Stops waiting. */
  abandon(): void;
}

/** Runs the suite. Whatever happens to the worker, the results reported by then are returned. */
export function runInWorker(
  configuration: Configuration,
  notes: string[],
  onProgress: (progress: Progress) => void,
): WorkerRun {
  const collector = new RunCollector();
  const { promise: abandoned, resolve: abandon } = Promise.withResolvers<void>();
  const { timeoutMs, settleMs, maxMinutes } = configuration.run;
  const graceMs = UNDOING_MS + 2 * settleMs + 3 * timeoutMs;
  const limits = [setTimeout(abandon, maxMinutes * 60_000 + graceMs)];
  const unwatch = collector.watch(onProgress);
  const findings = runSuite(configuration, notes, collector, abandoned).finally(() => {
    unwatch();
    limits.forEach(clearTimeout);
  });
  const interrupt = () => {
    collector.interrupt();
    limits.push(setTimeout(abandon, graceMs));
  };
  return { findings, interrupt, abandon };
}

async function runSuite(
  configuration: Configuration,
  notes: string[],
  collector: RunCollector,
  abandoned: Promise<void>,
): Promise<Findings> {
  setFlagsFromString(`--max-old-space-size=${HEAP_MIB}`);
  setFlagsFromString(`--max-semi-space-size=${YOUNG_HEAP_MIB}`);
  const vitest = await withoutListeners(() =>
    withoutHome(configuration.run.reportDir, () =>
      createVitest('test', {
        ...conformanceProject,
        experimental: { ...conformanceProject.experimental, nodeLoader: false },
        execArgv: ['--import', SUITE],
        config: false,
        watch: false,
        cache: false,
        reporters: [collector],
        provide: { configuration, notes },
      }),
    ),
  );
  const errors: unknown[] = [];
  await Promise.race([vitest.start(), abandoned, firstFault()]).catch((fault: unknown) => errors.push(fault));
  // A worker in an endless loop is not waited for; it ends with this process.
  await Promise.race([vitest.close().catch(() => {}), sleep(SHUTDOWN_MS, undefined, { ref: false })]);
  errors.unshift(...vitest.state.getUnhandledErrors());
  return collector.findings(configuration, errors);
}

/** Rejects with the first unhandled fault, such as a worker that died. */
function firstFault(): Promise<never> {
  return new Promise((_, reject) => {
    process.on('uncaughtException', reject);
    process.on('unhandledRejection', reject);
  });
}

/**
 * Runs work while vitest uses a temporary folder as the user's data folder: it writes a token there, which may be
 * forbidden and is not needed.
 */
async function withoutHome<T>(reportDir: string, work: () => Promise<T>): Promise<T> {
  const before = process.env.XDG_DATA_HOME;
  const home = temporaryFolder([tmpdir(), reportDir]);
  process.env.XDG_DATA_HOME = home;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.XDG_DATA_HOME;
    else process.env.XDG_DATA_HOME = before;
    rmSync(home, { recursive: true, force: true });
  }
}

/** Creates a folder in the first writable directory. @throws Error with the system's code when there is none */
function temporaryFolder([directory, ...others]: readonly string[]): string {
  try {
    return mkdtempSync(join(directory!, '.conformance-'));
  } catch (error) {
    if (others.length === 0) throw error;
    return temporaryFolder(others);
  }
}

/** Events on which vitest ends the process immediately, without a report. */
const FATAL = ['SIGINT', 'SIGTERM', 'unhandledRejection'];

/** Runs work, and removes the listeners for fatal events that it adds. */
async function withoutListeners<T>(work: () => Promise<T>): Promise<T> {
  const remove = (event: string | symbol, listener: () => void) => {
    if (FATAL.includes(String(event))) queueMicrotask(() => process.off(event, listener));
  };
  process.on('newListener', remove);
  try {
    return await work();
  } finally {
    process.off('newListener', remove);
  }
}
