/** Scores the trials of mutants: condemned ones, and what explains the others. */
import { matches } from '../../contracts/pattern.ts';
import type { Mutant } from './instrument.ts';
import type { Class } from './survivors.ts';
import type { Trials } from './try-all.ts';
import type { Tried } from './worker.ts';

export interface Score {
  subject: string;
  /** Tried mutants that a run reaches. */
  reached: number;
  unreached: number;
  killed: number;
  /** Mutants with blocked musts but no failed one: the target crashed or hung, and is not reported as conformant. */
  incomplete: number;
  /** Mutants that answer as the sound target does. */
  same: number;
  /** The other mutants, by what explains them. */
  explained: Record<Class['why'], number>;
  unexplained: { mutant: Mutant; differences: readonly string[] }[];
  /** The mutants that each class explains. */
  taken: Map<Class, Mutant[]>;
  /** Of each class, how many condemned mutants it would explain, had they survived. */
  condemned: Map<Class, number>;
  /** Patterns of classes that fit a difference of a mutant that they explain. */
  needed: Set<string>;
}

/** Scores the trials of one target. */
export function scoreOf(subject: string, { reached, unreached, tried }: Trials, classes: readonly Class[]): Score {
  const score: Score = {
    subject,
    reached: reached.length,
    unreached: unreached.length,
    killed: 0,
    incomplete: 0,
    same: 0,
    explained: { free: 0, undecided: 0, missed: 0 },
    unexplained: [],
    taken: new Map(),
    condemned: new Map(),
    needed: new Set(),
  };
  for (const mutant of reached) {
    const one = tried.get(mutant.number)!;
    // A run that ends at the first failure leaves musts undecided anyway.
    const undecided = one.killedBy.length > 0 ? [] : one.undecided;
    const [first, ...others] = explanationOf(mutant, { ...one, undecided }, classes);
    if (one.killedBy.length > 0) {
      score.killed++;
      if (first) score.condemned.set(first, 1 + (score.condemned.get(first) ?? 0));
    } else if (one.incomplete) score.incomplete++;
    else if (one.differences.length === 0) score.same++;
    else if (first) {
      score.explained[first.why]++;
      score.taken.set(first, [...(score.taken.get(first) ?? []), mutant]);
      for (const pattern of [first, ...others].flatMap(patternsOf))
        if (one.differences.some((difference) => isOf([pattern], difference))) score.needed.add(pattern);
    } else score.unexplained.push({ mutant, differences: one.differences });
  }
  return score;
}

/** What explains a mutant, in the order in which it is tried: where a run leaves a must undecided, it says so. */
const ORDER = ['undecided', 'free', 'missed'] as const;

/**
 * The classes that explain all differences of a mutant together, that first under which it counts, which is about the call that differs first;
 * none where they do not.
 */
function explanationOf({ operator }: Mutant, { differences, undecided }: Tried, classes: readonly Class[]): Class[] {
  const isAbout = ({ shows, by = ['*'] }: Class, difference: string) => isOf(by, operator) && isOf(shows, difference);
  const callOf = (difference: string) => difference.split(' ', 1)[0];
  const ofFirst = differences.filter((each) => callOf(each) === callOf(differences[0]!));
  const fitting = classes.filter(
    (one) => (one.why !== 'undecided' || undecided.length > 0) && differences.some((each) => isAbout(one, each)),
  );
  for (const [index, why] of ORDER.entries()) {
    const together = fitting.filter((one) => one.why === 'free' || ORDER.indexOf(one.why) === index);
    const first = together.find((one) => one.why === why && ofFirst.some((each) => isAbout(one, each)));
    const patterns = together.flatMap(patternsOf);
    if (first && differences.every((each) => isOf(patterns, each))) return [...new Set([first, ...together])];
  }
  return [];
}

const isOf = (patterns: readonly string[], text: string) => patterns.some((pattern) => matches(pattern, text));

/** What a class explains of a mutant. */
export const patternsOf = ({ shows, follows = [] }: Class) => [...shows, ...follows];

/** The percentage of condemned mutants among those that break a must and get a verdict, rounded down. */
export function percentKilled({ killed, explained, unexplained }: Score): number {
  const survived = explained.missed + unexplained.length;
  return survived === 0 ? 100 : Math.floor((100 * killed) / (killed + survived));
}
