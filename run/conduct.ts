/** A run in this process, as it is configured. */
import type { Configuration } from '../helpers/configuration/types.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import { Run } from '../helpers/run.ts';
import { reach } from '../helpers/runner/reach.ts';
import { conduct } from '../helpers/runner/schedule.ts';
import { suite } from '../suites/index.ts';
import type { Findings } from './assemble.ts';

/** How far a run is. */
export interface RunProgress {
  requests: number;
  inFlight: number;
  /** Checks that are done, of all. */
  done: number;
  total: number;
  failed: number;
}

/** How whoever started a run steers and watches it. */
export interface RunControl {
  /** Ends the run early: what is in flight finishes, and what is reversible is undone. */
  signal?: AbortSignal | undefined;
  /** Called whenever a check is done. */
  onProgress?: ((progress: RunProgress) => void) | undefined;
}

/**
 * Conducts a run to its end.
 * @param recordIn the report directory; undefined to write no exchanges
 * @param notes for the record
 */
export async function conductHere(
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
  const limit = setTimeout(() => run.end(`the time was up (RUN_MAX_MINUTES=${maxMinutes})`), maxMinutes * 60_000);
  try {
    const reachability = await reach(run);
    let [done, failed] = [0, 0];
    const outcomes = await conduct(run, suite, ({ verdict }, total) => {
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
