/** Monitors: what exchanges show together, whoever made them. They send nothing. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import { numbers } from '../../contracts/numbers.ts';
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

/**
 * Whether a suspicion stands by what else was seen: a recording may hold what a run would do to try it again.
 * @param all the contradictions that its monitor finds
 */
export type Confirmed = (found: Contradiction, all: readonly Contradiction[], known: Known) => boolean;

/** Whether the same shows again and again, each time by exchanges of its own, and for longer than effects take to show: nothing came or went each time in between. */
export const isShownAgain: Confirmed = (found, all, { settleMs }) => {
  let times = 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { by } of all.filter(({ message }) => message === found.message)) {
    if (Math.min(...by.map(({ sentAt }) => sentAt)) < last) continue;
    last = Math.max(...by.map(({ answeredAt }) => answeredAt));
    first = Math.min(first, last);
    times++;
  }
  return times >= numbers.shownAgain && last - first >= settleMs;
};

export interface Watched {
  requirement: string;
  monitor: Monitor;
  /** Whether a contradiction accuses only once it was tried again: in traffic that others made it has other reasons, too. */
  isSuspicion: boolean;
  /** Which suspicions accuse all the same; by default none. */
  isConfirmed?: Confirmed | undefined;
}
