/** Command-line options of the commands that read a run's configuration. */
import { Command, Option } from 'commander';
import { described } from '../helpers/configuration/documentation.ts';
import { type Options, SETTINGS, type Setting, type SettingKey, settings } from '../helpers/configuration/settings.ts';

const joined = (value: string, before: string | undefined) => (before === undefined ? value : `${before},${value}`);

function toOption(setting: Setting & { option: string }): Option {
  const variable = setting.variable ? ` [${setting.variable}]` : '';
  const option = new Option(`--${setting.option} ${setting.argument}`, described(setting) + variable);
  if (setting.argument?.includes(',...')) option.argParser(joined);
  return option;
}

/** Options of what judges traffic that others make: of how it is judged and reported, not of how requests are made. */
export const OF_JUDGING: readonly SettingKey[] = [
  'reportDir',
  'history',
  'reportUrl',
  'baseline',
  'failOn',
  'knownFailures',
  'only',
  'settleMs',
  'personalData',
  'envFile',
];

/** Options of what asks the target without checking it: how it is reached, and what may be done to it. */
export const OF_ASKING: readonly SettingKey[] = [
  'risk',
  'confirmHost',
  'concurrency',
  'rate',
  'timeoutMs',
  'maxMinutes',
  'settleMs',
  'reportDir',
  'personalData',
  'fixturesCommand',
  'embedded',
  'envFile',
  'waitForTargetSeconds',
];

/** RUN_REPORT_URL as an option of a command that reads no configuration. */
export const reportUrlOption = (): Option =>
  toOption(SETTINGS.reportUrl)
    .env(SETTINGS.reportUrl.variable)
    .argParser((text) => (text === '' ? undefined : SETTINGS.reportUrl.parse(text, process.cwd())));

/**
 * A command that accepts the options of a run.
 * @param keys the settings that it has options for; by default all
 * @param own those of them that its help names; by default all
 */
export function configurable(description: string, keys?: readonly SettingKey[], own = keys): Command {
  const command = new Command()
    .description(description)
    .addHelpText(
      'after',
      '\nAddresses and credentials of the target are read from TARGET_* variables and .env: see docs/configuration.md.',
    );
  for (const [key, setting] of settings) {
    if (setting.option !== undefined && (keys?.includes(key) ?? true))
      command.addOption(toOption({ ...setting, option: setting.option }).hideHelp(!(own?.includes(key) ?? true)));
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
