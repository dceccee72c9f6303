/** `npm start`: holds a target against both documents. */
import { CommanderError } from 'commander';
import type { Conformance } from '../contracts/record.ts';
import { holdDirectory } from '../files/hold.ts';
import { ConfigurationError, readConfiguration } from '../helpers/configuration/index.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Reachability } from '../helpers/runner/reach.ts';
import { waitForTarget } from '../helpers/runner/wait-for-target.ts';
import { exitCode } from '../reports/verdicts.ts';
import { finish } from '../run/finish.ts';
import { prepare } from '../run/prepare.ts';
import { withTarget } from '../run/target.ts';
import { conductInWorker } from './conducting.ts';
import { runOptions } from './options.ts';
import { ProgressLine } from './progress.ts';
import { Signals } from './signals.ts';

/** What a run could not be carried out for. */
const COULD_NOT = 2;

/** Milliseconds after which a process that is done is ended, whatever its worker still does. */
const PARTING_MS = 1000;

const signals = new Signals();

async function main(): Promise<number> {
  const given = await readConfiguration({
    env: process.env,
    options: runOptions(process.argv.slice(2)),
    cwd: process.cwd(),
  });
  holdDirectory(given.run.reportDir, 'a run');
  return withTarget(given, run);
}

async function run(configuration: Configuration): Promise<number> {
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
  if (code === 130 || reached.length > 0 || blocked.size === 0) return code;
  if (![...blocked.values()].every(({ outOfReach }) => outOfReach)) return code;
  for (const reason of new Set([...blocked.values()].map(({ reason }) => reason))) console.error(reason);
  return COULD_NOT;
}

// A reader that is gone, as of a pipe into `head`, ends no run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : COULD_NOT;
  if (error instanceof ConfigurationError) for (const fault of error.faults) console.error(fault);
  else if (!(error instanceof CommanderError))
    console.error(`the run could not be carried out: ${(error as Error).message}`);
}
setTimeout(() => process.exit(), PARTING_MS).unref();
