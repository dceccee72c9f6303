/** A run in this process. */
import type { Conformance } from '../contracts/record.ts';
import { Recorder } from '../helpers/evidence/recorder.ts';
import { Run } from '../helpers/run.ts';
import { reach } from '../helpers/runner/reach.ts';
import { conduct } from '../helpers/runner/schedule.ts';
import { suite } from '../suites/index.ts';
import { assemble } from './assemble.ts';
import { writeRecord } from './finish.ts';
import { configurationOf, type RunOptions } from './options.ts';
import { prepare } from './prepare.ts';
import { withTarget } from './target.ts';

/** How far a run is. */
export interface RunProgress {
  requests: number;
  inFlight: number;
  /** Checks that are done, of all. */
  done: number;
  total: number;
  failed: number;
}

export interface ConformanceOptions extends RunOptions {
  /** Ends the run early: what is in flight finishes, and what is reversible is undone. */
  signal?: AbortSignal;
  /** Called whenever a check is done. */
  onProgress?: (progress: RunProgress) => void;
}

/**
 * Holds a target against both documents, in this process; several may run at once. Nothing is written unless `reportDir` is given.
 *
 * @example
 * const record = await conformance({
 *   target: { baseUrl: 'http://127.0.0.1:8080', authUrl: 'http://127.0.0.1:8080/auth', clientId: 'id', clientSecret: 'secret', tenantPath: 'tenant' },
 *   risk: 'safe',
 * });
 * if (record.summary.verdict !== 'conformant') throw new Error('the target breaks a statement of the documents');
 *
 * @returns the record, as conformance.json holds it
 * @throws ConfigurationError with all faults of the options
 * @throws DirectoryInUse when another run writes to `reportDir`
 */
export async function conformance(options: ConformanceOptions = {}): Promise<Conformance> {
  const { signal, onProgress, ...given } = options;
  return withTarget(await configurationOf(given), async (configuration) => {
    const isWritten = given.reportDir !== undefined;
    const notes = isWritten ? prepare(configuration) : [];
    const startedAt = new Date();
    const { reportDir, maxMinutes } = configuration.run;
    const run = new Run(configuration, suite.rules, undefined, new Recorder(isWritten ? reportDir : undefined));
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
      const findings = { startedAt, finishedAt: new Date(), outcomes, facts: run.facts(), reachability };
      return isWritten ? writeRecord(configuration, findings) : assemble(configuration, findings);
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', interrupt);
    }
  });
}
