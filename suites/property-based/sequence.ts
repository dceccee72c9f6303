/** Generated sequences of operations, compared with a model: tried until one breaks a requirement, then shortened. */
import type fc from 'fast-check';
import type { Context } from '../../helpers/context.ts';
import { fail, inconclusive, Nonconformance } from '../../helpers/verdict.ts';
import { type Effort, search, smallestInput } from './search.ts';

/** Thrown when the target contradicts the model after a step. */
export class Broken extends Nonconformance {
  readonly requirement: string;
  /** The steps up to this one, in words. */
  readonly trace: readonly string[];
  constructor(requirement: string, trace: readonly string[], message: string, expected: string, actual: string) {
    super(message, { expected, actual });
    this.requirement = requirement;
    this.trace = trace;
  }
}

/** The result of trying sequences. */
export interface Sequences {
  /** The shortest sequence that breaks a requirement, if there is one. */
  broken: { contradiction: Broken; exchanges: string[] } | undefined;
  /** Requirements that were seen to be kept. */
  seen: ReadonlySet<string>;
}

/** Takes the target through a sequence. */
export interface Player<Step> {
  /** Takes a step, or skips one on which the model is silent. @throws Broken when the target contradicts the model afterwards */
  take(step: Step): Promise<void>;
  /** Checks for late effects, and prepares the target for the next sequence. @throws Broken */
  finish?(): Promise<void>;
}

/** The sequences to try, and limits of their cost. */
export interface SequenceEffort<Step> extends Pick<Effort<Step[]>, 'inputs' | 'examples'> {
  /** Requests that shortening a failing sequence may cost; a sequence under way is finished. */
  shorteningRequests: number;
  /** Whether a sequence must break a requirement twice to count, because other clients may interfere; by default none must. */
  isRepeated?: (requirement: string) => boolean;
}

/**
 * Tries sequences until one breaks a requirement, and shortens it while it breaks the same requirement.
 * @param begin makes the player of a sequence
 */
export async function trySequences<Step>(
  t: Context,
  drawn: fc.Arbitrary<Step[]>,
  { shorteningRequests, isRepeated = () => false, ...effort }: SequenceEffort<Step>,
  begin: (seen: Set<string>) => Promise<Player<Step>>,
): Promise<Sequences> {
  const seen = new Set<string>();
  /** Steps taken of the current sequence. */
  let taken: Step[] = [];
  const play = async (steps: readonly Step[]) => {
    const player = await begin(seen);
    taken = [];
    for (const step of steps) {
      taken.push(step);
      await player.take(step);
    }
    await player.finish?.();
  };
  const found = await search(t, drawn, { ...effort, shrinkingRequests: 0 }, play);
  if (!found) return { broken: undefined, seen };
  let shortest = { contradiction: found.contradiction as Broken, exchanges: found.exchanges };
  let steps = taken;
  const most = t.exchanges.length + shorteningRequests;
  /** Whether the sequence breaks the same requirement without the steps in [from, to); if so, it is shortened by them. */
  const breaksWithout = async (from: number, to: number): Promise<boolean> => {
    const before = t.exchanges.length;
    try {
      await play([...steps.slice(0, from), ...steps.slice(to)]);
    } catch (error) {
      if (!(error instanceof Broken) || error.requirement !== shortest.contradiction.requirement) return false;
      shortest = { contradiction: error, exchanges: t.exchanges.slice(before) };
      steps = taken;
      return true;
    }
    return false;
  };
  if (isRepeated(shortest.contradiction.requirement) && !(await breaksWithout(0, 0)))
    return { broken: undefined, seen };
  for (let size = steps.length - 1; size > 0; size = Math.floor(size / 2))
    for (let from = 0; from + size < steps.length && t.exchanges.length < most; )
      if (!(await breaksWithout(from, from + size))) from += size;
  return { broken: shortest, seen };
}

/**
 * Judges one requirement by the sequences. The evidence of a failure is only that of the shortest one.
 * @throws Nonconformance naming the shortest sequence and the seed; Inconclusive when no sequence tested the requirement
 */
export function judgeSequences(t: Context, { broken, seen }: Sequences, requirement: string): void {
  if (broken?.contradiction.requirement === requirement) {
    const { message, difference, trace } = broken.contradiction;
    t.exchanges.splice(0, t.exchanges.length, ...broken.exchanges);
    fail(`${message}; ${smallestInput(t, trace.join(', '))}`, difference);
  }
  if (seen.has(requirement)) return;
  inconclusive(
    broken
      ? `the sequences end early, because ${broken.contradiction.requirement} fails in them`
      : 'no sequence gets that far: an earlier step is refused, or its effect is not shown',
  );
}
