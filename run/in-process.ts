/** Carries out runs in this process. */
import type { Configuration } from '../helpers/configuration/types.ts';
import type { ExchangeRule } from '../helpers/evidence/ledger.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import { Run, type RunOptions } from '../helpers/run.ts';
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
 * Works with a run that ends in order when the signal aborts, or when its time is up (RUN_MAX_MINUTES).
 * @param recordIn the directory of its record; undefined to record nothing
 * @param isContinued whether the record there is that of a run that is over, which this one follows
 */
export async function withRun<T>(
  configuration: Configuration,
  {
    rules,
    recordIn,
    isContinued = false,
    signal,
    onWait,
    clock,
  }: { rules: readonly ExchangeRule[]; recordIn: string | undefined; isContinued?: boolean } & Pick<
    RunControl,
    'signal'
  > &
    Pick<RunOptions, 'onWait' | 'clock'>,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const { maxMinutes } = configuration.run;
  const run = new Run(configuration, rules, {
    recorder: new Recorder(recordIn, isContinued),
    ...(onWait && { onWait }),
    ...(clock && { clock }),
  });
  const interrupt = () => run.interrupt();
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  const limit = setTimeout(() => run.end(`out of time (RUN_MAX_MINUTES=${maxMinutes})`), maxMinutes * 60_000);
  try {
    return await work(run);
  } finally {
    clearTimeout(limit);
    signal?.removeEventListener('abort', interrupt);
    await run.close();
  }
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
  { signal, onProgress, clock }: RunControl & Pick<RunOptions, 'clock'> = {},
): Promise<Findings> {
  const startedAt = new Date();
  const { run, ...found } = await withRun(
    configuration,
    { rules: suite.rules, recordIn, signal, clock },
    async (run) => {
      for (const note of notes) run.note(note);
      const reachability = await reach(run);
      let [done, failed] = [0, 0];
      const outcomes = await runSuite(run, suite, ({ verdict }, total) => {
        done++;
        if (verdict === 'failed') failed++;
        const { requests, inFlight } = run.transport.stats();
        onProgress?.({ requests, inFlight, done, total, failed });
      });
      return { run, outcomes, reachability };
    },
  );
  return { startedAt, finishedAt: new Date(), ...found, facts: run.facts() };
}
