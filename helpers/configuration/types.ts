/** The configuration of a run. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import type { Past } from '../../contracts/past.ts';
import type { KnownFailure } from './known-failures.ts';
import type { SettingKey, TargetKey } from './settings.ts';
import type { CompleteValues } from './values.ts';

/** Keys that only control how the configuration is read. */
type ReadingKey = 'fixtures' | 'fixturesCommand' | 'confirmHost' | 'requireTarget' | 'embedded' | 'envFile';

/**
 * The configuration of a run: validated, with defaults filled in and paths absolute. settings.ts explains each setting.
 * Holds secrets. Plain data, so that it survives a structured clone; integers in `fixtures` may be bigint.
 */
export interface Configuration {
  target: Pick<CompleteValues, Exclude<TargetKey, ReadingKey>> & {
    name: string;
    version: string;
    /** Empty means all. */
    operations: string[];
    /** Whether to start the embedded sandbox, with its own addresses, credentials and fixtures. */
    embedded: boolean;
  };
  fixtures: Fixtures;
  run: Pick<CompleteValues, Exclude<SettingKey, TargetKey | ReadingKey>> & {
    maxMinutes: number;
    settleMs: number;
    /** Whether somebody said how long effects take at this target; what is supposed by default says nothing of it. */
    isSettleGiven: boolean;
    seed: number;
    knownFailures: KnownFailure[];
    /** Empty means all. */
    only: string[];
    /** Whether no seed was given. */
    isSeedDrawn: boolean;
    /** What earlier runs tried of what rotates; empty unless somebody recalls it. */
    past: Past;
    /** How many runs on the same target were under way when this one began: they choose by the same past. */
    beside: number;
    /** What the baseline tried, with digests for names, and the musts that passed there; undefined unless somebody recalls it. */
    before: { startedAt: string; passed: readonly string[]; rotated: Past[number] } | undefined;
    /** Options, by name, that reproduce the run: risk, seed, and those that were given. */
    repeated: Record<string, string>;
  };
}
