/** Marks the failures of a run that were expected, and the expectations that are out of date. */
import type { KnownFailure as Mark, RequirementResult } from '../contracts/record.ts';
import type { KnownFailure } from '../helpers/configuration/known-failures.ts';
import { matches } from '../helpers/configuration/pattern.ts';
import { isExpired } from '../helpers/configuration/scope.ts';

/**
 * Marks every requirement that an expectation names: 'known' where it fails, 'expired' where it fails past the date, be it known by
 * another expectation or not, 'stale' where all that the expectation names passes.
 *
 * @param isWhole false for a shard: what it sees pass may fail in another, so that only the merged run shows what is stale
 */
export function markKnownFailures(
  results: readonly RequirementResult[],
  expected: readonly KnownFailure[],
  now: Date,
  isWhole: boolean,
): void {
  for (const { id: pattern, ...about } of expected) {
    const named = results.filter((result) => result.inScope && matches(pattern, result.id));
    const failing = named.filter((result) => result.verdict === 'failed');
    const state: Mark['state'] = isExpired(about, now) ? 'expired' : 'known';
    for (const result of failing) if (result.known?.state !== 'expired') result.known = { ...about, state };
    if (!isWhole || named.some((result) => result.verdict !== 'passed')) continue;
    for (const result of named) result.known = { ...about, state: 'stale' };
  }
}
