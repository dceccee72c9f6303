/**
 * Generated input: draws inputs by the seed of the run, tries each at the target, and shrinks one that breaks a
 * requirement to the smallest that does. The same seed draws the same inputs.
 */
import fc from 'fast-check';
import type { Context } from '../../helpers/context.ts';
import { fail, Inconclusive, Nonconformance, Skipped } from '../../helpers/verdict.ts';

/** How many times the inputs of the default run are drawn with `--thorough`. */
const THOROUGH = 10;
/** Requests that shrinking may cost, unless a search says otherwise. */
const SHRINKING_REQUESTS = 20;
/** Longest text of an input in a message. */
const LONGEST = 400;

export interface Effort<T> {
  /** Inputs that the default run draws. */
  inputs: number;
  /** Inputs that are tried first, in every run. */
  examples?: [T][];
  /** Requests that making a failing input smaller may cost; what is under way is finished. */
  shrinkingRequests?: number;
}

export interface Counterexample<T> {
  value: T;
  contradiction: Nonconformance;
  /** The exchanges that show it. */
  exchanges: string[];
}

/**
 * Tries drawn inputs until one contradicts what is asserted of them all.
 * @param holds returns when the requirement is kept for an input; an input that cannot tell throws Inconclusive
 * @returns the smallest input found that contradicts; undefined when none does
 * @throws Blocked, and Inconclusive or Skipped when no input could tell
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
  let told = 0;
  let silent: Inconclusive | Skipped | undefined;
  let broken: unknown;

  const keeps = async (value: T): Promise<boolean> => {
    if (broken !== undefined || silent instanceof Skipped || t.exchanges.length >= mostExchanges) return true;
    const before = t.exchanges.length;
    try {
      await holds(value);
      told++;
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
  if (told === 0 && silent) throw silent;
  return undefined;
}

/**
 * Asserts something of all inputs that are drawn. The evidence of a failure is that of the smallest input alone.
 * @param kinds of input, so many of each
 * @throws Nonconformance naming the smallest input that contradicts and the seed; otherwise as `search`
 */
export async function forAll<T>(
  t: Context,
  kinds: fc.Arbitrary<T> | readonly fc.Arbitrary<T>[],
  inputs: number,
  holds: (value: T) => Promise<unknown>,
): Promise<void> {
  for (const drawn of [kinds].flat()) {
    const found = await search(t, drawn, { inputs }, holds);
    if (!found) continue;
    const { contradiction, value, exchanges } = found;
    t.exchanges.splice(0, t.exchanges.length, ...exchanges);
    fail(`${contradiction.message}; ${smallestInput(t, shown(value))}`, contradiction.difference);
  }
}

/** Names an input and how it is drawn again. */
export function smallestInput(t: Context, input: string): string {
  const { seed, thorough } = t.run.configuration.run;
  return `the smallest generated input that shows it: ${input} (--seed ${seed}${thorough ? ' --thorough' : ''})`;
}

function shown(value: unknown): string {
  const text = fc.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}
