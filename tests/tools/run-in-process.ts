/** What `npm start` does, in this process: without the worker, whose end nobody here has to survive, and without waiting for long silences. */
import { join } from 'node:path';
import { program } from '../../cli/command.ts';
import { configurable, givenOptions } from '../../cli/options.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import type { Ended } from '../../proof/hostile/run.ts';
import { SKIPPING } from '../../proof/skipping-clock.ts';
import { finish } from '../../run/finish.ts';
import { runInProcess } from '../../run/in-process.ts';
import { prepare } from '../../run/prepare.ts';
import { recall } from '../../run/recall.ts';
import { withTarget } from '../../run/target.ts';
import { temporaryDirectory } from './directory.ts';
import { inProcess } from './in-process.ts';

const command = configurable('Checks a target against the two documents and writes reports, in this process.');

const run = program('run', command, async () => {
  const given = await readConfiguration({ env: process.env, options: givenOptions(command), cwd: process.cwd() });
  return withTarget(given, async (pointed) => {
    const configuration = recall(pointed);
    const findings = await runInProcess(configuration, configuration.run.reportDir, prepare(configuration), {
      clock: SKIPPING,
    });
    return finish(configuration, findings);
  });
});

/**
 * Runs with nothing in the environment but what is given. One at a time: what is printed meanwhile is taken for its own.
 * @param directory that it is called in
 */
export async function runHere(
  environment: Record<string, string>,
  args: readonly string[] = [],
  directory = temporaryDirectory(),
): Promise<Ended> {
  const reports = environment.RUN_REPORT_DIR ?? join(directory, 'report');
  const begin = performance.now();
  const ended = await inProcess(run, args, { RUN_REPORT_DIR: reports, ...environment }, directory);
  const seconds = (performance.now() - begin) / 1000;
  return { ...ended, reports, directory, peakMiB: process.resourceUsage().maxRSS / 1024, seconds };
}
