/** What of the catalogue a run chose to try, and how the record says so. */
import type { RequirementResult } from '../contracts/record.ts';

/** How the reason of a requirement begins that `--only` left out. */
export const NOT_SELECTED = 'not selected';
/** How the reason of a requirement begins that belongs to another shard of the run. */
export const NOT_IN_SHARD = 'not in this shard';

/** One of several parts of a run; `index` counts from 1. */
export interface Shard {
  index: number;
  count: number;
}

/** The `selection` of a run: 'all', or what `--only` and `--shard` chose. */
export function selectionText(only: readonly string[], shard?: Shard): string {
  const chosen = only.length > 0 ? [`only ${only.join(',')}`] : [];
  if (shard) chosen.push(`shard ${shard.index}/${shard.count}`);
  return chosen.join(', ') || 'all';
}

/** Which shard a `selection` names, and the selection of the whole run; undefined for a run that is not sharded. */
export function shardOf(selection: string): { shard: Shard; whole: string } | undefined {
  const match = /^(?:(.*), )?shard (\d+)\/(\d+)$/.exec(selection);
  return match ? { shard: { index: Number(match[2]), count: Number(match[3]) }, whole: match[1] ?? 'all' } : undefined;
}

/** Whether the run chose to try the requirement: neither `--only` nor `--shard` left it out. */
export function isSelected(requirement: Pick<RequirementResult, 'verdict' | 'reason'>): boolean {
  return !(requirement.verdict === 'skipped' && requirement.reason.startsWith(NOT_SELECTED)) && isInShard(requirement);
}

/** Whether the requirement belongs to this shard of the run, or the run has no shards. */
export function isInShard(requirement: Pick<RequirementResult, 'verdict' | 'reason'>): boolean {
  return !(requirement.verdict === 'skipped' && requirement.reason.startsWith(NOT_IN_SHARD));
}
