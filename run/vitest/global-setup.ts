/** What plain vitest does before the first run: reads the configuration from the environment, and starts the sandbox when no target is set. */
import type { TestProject } from 'vitest/node';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { prepare } from '../prepare.ts';
import { pointAt } from '../target.ts';

/**
 * @returns what closes the sandbox
 * @throws ConfigurationError with all faults
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const configuration = await readConfiguration({ env: process.env, options: {}, cwd: process.cwd() });
  const sandbox = configuration.target.embedded ? await startSandbox() : undefined;
  project.provide('configuration', sandbox ? pointAt(configuration, sandbox) : configuration);
  const prepareRun = () => project.provide('notes', prepare(configuration.run));
  prepareRun();
  project.onTestsRerun(() => {
    sandbox?.reset();
    prepareRun();
  });
  return async () => sandbox?.close();
}
