/** `run`, `npm start`: checks a target against both documents. */
import { existsSync } from 'node:fs';
import { SUSPECTED } from '../contracts/record.ts';
import { holdDirectory } from '../files/hold.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import { configuredRedactor } from '../helpers/configuration/redactor.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { readRecord } from '../reports/record.ts';
import { finish } from '../run/finish.ts';
import { prepare } from '../run/prepare.ts';
import { begin, earlierFailures, recall } from '../run/recall.ts';
import { withTarget } from '../run/target.ts';
import { program } from './command.ts';
import { configurable, givenOptions } from './options.ts';
import { ProgressLine } from './progress.ts';
import { Signals } from './signals.ts';
import { subcommandLines } from './subcommands.ts';
import { watchedBy, watchRuns, withoutWatch } from './watch.ts';
import { runInWorker } from './worker-run.ts';

/** Milliseconds after which a finished process exits, whatever its worker still does. */
const SHUTDOWN_MS = 1000;

const command = configurable('Checks a target against the two documents and writes reports.').addHelpText(
  'after',
  () => `\nSubcommands:\n${subcommandLines()}`,
);

export const run = program('run', command, async () => {
  const signals = new Signals();
  try {
    const given = await readConfiguration({ env: process.env, options: givenOptions(command), cwd: process.cwd() });
    if (given.run.watch !== undefined)
      return await watchRuns(withoutWatch(process.argv.slice(2)), watchedBy(watchedFiles(given), signals));
    if (given.run.settle !== undefined) given.run.only = suspectedIn(given.run.settle);
    if (given.run.plan) {
      const { printPlan } = await import('./plan.ts');
      return await printPlan(recall(given));
    }
    holdDirectory(given.run.reportDir, 'a run');
    return await withTarget(given, (configuration) => carryOut(recall(begin(configuration)), signals));
  } finally {
    setTimeout(() => process.exit(), SHUTDOWN_MS).unref();
  }
});

/**
 * The requirements that a record holds as suspected.
 * @throws RecordError when there is no record
 * @throws Error when nothing is suspected in it
 */
function suspectedIn(path: string): string[] {
  const { requirements } = readRecord(path).conformance;
  const suspected = requirements.filter(({ reason }) => reason.startsWith(SUSPECTED)).map(({ id }) => id);
  if (suspected.length === 0) throw new Error(`--settle: nothing is suspected in ${path}`);
  return suspected;
}

/** The files whose change begins another run: the one that is named, and the env file, which tells the target's version. */
function watchedFiles({ run: { watch } }: Configuration): string[] {
  const envFile = String(givenOptions(command)['env-file'] ?? '.env');
  return [...(typeof watch === 'string' ? [watch] : []), ...(existsSync(envFile) ? [envFile] : [])];
}

async function carryOut(configuration: Configuration, signals: Signals): Promise<number> {
  const { run, target } = configuration;
  const earlier = earlierFailures(configuration);
  const notes = prepare(configuration);
  const line = new ProgressLine(process.stderr);
  const name = configuredRedactor(configuration).sentence(target.name);
  const judged = target.embedded ? 'The embedded sandbox is judged, not a target:' : `Target ${name},`;
  console.log(`${judged} risk ${run.risk}, seed ${run.seed}`);
  const workerRun = runInWorker(configuration, notes, (progress) => line.show(progress));
  signals.end(workerRun);
  const findings = await workerRun.findings;
  line.clear();
  return finish(configuration, findings, earlier);
}
