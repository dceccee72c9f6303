/** Runs the suite as tests in the user's own vitest. */
import '../node-20.ts';
import { afterAll } from 'vitest';
import { holdDirectory } from '../../files/hold.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { suite } from '../../suites/index.ts';
import { writeRecord } from '../finish.ts';
import { configurationOf, type RunOptions } from '../options.ts';
import { prepare } from '../prepare.ts';
import { pointAt } from '../target.ts';
import { declareChecks } from './declare.ts';

/**
 * Declares every check as a test of the vitest that runs the calling file: a failed must fails its test, and a check
 * without a conclusion is skipped with the reason. One more test fails if the run was not carried out: nothing reachable,
 * credentials refused, nothing tried, or not to its end. With `reportDir`, the record and all reports are written there.
 *
 * @example
 * await describeConformance({
 *   target: { baseUrl: 'http://127.0.0.1:8080', accessToken: 'token' },
 *   reportDir: 'reports/conformance',
 * });
 *
 * @throws ConfigurationError with all faults of the options
 */
export async function describeConformance(options: RunOptions = {}): Promise<void> {
  const given = await configurationOf(options);
  const sandbox = given.target.embedded ? await startSandbox() : undefined;
  const configuration = sandbox ? pointAt(given, sandbox) : given;
  let release = () => {};
  const isWritten = options.reportDir !== undefined;
  declareChecks(configuration, suite, {
    recordIn: isWritten ? configuration.run.reportDir : undefined,
    onStart: () => {
      if (!isWritten) return [];
      release = holdDirectory(configuration.run.reportDir, 'a run');
      return prepare(configuration);
    },
    onEnd: (findings) => {
      if (isWritten) writeRecord(configuration, findings);
      release();
    },
  });
  afterAll(() => sandbox?.close());
}
