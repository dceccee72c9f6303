/**
 * Set-up of plain vitest before the first run: reads the configuration from the environment, and starts the sandbox if
 * no target is set.
 */
import type { TestProject } from 'vitest/node';
import { holdDirectory } from '../../files/hold.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { prepare } from '../prepare.ts';
import { begin, recall } from '../recall.ts';
import { pointAt } from '../target.ts';

/**
 * @returns the function that closes the sandbox
 * @throws ConfigurationError with all faults
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = await readConfiguration({ env: process.env, options: {}, cwd: process.cwd() });
  const sandbox = given.target.embedded ? await startSandbox() : undefined;
  const configuration = sandbox ? pointAt(given, sandbox) : given;
  const release = holdDirectory(configuration.run.reportDir, 'a run');
  const prepareRun = () => {
    const recalled = recall(begin(configuration));
    project.provide('configuration', recalled);
    project.provide('notes', prepare(recalled));
  };
  prepareRun();
  project.onTestsRerun(() => {
    sandbox?.reset();
    prepareRun();
  });
  return async () => {
    release();
    await sandbox?.close();
  };
}
