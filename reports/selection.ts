/** Determines which part of the catalogue a run chose to try, and how the record describes that. */
import type { RequirementResult } from '../contracts/record.ts';

/** One of several parts of a run; `index` counts from 1. */
export interface Shard {
  index: number;
  count: number;
}

/** The `selection` of a run: 'all', or the values of `--only` and `--shard`. */
export function selectionText(only: readonly string[], shard?: Shard): string {
  const chosen = only.length > 0 ? [`only ${only.join(',')}`] : [];
  if (shard) chosen.push(`shard ${shard.index}/${shard.count}`);
  return chosen.join(', ') || 'all';
}

/** The shard that a `selection` names, and the selection of the whole run; undefined for a run that is not sharded. */
export function shardOf(selection: string): { shard: Shard; whole: string } | undefined {
  const match = /^(?:(.*), )?shard (\d+)\/(\d+)$/.exec(selection);
  return match ? { shard: { index: Number(match[2]), count: Number(match[3]) }, whole: match[1] ?? 'all' } : undefined;
}

/** Whether the run chose to try the requirement: neither the selection nor `--shard` excluded it. */
export const isSelected = ({ leftOut }: Pick<RequirementResult, 'leftOut'>): boolean =>
  leftOut !== 'selection' && leftOut !== 'shard';

/** Whether the requirement belongs to this shard, or the run has no shards. */
export const isInShard = ({ leftOut }: Pick<RequirementResult, 'leftOut'>): boolean => leftOut !== 'shard';
