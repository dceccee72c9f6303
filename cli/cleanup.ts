/** `npm run cleanup -- DIR`: undoes what a killed run left open. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { DirectoryInUse, holdDirectory } from '../files/hold.ts';
import { ConfigurationError, readConfiguration } from '../helpers/configuration/index.ts';
import { CleanupError, cleanUp, type OpenChange, openChanges } from '../helpers/runner/cleanup.ts';
import { configurable, givenOptions } from './options.ts';

const LEFT = 1;
const COULD_NOT = 2;

const command = configurable(
  'npm run cleanup --',
  'Undoes what a killed run left open at the target of this environment.',
).argument('<dir>', 'report directory of the run, with its changes.ndjson');

const described = ({ id, operation, identifier }: OpenChange) => `${id} ${operation} ${identifier}`;

async function main(): Promise<number> {
  command.parse(process.argv.slice(2), { from: 'user' });
  const directory = resolve(command.args[0]!);
  if (existsSync(directory)) holdDirectory(directory, 'a cleanup');
  const open = openChanges(directory);
  if (open.length === 0) {
    console.log('Nothing is left to undo.');
    return 0;
  }
  const configuration = await readConfiguration({
    env: process.env,
    options: { ...givenOptions(command), risk: 'reversible', 'report-dir': directory },
    cwd: process.cwd(),
  });
  if (configuration.target.embedded)
    throw new CleanupError('TARGET_BASE_URL: not set; a cleanup needs the environment of the run');
  const { undone, notes } = await cleanUp(configuration, directory, open);
  for (const change of open) console.log(`${described(change)}: ${outcome(change, undone)}`);
  for (const note of notes) console.log(note);
  return open.every(({ id }) => undone.has(id)) ? 0 : LEFT;
}

function outcome({ id, lasting }: OpenChange, undone: ReadonlySet<string>): string {
  if (lasting) return 'lasts: its card was used up afterwards';
  return undone.has(id) ? 'undone' : 'could not be undone';
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : COULD_NOT;
  if (error instanceof ConfigurationError) for (const fault of error.faults) console.error(fault);
  else if (error instanceof CleanupError || error instanceof DirectoryInUse) console.error(error.message);
  else if (!(error instanceof CommanderError)) console.error(`the cleanup failed: ${(error as Error).message}`);
}
