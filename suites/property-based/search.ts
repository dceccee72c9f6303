/**
 * Draws inputs by the seed of the run, tries each at the target, and shrinks one that breaks a requirement to the smallest
 * that does. The same seed draws the same inputs.
 */
import fc from 'fast-check';
import type { Context } from '../../helpers/context.ts';
import { Inconclusive, Nonconformance, Skipped } from '../../helpers/verdict.ts';

/** Factor by which `--thorough` draws more inputs than the default run. */
const THOROUGH = 10;
/** Requests that shrinking may cost by default. */
const SHRINKING_REQUESTS = 20;

/** Limits of a search's cost. */
export interface Limits {
  /** Requests that shrinking a failing input may cost; a try under way is finished. */
  shrinkingRequests?: number;
}

/** The inputs of a search, and its limits. */
export interface Effort<T> extends Limits {
  /** Number of inputs that the default run draws. */
  inputs: number;
  /** Fixed inputs that every run tries first. */
  examples?: [T][];
}

/** The smallest failing input found, and its failure. */
export interface Counterexample<T> {
  value: T;
  contradiction: Nonconformance;
  /** Ids of the exchanges that show the failure. */
  exchanges: string[];
}

/**
 * Tries drawn inputs until one breaks the requirement.
 * @param holds throws Nonconformance for an input that breaks the requirement, Inconclusive for one that shows nothing
 * @returns the smallest failing input found; undefined when none fails
 * @throws Blocked, and Inconclusive or Skipped when no input was conclusive
 */
export async function search<T>(
  t: Context,
  drawn: fc.Arbitrary<T>,
  { inputs, examples = [], shrinkingRequests = SHRINKING_REQUESTS }: Effort<T>,
  holds: (value: T) => Promise<unknown>,
): Promise<Counterexample<T> | undefined> {
  const { seed, thorough } = t.run.configuration.run;
  let smallest: Counterexample<T> | undefined;
  let mostExchanges = Number.POSITIVE_INFINITY;
  let conclusive = 0;
  let silent: Inconclusive | Skipped | undefined;
  let broken: unknown;

  const keeps = async (value: T): Promise<boolean> => {
    if (broken !== undefined || silent instanceof Skipped || t.exchanges.length >= mostExchanges) return true;
    const before = t.exchanges.length;
    try {
      await holds(value);
      conclusive++;
    } catch (error) {
      if (error instanceof Nonconformance) {
        smallest = { value, contradiction: error, exchanges: t.exchanges.slice(before) };
        mostExchanges = Math.min(mostExchanges, t.exchanges.length + shrinkingRequests);
        return false;
      }
      if (error instanceof Inconclusive || error instanceof Skipped) silent = error;
      else broken = error;
    }
    return true;
  };

  await fc.check(fc.asyncProperty(drawn, keeps), {
    seed,
    numRuns: examples.length + inputs * (thorough ? THOROUGH : 1),
    examples,
    ignoreEqualValues: true,
  });
  if (smallest) return smallest;
  if (broken !== undefined) throw broken;
  if (conclusive === 0 && silent) throw silent;
  return undefined;
}

/** Describes a failing input, and the options that draw it again. */
export function smallestInput(t: Context, input: string): string {
  const { seed, thorough } = t.run.configuration.run;
  return `the smallest generated input that shows it: ${input} (--seed ${seed}${thorough ? ' --thorough' : ''})`;
}
