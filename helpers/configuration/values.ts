/** Reading of the settings: from options, variables and defaults. */
import { REPEATED_OPTIONS } from '../../contracts/record.ts';
import { Invalid } from './invalid.ts';
import { type Options, SETTINGS, type Setting, type SettingKey, settings } from './settings.ts';

type Parsed = { [Key in SettingKey]?: ReturnType<(typeof SETTINGS)[Key]['parse']> };

type HasDefault = { [Key in SettingKey]: (typeof SETTINGS)[Key] extends { default: string } ? Key : never }[SettingKey];

/** The values when there is no fault: risk, whose default depends on the target, and those with a fixed default are there. */
export type CompleteValues = Parsed & Required<Pick<Parsed, HasDefault | 'risk'>>;

/** The values of settings. */
export interface Values {
  /** What was given, well-formed or not; defaults are not in it. */
  given: Set<SettingKey>;
  /** Well-formed values and defaults. */
  parsed: Parsed;
  /** Texts of the settings that a command repeats to find the same, by option. */
  repeated: Record<string, string>;
  /** What a fault calls a setting: its variable, with the option where that gave the value. */
  label(key: SettingKey): string;
  /** Of the values alone, one line each. */
  faults: string[];
}

interface Sources {
  /** Texts of environment variables; the empty ones are unset. */
  variables: Record<string, string | undefined>;
  options: Options;
  cwd: string;
  /** Leave the TARGET_* variables out of account. */
  ignoreTarget: boolean;
}

const isRepeated = (option: string) => (REPEATED_OPTIONS as readonly string[]).includes(option);

const labelOf = ({ variable, option }: Setting, byOption: boolean) => {
  if (variable === undefined) return `--${option}`;
  return byOption ? `${variable} (--${option})` : variable;
};

/** Reads and parses every setting: the option before the variable before the default. */
export function readValues({ variables, options, cwd, ignoreTarget }: Sources): Values {
  const given: Values['given'] = new Set();
  const parsed: Record<string, unknown> = {};
  const repeated: Record<string, string> = {};
  const faults: string[] = [];
  const byOption = ({ option = '' }: Setting) => Boolean(options[option]);
  const label = (key: SettingKey) => labelOf(SETTINGS[key], byOption(SETTINGS[key]));

  for (const [key, setting] of settings) {
    const variable = ignoreTarget && setting.variable?.startsWith('TARGET_') ? undefined : setting.variable;
    const text = options[setting.option ?? ''] || variables[variable ?? ''] || undefined;
    if (text !== undefined) given.add(key);
    // A list that a script built and that came out empty must not select everything.
    if (key === 'only' && options.only === '') faults.push(`${label(key)}: must name a requirement`);
    const { option = '' } = setting;
    if (text !== undefined && isRepeated(option)) repeated[option] = text;
    try {
      const value = text ?? setting.default;
      if (value !== undefined) parsed[key] = setting.parse(value, cwd);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      faults.push(...error.faults.map((fault) => `${label(key)}: ${fault}`));
    }
  }
  return { given, parsed: parsed as Parsed, repeated, label, faults };
}
