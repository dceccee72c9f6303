/** Command-line options of the commands that read a run's configuration. */
import { Command, Option } from 'commander';
import { described } from '../helpers/configuration/documentation.ts';
import { type Options, type Setting, settings } from '../helpers/configuration/settings.ts';

const joined = (value: string, before: string | undefined) => (before === undefined ? value : `${before},${value}`);

function toOption(setting: Setting & { option: string }): Option {
  const variable = setting.variable ? ` [${setting.variable}]` : '';
  const option = new Option(`--${setting.option} ${setting.argument}`, described(setting) + variable);
  if (setting.argument?.includes(',...')) option.argParser(joined);
  return option;
}

/** A command that accepts every option of a run. */
export function configurable(description: string): Command {
  const command = new Command()
    .description(description)
    .addHelpText(
      'after',
      '\nAddresses and credentials of the target are read from TARGET_* variables and .env: see docs/configuration.md.',
    );
  for (const [, setting] of settings) {
    if (setting.option !== undefined) command.addOption(toOption({ ...setting, option: setting.option }));
  }
  return command;
}

/**
 * The options given to a parsed command, for `readConfiguration`: texts, `true` for an option without its optional
 * value.
 */
export function givenOptions(command: Command): Options {
  const values = command.options.map((option) => [option.name(), command.getOptionValue(option.attributeName())]);
  return Object.fromEntries(
    values.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
  );
}
