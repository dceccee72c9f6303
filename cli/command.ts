/** Shared parts of the subcommands. */
import { type Command, CommanderError } from 'commander';
import { ConfigurationError } from '../helpers/configuration/index.ts';
import { callOf } from '../reports/call-of.ts';
import { EXIT_CANNOT } from './exit-codes.ts';

/** A subcommand: takes its arguments and returns its exit code. */
export type Program = (args: readonly string[]) => Promise<number>;

/**
 * Makes a command throw a CommanderError, after printing one line on standard error, where it would end the process.
 */
export function throwing(command: Command): Command {
  return command
    .helpOption('-h, --help', 'Print this.')
    .configureOutput({ outputError: (text, write) => write(`${faultLine(text)}\n`) })
    .exitOverride((error) => {
      throw new CommanderError(error.exitCode === 0 ? 0 : EXIT_CANNOT, error.code, faultLine(error.message));
    });
}

/** A fault on one line, without the value of an unknown option, which may be a secret. */
const faultLine = (text: string) =>
  text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/('--[^'=]*)=[^']*'/, "$1'");

/**
 * Builds a subcommand that parses its arguments and then works. Every fault that prevents the work becomes one line on
 * standard error.
 * @param work returns the exit code, nothing for 0
 */
export function program(
  subcommand: string,
  command: Command,
  work: (command: Command) => number | undefined | Promise<number | undefined>,
): Program {
  return async (args) => {
    throwing(command.name(callOf(subcommand)));
    try {
      return (await work(command.parse([...args], { from: 'user' }))) ?? 0;
    } catch (error) {
      // commander has already printed its own errors.
      if (error instanceof CommanderError) return error.exitCode;
      const faults = error instanceof ConfigurationError ? error.faults : [(error as Error).message];
      for (const fault of faults) console.error(fault);
      return EXIT_CANNOT;
    }
  };
}
