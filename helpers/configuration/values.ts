/** Reads the settings from options, variables and defaults. */
import { REPEATED_OPTIONS } from '../../contracts/record.ts';
import { labelled } from './invalid.ts';
import { type Options, SETTINGS, type Setting, type SettingKey, settings } from './settings.ts';

type Parsed = { [Key in SettingKey]?: ReturnType<(typeof SETTINGS)[Key]['parse']> };

type HasDefault = { [Key in SettingKey]: (typeof SETTINGS)[Key] extends { default: string } ? Key : never }[SettingKey];

/** The values when there is no fault: with those of a fixed default, and risk, whose default depends on the target. */
export type CompleteValues = Parsed & Required<Pick<Parsed, HasDefault | 'risk'>>;

export interface Values {
  /** Settings that were given, valid or not; excludes defaults. */
  given: Set<SettingKey>;
  /** Well-formed values and defaults. */
  parsed: Parsed;
  /** Texts, by option, of the settings with which a command reproduces the run. */
  repeated: Record<string, string>;
  /** A setting's name in a fault: its variable, with the option if that gave the value. */
  label(key: SettingKey): string;
  faults: string[];
}

interface Sources {
  /** Texts of environment variables; empty ones count as unset. */
  variables: Record<string, string | undefined>;
  options: Options;
  cwd: string;
  ignoreTarget: boolean;
}

const isRepeated = (option: string) => (REPEATED_OPTIONS as readonly string[]).includes(option);

/** Reads and parses every setting; an option wins over the variable, which wins over the default. */
export function readValues({ variables, options, cwd, ignoreTarget }: Sources): Values {
  const given: Values['given'] = new Set();
  const parsed: Record<string, unknown> = {};
  const repeated: Record<string, string> = {};
  const faults: string[] = [];
  const label = (key: SettingKey) => {
    const { variable, option = '' }: Setting = SETTINGS[key];
    if (variable === undefined) return `--${option}`;
    return options[option] ? `${variable} (--${option})` : variable;
  };

  for (const [key, setting] of settings) {
    const variable = ignoreTarget && setting.variable?.startsWith('TARGET_') ? undefined : setting.variable;
    const text = options[setting.option ?? ''] || variables[variable ?? ''] || undefined;
    if (text !== undefined) given.add(key);
    // A script's list that came out empty must not select everything.
    if (key === 'only' && options.only === '') faults.push(`${label(key)}: must name a requirement`);
    const { option = '' } = setting;
    if (text !== undefined && isRepeated(option)) repeated[option] = text;
    try {
      const value = text ?? setting.default;
      if (value !== undefined) parsed[key] = setting.parse(value, cwd);
    } catch (error) {
      faults.push(...labelled(label(key), error));
    }
  }
  return { given, parsed: parsed as Parsed, repeated, label, faults };
}
