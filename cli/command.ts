/** What the commands over report directories have in common. */
import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { RecordError } from '../reports/record.ts';

/**
 * Runs a command and sets the exit code: that of its action; 2 with one line on standard error when the arguments, a
 * record or the file system do not allow it to do its work.
 */
export async function run(command: Command, args = process.argv.slice(2)): Promise<void> {
  command
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`) });
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommanderError) return;
    const expected = error instanceof RecordError || (error instanceof Error && 'syscall' in error);
    console.error(expected ? `${command.name()}: ${(error as Error).message}` : error);
  }
}
