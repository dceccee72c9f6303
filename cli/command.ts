/** Shared parts of the subcommands. */
import { type Command, CommanderError } from 'commander';
import { appendToFile } from '../files/write.ts';
import { ConfigurationError } from '../helpers/configuration/index.ts';
import { faultAnnotations } from '../reports/annotations.ts';
import { callOf } from '../reports/call-of.ts';
import { faultsMarkdown } from '../reports/markdown.ts';
import { EXIT_CANNOT } from './exit-codes.ts';

/** A subcommand: takes its arguments and returns its exit code. */
export interface Program {
  (args: readonly string[]): Promise<number>;
  /** Its options and arguments. */
  command?: Command;
}

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
  const run = async (args: readonly string[]) => {
    throwing(command.name(callOf(subcommand)));
    try {
      return (await work(command.parse([...args], { from: 'user' }))) ?? 0;
    } catch (error) {
      // commander has already printed its own errors.
      if (error instanceof CommanderError) {
        if (error.exitCode !== 0) tellJob([error.message]);
        return error.exitCode;
      }
      const faults = error instanceof ConfigurationError ? error.faults : [(error as Error).message];
      for (const fault of faults) console.error(fault);
      tellJob(faults);
      return EXIT_CANNOT;
    }
  };
  return Object.assign(run, { command });
}

/** Tells the page of a GitHub job why a command could not do its work: there is no report that does. */
function tellJob(faults: readonly string[]): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_ACTIONS) for (const annotation of faultAnnotations(faults)) console.log(annotation);
  if (!GITHUB_STEP_SUMMARY) return;
  try {
    appendToFile(GITHUB_STEP_SUMMARY, faultsMarkdown(faults));
  } catch (error) {
    console.error(`GITHUB_STEP_SUMMARY could not be written: ${(error as Error).message}`);
  }
}
