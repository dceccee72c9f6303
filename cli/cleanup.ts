/** `cleanup DIR`: undoes what a killed run left changed. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { whileHolding } from '../files/hold.ts';
import { CleanupError, type OpenChange, openChanges } from '../helpers/changes/left-open.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import { cleanUp } from '../helpers/runner/cleanup.ts';
import { visible } from '../reports/text.ts';
import { program } from './command.ts';
import { EXIT_FINDING } from './exit-codes.ts';
import { configurable, givenOptions, OF_ASKING } from './options.ts';
import { interruptible } from './signals.ts';

const command = configurable(
  'Undoes the changes that a killed run left at the target of this environment.',
  undefined,
  OF_ASKING.filter((key) => key !== 'risk' && key !== 'reportDir'),
).argument('<dir>', 'report directory of the run, with its changes.ndjson');

/** Escaped, since the file may come from somebody else and must not control a terminal or build server. */
const described = ({ id, operation, identifier }: OpenChange) => visible([id, operation, identifier].join(' '));

export const cleanup = program('cleanup', command, async () => {
  const directory = resolve(command.args[0]!);
  // It is about undoing, so a signal lets it do that.
  const work = () => interruptible(() => cleanUpIn(directory));
  return existsSync(directory) ? whileHolding(directory, 'a cleanup', work) : work();
});

async function cleanUpIn(directory: string): Promise<number> {
  const { open, unreadable } = openChanges(directory);
  for (const line of unreadable) console.log(`${directory}: changes.ndjson ${line}; see what it was, then remove it`);
  if (open.length + unreadable.length === 0) console.log('Nothing is left to undo.');
  const isAllUndone = open.length === 0 || (await undo(directory, open));
  return isAllUndone && unreadable.length === 0 ? 0 : EXIT_FINDING;
}

/** Undoes the changes, and prints what became of each. @returns whether none is left */
async function undo(directory: string, open: readonly OpenChange[]): Promise<boolean> {
  const configuration = await readConfiguration({
    env: process.env,
    options: { ...givenOptions(command), risk: 'reversible', 'report-dir': directory },
    cwd: process.cwd(),
  });
  if (configuration.target.embedded)
    throw new CleanupError('TARGET_BASE_URL: not set; a cleanup needs the environment of the run');
  const { outcomes, notes } = await cleanUp(configuration, directory, open);
  for (const change of open) console.log(`${described(change)}: ${visible(outcomes.get(change.id)!.said)}`);
  for (const note of notes) console.log(visible(note));
  return open.every(({ id }) => !outcomes.get(id)!.isOpen);
}
