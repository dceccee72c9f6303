/** Reads the configuration of a run from the environment, `.env` and command-line options. */
import { randomInt } from 'node:crypto';
import type { Fixtures } from '../../contracts/fixtures.ts';
import { writeJson } from '../../files/json.ts';
import { readEnvFile } from './env-file.ts';
import { runFixturesCommand } from './fixtures-command.ts';
import { parseFixtures } from './fixtures-file.ts';
import { labelled } from './invalid.ts';
import { unknownNames } from './names.ts';
import { hasRecord, ruleFaults, withoutTarget } from './rules.ts';
import { type Options, SETTINGS, type Setting, type SettingKey } from './settings.ts';
import type { Configuration } from './types.ts';
import { type CompleteValues, readValues, type Values } from './values.ts';

export interface ConfigurationSources {
  /** The process environment; not modified. */
  env: Record<string, string | undefined>;
  /** Command-line options. They win over the environment, which wins over the env file. */
  options: Options;
  /** The directory that relative paths, including `.env`, are resolved against. */
  cwd: string;
  /** What it is for, by default a run. Others send nothing of their own, and need no credentials; a judgement of recordings needs no target. */
  purpose?: 'run' | 'proxy' | 'judgement';
  withoutEnvFile?: boolean;
  /** The content of a fixtures file, given instead of a file. */
  fixtures?: unknown;
}

/** An unusable configuration. Each fault is one line that names the variable and holds no secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: string[];
  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const filled = (variables: Record<string, string | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));

/**
 * Reads and validates the configuration of a run. With no TARGET_* variable there, or with `--embedded`, it configures a
 * run against the embedded sandbox; addresses, credentials and fixtures are then left out. An empty TARGET_* variable
 * gives nothing, but shows that a target was meant.
 *
 * The command of RUN_FIXTURES_COMMAND runs last, and only if there is no other fault, since it may change the target.
 *
 * @throws {@link ConfigurationError} with all faults at once
 */
export async function readConfiguration(sources: ConfigurationSources): Promise<Configuration> {
  const { options, cwd } = sources;
  let envFile: Record<string, string | undefined> = {};
  const faults: string[] = [];
  try {
    if (!sources.withoutEnvFile) envFile = readEnvFile(options['env-file'], cwd);
  } catch (error) {
    faults.push(...labelled(options['env-file'] ? '--env-file' : '.env', error));
  }
  const [file, env] = [filled(envFile), filled(sources.env)];
  const variables = { ...file, ...env };
  const ignoreTarget = options.embedded === 'true';
  const own = (names: string[]) => names.filter((name) => !ignoreTarget || !name.startsWith('TARGET_'));

  const values = readValues({ variables, options, cwd, ignoreTarget });
  const { purpose = 'run' } = sources;
  const targetNames = own([...new Set([envFile, sources.env].flatMap(namesOfTarget))]);
  const embedded = targetNames.length === 0 && purpose !== 'judgement';
  values.parsed.risk ??= values.given.has('risk') ? undefined : embedded ? 'irreversible' : 'safe';
  faults.push(...unknownNames(own(Object.keys(env)), own(Object.keys(file))));
  faults.push(...values.faults);
  if (embedded && values.parsed.requireTarget && !ignoreTarget) faults.push(withoutTarget(values));
  faults.push(
    ...ruleFaults(values, { targetNames, filled: own(namesOfTarget(variables)), env, isSent: purpose === 'run' }),
  );
  if (faults.length) throw new ConfigurationError(faults);
  return compose(values, embedded, await freshFixtures(values, embedded, sources));
}

/** The TARGET_* names that are there, though empty. */
const namesOfTarget = (variables: Record<string, string | undefined>): string[] =>
  Object.keys(variables).filter((name) => name.startsWith('TARGET_') && variables[name] !== undefined);

/** The target's fixtures; empty for the embedded sandbox, which brings its own. */
async function freshFixtures(
  { parsed, label }: Values,
  embedded: boolean,
  { cwd, env, fixtures }: ConfigurationSources,
): Promise<Fixtures> {
  if (embedded) return {};
  try {
    if (fixtures !== undefined) return parseFixtures(Buffer.from(writeJson(fixtures)));
    if (parsed.fixturesCommand === undefined) return parsed.fixtures ?? {};
    return await runFixturesCommand(parsed.fixturesCommand, cwd, env);
  } catch (error) {
    throw new ConfigurationError(labelled(fixtures === undefined ? label('fixturesCommand') : 'fixtures', error));
  }
}

function divided(value: CompleteValues): Pick<Configuration, 'target' | 'run'> {
  const {
    fixtures: _f,
    fixturesCommand: _c,
    confirmHost: _h,
    requireTarget: _r,
    embedded: _e,
    envFile: _v,
    ...kept
  } = value;
  const isOfTarget = ([key]: [string, unknown]) =>
    (SETTINGS[key as SettingKey] as Setting).variable?.startsWith('TARGET_') ?? false;
  const entries = Object.entries(kept);
  return {
    target: Object.fromEntries(entries.filter(isOfTarget)),
    run: Object.fromEntries(entries.filter((entry) => !isOfTarget(entry))),
  } as unknown as Pick<Configuration, 'target' | 'run'>;
}

function compose({ parsed, repeated }: Values, embedded: boolean, fixtures: Fixtures): Configuration {
  const value = parsed as CompleteValues;
  const { target, run } = divided(value);
  const address = value.baseUrl ?? value.portalUrl ?? value.authUrl;
  const seed = value.seed ?? randomInt(2 ** 31);
  const waits = value.waitForExpiry && !embedded && value.testClockUrl === undefined;
  return {
    target: {
      ...target,
      name: value.name ?? (address === undefined ? (embedded ? 'embedded sandbox' : '') : new URL(address).host),
      version: value.version ?? '',
      operations: value.operations ?? [],
      embedded,
    },
    fixtures,
    run: {
      ...run,
      maxMinutes: value.maxMinutes ?? (waits ? 90 : 30),
      settleMs: value.settleMs ?? (embedded ? 0 : 1000),
      isSettleGiven: value.settleMs !== undefined,
      seed,
      isSeedDrawn: value.seed === undefined,
      past: [],
      beside: 0,
      before: undefined,
      baseline: value.baseline !== undefined && hasRecord(value.baseline) ? value.baseline : undefined,
      knownFailures: value.knownFailures ?? [],
      only: value.only ?? [],
      repeated: { ...repeated, risk: value.risk, seed: String(seed) },
    },
  };
}
