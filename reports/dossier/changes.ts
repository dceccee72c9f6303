/** What changed since an earlier dossier, run or baseline. */
import { type Comparison, compare, type Earlier } from '../compare.ts';
import { beforeInWords, type ChangeGroup, changeGroups, deltaInWords, deltaOf } from '../delta.ts';
import type { TargetHistory } from '../history.ts';
import type { RunRecord } from '../record.ts';
import type { View } from '../view.ts';

/** What a dossier is compared with, and the history of its target. */
export interface Since {
  earlier: Earlier;
  history: TargetHistory | undefined;
}

/** The changes, in words and by cause. */
export interface Changes {
  /** `2026-05-10 02:00 UTC, version 1.2, conformant`. */
  since: string;
  /** `1 new, 2 fixed`. */
  inWords: string;
  groups: ChangeGroup[];
}

/** Compares a record with an earlier one; undefined where there is none. */
export function compareWith(since: Since | undefined, record: RunRecord, { findings }: View): Changes | undefined {
  if (!since) return undefined;
  const { earlier, history } = since;
  const comparison: Comparison = compare(earlier, record);
  const delta = deltaOf(comparison, history);
  return {
    since: beforeInWords(delta),
    inWords: deltaInWords(delta),
    groups: changeGroups({ comparison, findings, history }),
  };
}
