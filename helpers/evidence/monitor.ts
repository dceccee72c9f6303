/** Monitors: what exchanges show together, whoever made them. They send nothing. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import type { Difference } from '../../contracts/record.ts';
import type { Answer } from '../answer.ts';

/** What some exchanges show about a requirement; the last of `by` is the one that shows it, the others are what it is compared with. */
export type Shown = { by: readonly [...Answer[], Answer] } & (
  | { shows: 'kept' }
  | { shows: 'contradiction'; message: string; difference: Difference }
  | { shows: 'nothing'; reason: string; isNotApplicable?: true }
);

export const kept = (by: Shown['by']): Shown => ({ shows: 'kept', by });

/** The last of some exchanges contradicts the requirement. @param pointer to the member that shows it */
export const contradiction = (
  by: Shown['by'],
  message: string,
  expected: string,
  actual: string,
  pointer?: string,
) => ({
  shows: 'contradiction' as const,
  message,
  difference: { expected, actual, ...(pointer !== undefined && { pointer }) },
  by,
});

export const nothing = (by: Shown['by'], reason: string): Shown => ({ shows: 'nothing', reason, by });

/** What a monitor knows besides the exchanges. */
export interface Known {
  fixtures: Fixtures;
  /** How long an effect may take to show, in milliseconds; a little less than drivers wait, since a timer may fire early. */
  settleMs: number;
  /** Whether the target's owner said so. Absent in a run, whose drivers wait for that time. */
  isSettleGiven?: boolean;
}

/** Judges the exchanges of a run, in the order in which they were answered. A contradiction is plain, unless the checks try it again. */
export type Monitor = (history: readonly Answer[], known: Known) => Iterable<Shown>;

export type Contradiction = Extract<Shown, { shows: 'contradiction' }>;

export interface Watched {
  requirement: string;
  monitor: Monitor;
  /** Whether a contradiction accuses only once it was tried again: in traffic that others made it has other reasons, too. */
  isSuspicion: boolean;
}
