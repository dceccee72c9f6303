/** The configuration of a run. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import type { KnownFailure } from './known-failures.ts';
import type { SETTINGS, SettingKey } from './settings.ts';
import type { CompleteValues } from './values.ts';

/** What only decides how the configuration is read. */
type ReadingKey = 'fixtures' | 'fixturesCommand' | 'confirmHost' | 'embedded' | 'envFile';

type KeyOf<Prefix extends string> = {
  [Key in SettingKey]: (typeof SETTINGS)[Key] extends { variable: `${Prefix}_${string}` } ? Key : never;
}[SettingKey];

type TargetKey = Exclude<KeyOf<'TARGET'>, ReadingKey>;
type RunKey = Exclude<SettingKey, KeyOf<'TARGET'> | ReadingKey>;

/**
 * The configuration of a run: checked, with defaults filled in, paths absolute. What each setting means stands in settings.ts.
 * Holds secrets. Plain data, so that it survives a structured clone; integers of `fixtures` may be bigint.
 */
export interface Configuration {
  target: Pick<CompleteValues, TargetKey> & {
    name: string;
    version: string;
    /** Empty for all. */
    operations: string[];
    /** True when the embedded sandbox is to be started: the addresses, credentials and fixtures are then its own. */
    embedded: boolean;
  };
  fixtures: Fixtures;
  run: Pick<CompleteValues, RunKey> & {
    maxMinutes: number;
    settleMs: number;
    seed: number;
    knownFailures: KnownFailure[];
    /** Empty for all. */
    only: string[];
    /** Options, by name, with which another run finds the same: risk, seed, and what was given. */
    repeated: Record<string, string>;
  };
}
