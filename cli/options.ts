import { Command, CommanderError, Option } from 'commander';
import { described } from '../helpers/configuration/documentation.ts';
import { type Options, type Setting, settings } from '../helpers/configuration/settings.ts';

const FAULT = 2;

/** A fault on one line, without the value of an option that is not ours: it may be a secret. */
const faultLine = (text: string) =>
  text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/('--[^'=]*)=[^']*'/, "$1'");

const joined = (value: string, before: string | undefined) => (before === undefined ? value : `${before},${value}`);

function toOption(setting: Setting & { option: string }): Option {
  const variable = setting.variable ? ` [${setting.variable}]` : '';
  const option = new Option(`--${setting.option} ${setting.argument}`, described(setting) + variable);
  if (setting.argument?.includes(',...')) option.argParser(joined);
  return option;
}

/**
 * A command that takes every option of a run. Its faults are one line on standard error and a CommanderError of exit
 * code 2, its help goes to standard output with a CommanderError of exit code 0; nothing here ends the process.
 */
export function configurable(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .helpOption('-h, --help', 'Print this.')
    .addHelpText(
      'after',
      '\nAddresses and credentials of the target are read from TARGET_* variables and .env: see .env.example.',
    )
    .configureOutput({ outputError: (text, write) => write(`${faultLine(text)}\n`) })
    .exitOverride((error) => {
      throw new CommanderError(error.exitCode === 0 ? 0 : FAULT, error.code, faultLine(error.message));
    });
  for (const [, setting] of settings) {
    if (setting.option !== undefined) command.addOption(toOption({ ...setting, option: setting.option }));
  }
  return command;
}

/** What a parsed command was given, for `readConfiguration`: texts, `true` for an option without its optional value. */
export function givenOptions(command: Command): Options {
  const values = command.options.map((option) => [option.name(), command.getOptionValue(option.attributeName())]);
  return Object.fromEntries(
    values.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
  );
}

/**
 * The options of `npm start -- [options]`, `args` being what follows the script's name.
 * @throws CommanderError with the exit code to end with, when help was asked for (0) or the arguments are wrong (2).
 */
export function runOptions(args: string[]): Options {
  const command = configurable('npm start --', 'Holds a target against the two documents and writes reports.');
  return givenOptions(command.parse(args, { from: 'user' }));
}
