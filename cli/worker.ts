/** Runs the suite in a worker of vitest and gives what came of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { createVitest } from 'vitest/node';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Outcome } from '../helpers/runner/execute.ts';
import { type Beginning, type Particulars, type Progress, RunLink } from '../helpers/runner/worker-channel.ts';
import { configuredRedactor } from '../helpers/target/configured.ts';
import { findingsOnDisk } from './salvage.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** MiB of JavaScript heap that the worker may fill: several times what a run needs. At its limit the worker ends, and this process reports. */
const HEAP_MIB = 1024;
/** Milliseconds that undoing may take after the end of a run, beside requests that are never answered. */
const UNDOING_MS = 10_000;
/** Milliseconds for the last word of a worker that is done, and for its end. */
const PARTING_MS = 5000;

export interface Conducted {
  outcomes: Outcome[];
  particulars: Particulars;
  beginning: Beginning;
}

/** A run in a worker, which may be told to end. */
export interface Conducting {
  conducted: Promise<Conducted>;
  /** Finishes what is in flight, undoes, and ends early; a worker that does not manage is left to itself. */
  interrupt(): void;
  /** Waits for nothing more. */
  abandon(): void;
}

/** Runs the suite; whatever becomes of the worker, what it said by then is given. */
export function conductInWorker(configuration: Configuration, onProgress: (progress: Progress) => void): Conducting {
  const link = new RunLink(onProgress);
  const { promise: abandoned, resolve: abandon } = Promise.withResolvers<void>();
  const { timeoutMs, settleMs, maxMinutes } = configuration.run;
  const graceMs = UNDOING_MS + 2 * settleMs + 3 * timeoutMs;
  const limits = [setTimeout(abandon, maxMinutes * 60_000 + graceMs)];
  const conducted = conduct(configuration, link, abandoned).finally(() => limits.forEach(clearTimeout));
  const interrupt = () => {
    link.interrupt();
    limits.push(setTimeout(abandon, graceMs));
  };
  return { conducted, interrupt, abandon };
}

async function conduct(configuration: Configuration, link: RunLink, abandoned: Promise<void>): Promise<Conducted> {
  setFlagsFromString(`--max-old-space-size=${HEAP_MIB}`);
  const vitest = await withoutListeners(() =>
    createVitest('test', {
      root: ROOT,
      project: ['conformance'],
      watch: false,
      reporters: [{}],
      provide: { configuration },
    }),
  );
  const errors: string[] = [];
  const work = vitest.start().then(() => link.finished(PARTING_MS));
  await Promise.race([work, abandoned, firstFault()]).catch((fault: unknown) => errors.push(messageOf(fault)));
  link.close();
  // A worker in an endless loop is not waited for: the end of this process is its end.
  await Promise.race([vitest.close().catch(() => {}), sleep(PARTING_MS, undefined, { ref: false })]);
  errors.unshift(...vitest.state.getUnhandledErrors().map(messageOf));
  const redactor = configuredRedactor(configuration);
  const notes = [...new Set(errors.map((error) => redactor.text(error)))];
  const beginning = link.beginning ?? { reached: [], blocked: new Map() };
  const { outcomes, particulars } = link;
  if (particulars)
    return { outcomes, beginning, particulars: { ...particulars, notes: [...particulars.notes, ...notes] } };
  const brokeOff = `the run broke off: ${notes[0] ?? 'its worker did not end in time'}`;
  return {
    outcomes: [...outcomes, ...findingsOnDisk(configuration.run.reportDir)],
    beginning,
    particulars: {
      requests: link.requests,
      observations: [],
      notes,
      pools: [],
      fixtures: [],
      ended: link.interrupted ? 'interrupted, and the undoing of changes was not waited for' : brokeOff,
    },
  };
}

/** Rejects with the first fault that nobody handles: such as of a worker that died. */
function firstFault(): Promise<never> {
  return new Promise((_, reject) => {
    process.on('uncaughtException', reject);
    process.on('unhandledRejection', reject);
  });
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

/** What caused an error in the first place, in one line. */
function messageOf(error: unknown): string {
  const { message = String(error), cause } = (error ?? {}) as Partial<Error>;
  return cause === undefined ? message.split('\n', 1)[0]! : messageOf(cause);
}
