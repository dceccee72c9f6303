/** The options of a run started by a program. */
import { ConfigurationError, type ConfigurationSources, readConfiguration } from '../helpers/configuration/index.ts';
import { SETTINGS, type Setting } from '../helpers/configuration/settings.ts';
import type { Configuration } from '../helpers/configuration/types.ts';

type Target = Omit<Configuration['target'], 'embedded'>;

type RunSettings = Pick<
  Configuration['run'],
  | 'risk'
  | 'only'
  | 'seed'
  | 'concurrency'
  | 'rate'
  | 'timeoutMs'
  | 'maxMinutes'
  | 'settleMs'
  | 'maxOrders'
  | 'maxCipChecks'
  | 'waitForExpiry'
  | 'personalData'
  | 'thorough'
  | 'bail'
  | 'reportDir'
>;

/** The options of a run. Each setting has the meaning and default of its variable, see docs/configuration.md. */
export interface RunOptions extends Partial<RunSettings> {
  /**
   * The settings of TARGET_* variables; without any, the embedded sandbox is the target. One that is there, though
   * undefined or empty, shows that a target was meant.
   */
  target?: Partial<Target>;
  /** Whether to refuse a run without a target (RUN_REQUIRE_TARGET). */
  requireTarget?: boolean;
  /** The content of a fixtures file. */
  fixtures?: unknown;
  /** Hosts outside loopback that may be changed (RUN_CONFIRM_HOST). */
  confirmHost?: string[];
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The given settings as texts, by variable or by option. */
function texts(given: object, nameOf: (setting: Setting) => string | undefined): Record<string, string> {
  const entries = Object.entries(given).flatMap(([key, value]) => {
    const setting: Setting | undefined = SETTINGS[key as keyof typeof SETTINGS];
    const name = setting && nameOf(setting);
    if (name === undefined) throw new TypeError(`${key} is not an option of a run`);
    return value === undefined ? [] : [[name, textOf(value)]];
  });
  return Object.fromEntries(entries);
}

/** Settings of which undefined ones are empty, and still there. */
const emptyWhereUndefined = (given: object) =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value ?? '']));

/** A fault with the names of the options, which the caller knows, for those of variables and of the command line. */
function inOptions(fault: string): string {
  const entries = Object.entries(SETTINGS) as [string, Setting][];
  return fault
    .replace(/no TARGET_\* variable is set;[^:]*/, 'no target is given')
    .replace('choose the embedded sandbox with --embedded', 'leave out target for the embedded sandbox')
    .replace(/ \(--[a-z-]+\)(?=:)/, '')
    .replace(/\b(?:TARGET|RUN)_[A-Z_]+\b|(?<!\S)--[a-z][a-z-]+/g, (name) => {
      const found = entries.find(([, { variable, option }]) => variable === name || `--${option}` === name);
      if (!found) return name;
      const [key, { variable = '' }] = found;
      return variable.startsWith('TARGET_') && key !== 'fixtures' ? `target.${key}` : key;
    });
}

/**
 * Builds a configuration from options. Reads neither the environment nor `.env`.
 * @throws ConfigurationError with all faults, by the names of the options
 */
export async function configurationOf(
  { target = {}, fixtures, ...run }: RunOptions,
  more: Pick<ConfigurationSources, 'purpose'> = {},
): Promise<Configuration> {
  try {
    return await readConfiguration({
      env: texts(emptyWhereUndefined(target), ({ variable }) => variable),
      options: texts(run, ({ option }) => option),
      withoutEnvFile: true,
      cwd: process.cwd(),
      fixtures,
      ...more,
    });
  } catch (error) {
    throw error instanceof ConfigurationError ? new ConfigurationError(error.faults.map(inOptions)) : error;
  }
}
