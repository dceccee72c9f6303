/** Runs the suite in a worker of vitest and gives what came of it, whatever becomes of the worker. */
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

/** MiB of JavaScript heap that the worker may fill: several times what a run needs. At its limit the worker ends, and this process reports. */
const HEAP_MIB = 1024;
/** MiB of each half of the worker's young heap: a run keeps nearly nothing of what it makes, and a larger one fills before it is looked at. */
const YOUNG_HEAP_MIB = 4;
/** Milliseconds that undoing may take after the end of a run, beside requests that are never answered. */
const UNDOING_MS = 10_000;
/** Milliseconds for the end of a worker that is done. */
const SHUTDOWN_MS = 5000;
/** What the worker loads first of all: of an import later on, vitest tells this thread, and that takes longer than the import. */
const SUITE = new URL(`../run/vitest/conformance${extname(import.meta.filename)}`, import.meta.url).href;

/** A run in a worker, which can be asked to end. */
export interface Conducting {
  findings: Promise<Findings>;
  /** Finishes what is in flight, undoes, and ends early; a worker that does not manage is left to itself. */
  interrupt(): void;
  /** Waits for nothing more. */
  abandon(): void;
}

/** Runs the suite; whatever becomes of the worker, what was reported by then is given. */
export function conductInWorker(
  configuration: Configuration,
  notes: string[],
  onProgress: (progress: Progress) => void,
): Conducting {
  const collector = new RunCollector();
  const { promise: abandoned, resolve: abandon } = Promise.withResolvers<void>();
  const { timeoutMs, settleMs, maxMinutes } = configuration.run;
  const graceMs = UNDOING_MS + 2 * settleMs + 3 * timeoutMs;
  const limits = [setTimeout(abandon, maxMinutes * 60_000 + graceMs)];
  const unwatch = collector.watch(onProgress);
  const findings = conduct(configuration, notes, collector, abandoned).finally(() => {
    unwatch();
    limits.forEach(clearTimeout);
  });
  const interrupt = () => {
    collector.interrupt();
    limits.push(setTimeout(abandon, graceMs));
  };
  return { findings, interrupt, abandon };
}

async function conduct(
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
  // A worker in an endless loop is not waited for: the end of this process is its end.
  await Promise.race([vitest.close().catch(() => {}), sleep(SHUTDOWN_MS, undefined, { ref: false })]);
  errors.unshift(...vitest.state.getUnhandledErrors());
  return collector.findings(configuration, errors);
}

/** Rejects with the first fault that nobody handles: such as of a worker that died. */
function firstFault(): Promise<never> {
  return new Promise((_, reject) => {
    process.on('uncaughtException', reject);
    process.on('unhandledRejection', reject);
  });
}

/** The work, during which vitest takes a folder of its own for the user's: it writes a token there, which may be forbidden and is not needed. */
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

/** A new folder in the first of these directories that can be written. @throws Error with the code of the system when none can */
function temporaryFolder([directory, ...others]: readonly string[]): string {
  try {
    return mkdtempSync(join(directory!, '.conformance-'));
  } catch (error) {
    if (others.length === 0) throw error;
    return temporaryFolder(others);
  }
}

/** What vitest answers by ending the process at once, without a report. */
const FATAL = ['SIGINT', 'SIGTERM', 'unhandledRejection'];

/** The work, whose listeners for what is fatal do not stay. */
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
