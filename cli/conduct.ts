/** Runs the suite in a worker of vitest and gives what came of it. */
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Outcome } from '../helpers/execute.ts';
import { type Beginning, type Particulars, type Progress, RunLink } from '../helpers/worker-link.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Milliseconds that the worker may take to end after its time is up: undoing takes some requests. */
const GRACE_MS = 60_000;

export interface Conducted {
  outcomes: Outcome[];
  particulars: Particulars;
  beginning: Beginning;
}

/** @param onInterruptible is given what interrupts the run: it finishes what is in flight, undoes, and ends early */
export async function conductInWorker(
  configuration: Configuration,
  onProgress: (progress: Progress) => void,
  onInterruptible: (interrupt: () => void) => void,
): Promise<Conducted> {
  const link = new RunLink(onProgress);
  let interrupted = false;
  onInterruptible(() => {
    interrupted = true;
    link.interrupt();
  });
  const vitest = await createVitest('test', {
    root: ROOT,
    project: ['conformance'],
    watch: false,
    reporters: [{}],
    provide: { configuration },
  });
  const limit = setTimeout(
    () => void vitest.cancelCurrentRun('keyboard-input'),
    configuration.run.maxMinutes * 60_000 + GRACE_MS,
  );
  try {
    await vitest.start();
    await link.finished(5000);
  } finally {
    clearTimeout(limit);
    link.close();
    await vitest.close();
  }
  const errors = vitest.state
    .getUnhandledErrors()
    .map((error) => firstLine((error as Error)?.message ?? String(error)));
  return {
    outcomes: link.outcomes,
    beginning: link.beginning ?? { reached: [], blocked: new Map() },
    particulars: link.particulars ?? {
      requests: 0,
      observations: [],
      notes: errors,
      pools: [],
      fixtures: [],
      ended: interrupted ? 'interrupted' : `the run broke off${errors[0] ? `: ${errors[0]}` : ''}`,
    },
  };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
