/** Sequences of operations held against a model: tried until one breaks it, which is shrunk, and judged by requirement. */
import type fc from 'fast-check';
import type { Context } from '../../helpers/context.ts';
import { fail, inconclusive, Nonconformance } from '../../helpers/verdict.ts';
import { type Effort, search, smallestInput } from './search.ts';

/** A step after which the target is not as the model. */
export class Broken extends Nonconformance {
  readonly requirement: string;
  /** The steps up to this one, as people read them. */
  readonly trace: readonly string[];
  constructor(requirement: string, trace: readonly string[], message: string, expected: string, actual: string) {
    super(message, { expected, actual });
    this.requirement = requirement;
    this.trace = trace;
  }
}

/** What came of the sequences. */
export interface Sequences {
  broken: { contradiction: Broken; exchanges: string[] } | undefined;
  /** Requirements that were seen to be kept. */
  seen: ReadonlySet<string>;
}

/** Takes the target through a sequence. */
export interface Player<Step> {
  /** Takes a step, or passes over one on which the model is silent. @throws Broken where the target is not as the model then */
  take(step: Step): Promise<void>;
  /** Looks at what may come late, and leaves the target as the next sequence needs it. @throws Broken */
  finish?(): Promise<void>;
}

/** What trying sequences may cost. */
export interface SequenceEffort<Step> extends Pick<Effort<Step[]>, 'inputs' | 'examples'> {
  /** Requests that making a failing sequence shorter may cost; the one under way is finished. */
  shorteningRequests: number;
  /** Whether a sequence has to break a requirement twice, since others may meddle with what it is about. */
  isRepeated?: (requirement: string) => boolean;
}

/**
 * Tries sequences until one breaks a requirement, and shortens it as long as it breaks the same.
 * @param begin gives the player of a fresh sequence
 */
export async function trySequences<Step>(
  t: Context,
  drawn: fc.Arbitrary<Step[]>,
  { shorteningRequests, isRepeated = () => false, ...effort }: SequenceEffort<Step>,
  begin: (seen: Set<string>) => Promise<Player<Step>>,
): Promise<Sequences> {
  const seen = new Set<string>();
  /** Steps of the sequence under way that were taken. */
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
  /** Whether a part of the sequence breaks the same; if so, it is the sequence from now on. */
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
 * Judges one requirement by what came of the sequences; the evidence of a failure is that of the shortest one.
 * @throws Nonconformance naming the shortest sequence and the seed, Inconclusive when no sequence came to it
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
      ? `the sequences end early: ${broken.contradiction.requirement} fails in them`
      : 'no sequence gets that far: what it builds on is refused, or not shown',
  );
}
