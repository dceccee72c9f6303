/** `cleanup DIR`: undoes what a killed run left changed. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { holdDirectory } from '../files/hold.ts';
import { CleanupError, type OpenChange, openChanges } from '../helpers/changes/left-open.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import { type Cleaned, cleanUp } from '../helpers/runner/cleanup.ts';
import { visible } from '../reports/text.ts';
import { program } from './command.ts';
import { EXIT_FINDING } from './exit-codes.ts';
import { configurable, givenOptions } from './options.ts';

const command = configurable('Undoes the changes that a killed run left at the target of this environment.').argument(
  '<dir>',
  'report directory of the run, with its changes.ndjson',
);

/** Escaped, since the file may come from somebody else and must not control a terminal or build server. */
const described = ({ id, operation, identifier }: OpenChange) => visible([id, operation, identifier].join(' '));

export const cleanup = program('cleanup', command, async () => {
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
  const cleaned = await cleanUp(configuration, directory, open);
  for (const change of open) console.log(`${described(change)}: ${outcome(change, cleaned)}`);
  for (const note of cleaned.notes) console.log(visible(note));
  return open.every(({ id }) => cleaned.undone.has(id)) ? 0 : EXIT_FINDING;
});

function outcome({ id, lasting }: OpenChange, { undone, elsewhere }: Cleaned): string {
  if (lasting) return 'permanent: its card was used up afterwards';
  if (elsewhere.has(id))
    return undone.has(id) ? 'card not found, nothing to undo' : 'card not found; is this the target of that run?';
  return undone.has(id) ? 'undone' : 'could not be undone';
}
