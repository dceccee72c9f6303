/** `run`, `npm start`: holds a target against both documents. */
import type { Conformance } from '../contracts/record.ts';
import { holdDirectory } from '../files/hold.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Reachability } from '../helpers/runner/reach.ts';
import { waitForTarget } from '../helpers/runner/wait-for-target.ts';
import { exitCode } from '../reports/verdicts.ts';
import { finish } from '../run/finish.ts';
import { prepare } from '../run/prepare.ts';
import { withTarget } from '../run/target.ts';
import { EXIT_CANNOT, EXIT_INTERRUPTED, program } from './command.ts';
import { conductInWorker } from './conducting.ts';
import { configurable, givenOptions } from './options.ts';
import { ProgressLine } from './progress.ts';
import { Signals } from './signals.ts';

/** Milliseconds after which a process that is done is ended, whatever its worker still does. */
const SHUTDOWN_MS = 1000;

const command = configurable('Holds a target against the two documents and writes reports.');

export const run = program('run', command, async () => {
  const signals = new Signals();
  try {
    const given = await readConfiguration({ env: process.env, options: givenOptions(command), cwd: process.cwd() });
    holdDirectory(given.run.reportDir, 'a run');
    return await withTarget(given, (configuration) => carryOut(configuration, signals));
  } finally {
    setTimeout(() => process.exit(), SHUTDOWN_MS).unref();
  }
});

async function carryOut(configuration: Configuration, signals: Signals): Promise<number> {
  const { run, target } = configuration;
  const line = new ProgressLine(process.stderr);
  console.log(`Target ${target.name}, risk ${run.risk}, seed ${run.seed}`);
  if (run.waitForTargetSeconds > 0)
    await waitForTarget(configuration, run.waitForTargetSeconds, (waiting) => line.waiting(waiting));
  const conducting = conductInWorker(configuration, prepare(run.reportDir), (progress) => line.show(progress));
  signals.end(conducting);
  const { reachability, ...findings } = await conducting.findings;
  line.clear();
  return exitCodeOf(finish(configuration, findings), reachability);
}

/** The exit code by the record, save that a run without an interface to try could not be carried out. */
function exitCodeOf(conformance: Conformance, { reached, blocked }: Reachability): number {
  const code = exitCode(conformance);
  if (code === EXIT_INTERRUPTED || reached.length > 0 || blocked.size === 0) return code;
  if (![...blocked.values()].every(({ outOfReach }) => outOfReach)) return code;
  for (const reason of new Set([...blocked.values()].map(({ reason }) => reason))) console.error(reason);
  return EXIT_CANNOT;
}
