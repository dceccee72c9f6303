/** Starts a run from a program. */
import type { Conformance } from '../contracts/record.ts';
import { whileHolding } from '../files/hold.ts';
import { assemble } from './assemble.ts';
import { writeRecord } from './finish.ts';
import { type RunControl, runInProcess } from './in-process.ts';
import { configurationOf, type RunOptions } from './options.ts';
import { prepare } from './prepare.ts';
import { withTarget } from './target.ts';

export interface ConformanceOptions extends RunOptions, RunControl {}

/**
 * Checks a target against both documents, in this process; several may run at once. Nothing is written unless
 * `reportDir` is given.
 *
 * @example
 * const record = await conformance({
 *   target: { baseUrl: 'http://127.0.0.1:8080', accessToken: 'token' },
 *   risk: 'safe',
 * });
 * if (record.summary.verdict !== 'conformant') throw new Error('the target breaks a statement of the documents');
 *
 * @returns the record, as written to conformance.json
 * @throws ConfigurationError with all faults of the options
 * @throws DirectoryInUse when another run writes to `reportDir`
 */
export async function conformance(options: ConformanceOptions = {}): Promise<Conformance> {
  const { signal, onProgress, ...given } = options;
  return withTarget(await configurationOf(given), async (configuration) => {
    const control = { signal, onProgress };
    if (given.reportDir === undefined)
      return assemble(configuration, await runInProcess(configuration, undefined, [], control));
    const { reportDir } = configuration.run;
    return whileHolding(reportDir, 'a run', async () =>
      writeRecord(configuration, await runInProcess(configuration, reportDir, prepare(configuration), control)),
    );
  });
}
