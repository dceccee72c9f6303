/** Marks expected failures of a run, and outdated expectations. */

import { matches } from '../contracts/pattern.ts';
import type { KnownFailure as Mark, RequirementResult } from '../contracts/record.ts';
import type { KnownFailure } from '../helpers/configuration/known-failures.ts';
import { isExpired } from '../helpers/configuration/scope.ts';

/**
 * Marks every requirement that an expectation matches: 'known' if it fails, 'expired' if it fails after the date (even if
 * another expectation knows it), 'stale' if everything that the expectation matches passes.
 *
 * @param isWhole false for a shard: what passes there may fail in another, so only the merged run can show stale
 * expectations
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
