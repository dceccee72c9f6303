/** What the commands over report directories have in common. */
import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { DirectoryInUse } from '../files/hold.ts';
import { RecordError } from '../reports/record.ts';

/** An id or pattern that selects nothing of the catalogue. */
export class UnknownId extends Error {}

/** Runs a command and sets the exit code, see {@link exitCode}. */
export async function run(command: Command, args = process.argv.slice(2)): Promise<void> {
  const code = await exitCode(command, args);
  if (code !== 0) process.exitCode = code;
}

/**
 * Runs a command. @returns its exit code: 0 when it did its work, and 2 with one line on standard error when the
 * arguments, a record or the file system do not allow that; an action may set `process.exitCode` itself.
 */
export async function exitCode(command: Command, args: readonly string[]): Promise<number> {
  command
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`) });
  try {
    await command.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const expected =
      error instanceof RecordError ||
      error instanceof DirectoryInUse ||
      error instanceof UnknownId ||
      (error instanceof Error && 'syscall' in error);
    console.error(expected ? `${command.name()}: ${(error as Error).message}` : error);
    return 2;
  }
}
