/** Carries out a run in this process. */
import type { Configuration } from '../helpers/configuration/types.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import { Run } from '../helpers/run.ts';
import { reach } from '../helpers/runner/reach.ts';
import { runSuite } from '../helpers/runner/schedule.ts';
import { suite } from '../suites/index.ts';
import type { Findings } from './assemble.ts';

/** The progress of a run. */
export interface RunProgress {
  requests: number;
  inFlight: number;
  /** Number of checks that are done, and of all checks. */
  done: number;
  total: number;
  failed: number;
}

/** Lets the caller of a run steer and watch it. */
export interface RunControl {
  /** Ends the run early: requests in flight finish, and what is reversible is undone. */
  signal?: AbortSignal | undefined;
  /** Called whenever a check is done. */
  onProgress?: ((progress: RunProgress) => void) | undefined;
}

/**
 * Carries out a run.
 * @param recordIn the report directory; undefined to record no exchanges
 * @param notes sentences for the record
 */
export async function runInProcess(
  configuration: Configuration,
  recordIn: string | undefined,
  notes: readonly string[],
  { signal, onProgress }: RunControl = {},
): Promise<Findings> {
  const startedAt = new Date();
  const { maxMinutes } = configuration.run;
  const run = new Run(configuration, suite.rules, { recorder: new Recorder(recordIn) });
  for (const note of notes) run.note(note);
  const interrupt = () => run.interrupt();
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  const limit = setTimeout(() => run.end(`out of time (RUN_MAX_MINUTES=${maxMinutes})`), maxMinutes * 60_000);
  try {
    const reachability = await reach(run);
    let [done, failed] = [0, 0];
    const outcomes = await runSuite(run, suite, ({ verdict }, total) => {
      done++;
      if (verdict === 'failed') failed++;
      const { requests, inFlight } = run.transport.stats();
      onProgress?.({ requests, inFlight, done, total, failed });
    });
    await run.close();
    return { startedAt, finishedAt: new Date(), outcomes, facts: run.facts(), reachability };
  } finally {
    clearTimeout(limit);
    signal?.removeEventListener('abort', interrupt);
  }
}
