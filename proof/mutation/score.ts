/** Scores the trials of mutants: killed ones, explained survivors, and survivors without an explanation. */
import { keyOf, type Mutant } from './instrument.ts';
import type { Explained } from './survivors.ts';
import type { Trials } from './try-all.ts';

export interface Score {
  subject: string;
  /** Tried mutants that a run reaches. */
  reached: number;
  unreached: number;
  killed: number;
  /** Mutants with blocked musts but no failed one: the target crashed or hung, and is not reported as conformant. */
  incomplete: number;
  /** Explained survivors by reason. */
  explained: Record<Explained['why'], number>;
  unexplained: string[];
  /** Patterns that match no survivor. */
  stale: string[];
}

/** Scores the trials of one target. @param explanations of survivors; the first that fits counts */
export function scoreOf(
  subject: string,
  { reached, unreached, tried }: Trials,
  explanations: readonly Explained[],
): Score {
  const patterns = explanations.flatMap(({ mutants, why }) => mutants.map((pattern) => ({ pattern, why })));
  const score: Score = {
    subject,
    reached: reached.length,
    unreached: unreached.length,
    killed: 0,
    incomplete: 0,
    explained: { equivalent: 0, free: 0, undecided: 0, missed: 0 },
    unexplained: [],
    stale: [],
  };
  const needed = new Set<string>();
  for (const mutant of reached) {
    const { killedBy, incomplete, undecided } = tried.get(mutant.number)!;
    if (killedBy.length > 0) score.killed++;
    else if (incomplete) score.incomplete++;
    else {
      const fitting = patterns.find(
        ({ pattern, why }) => isOf(pattern, mutant) && (why !== 'undecided' || undecided.length > 0),
      );
      if (fitting) {
        score.explained[fitting.why]++;
        needed.add(fitting.pattern);
      } else score.unexplained.push(keyOf(mutant));
    }
  }
  return { ...score, stale: patterns.map(({ pattern }) => pattern).filter((pattern) => !needed.has(pattern)) };
}

/** The percentage of condemned mutants among those that break a must and get a verdict, rounded down. */
export function percentKilled({ killed, explained, unexplained }: Score): number {
  const survived = explained.missed + unexplained.length;
  return survived === 0 ? 100 : Math.floor((100 * killed) / (killed + survived));
}

/** Whether a pattern matches the key of a mutant; `*` stands for any text. */
function isOf(pattern: string, mutant: Mutant): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(keyOf(mutant));
}
