/** What the trials of mutants come to: who is killed, which survivors are explained, and what is left to explain. */
import { keyOf, type Mutant } from './instrument.ts';
import type { Explained } from './survivors.ts';
import type { Trials } from './try-all.ts';

export interface Score {
  subject: string;
  /** Mutants whose place a run reaches, of those that were tried. */
  reached: number;
  unreached: number;
  killed: number;
  /** No must fails, and some are blocked: the target crashed or hung, and is not called conformant. */
  incomplete: number;
  /** Survivors by why they survive. */
  explained: Record<Explained['why'], number>;
  unexplained: string[];
  /** Patterns of which no survivor has need. */
  stale: string[];
}

/** @param explanations of survivors, the first that fits counts */
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

/** Of the mutants that break a sentence and get a verdict, the share that is condemned: in percent, rounded down. */
export function percentKilled({ killed, explained, unexplained }: Score): number {
  const survived = explained.missed + unexplained.length;
  return survived === 0 ? 100 : Math.floor((100 * killed) / (killed + survived));
}

/** Whether a pattern over the key of a mutant, in which `*` stands for anything, means this one. */
function isOf(pattern: string, mutant: Mutant): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(keyOf(mutant));
}
