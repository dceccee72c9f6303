/**
 * Generated input: draws inputs by the seed of the run, tries each at the target, and shrinks one that breaks a
 * requirement to the smallest that does. The same seed draws the same inputs.
 */
import fc from 'fast-check';
import type { Context } from '../../helpers/context.ts';
import { Inconclusive, Nonconformance, Skipped, skip } from '../../helpers/verdict.ts';

/** How many times the inputs of the default run are drawn with `--thorough`. */
const THOROUGH = 10;
/** Requests that shrinking may cost, unless a search says otherwise. */
const SHRINKING_REQUESTS = 20;
/** Longest text of an input in a message. */
const LONGEST = 400;

/** What a search may cost. */
export interface Limits {
  /** Inputs that are drawn at most, `--thorough` or not. */
  most?: number;
  /** Requests that making a failing input smaller may cost; what is under way is finished. */
  shrinkingRequests?: number;
}

/** What a search tries. */
export interface Effort<T> extends Limits {
  /** Inputs that the default run draws. */
  inputs: number;
  /** Inputs that are tried first, in every run. */
  examples?: [T][];
}

/** The smallest input that was found to fail, and how it fails. */
export interface Counterexample<T> {
  value: T;
  contradiction: Nonconformance;
  /** The exchanges that show it. */
  exchanges: string[];
}

/**
 * Tries drawn inputs until one contradicts what is asserted of them all.
 * @param holds returns when the requirement is kept for an input; an input that is inconclusive throws Inconclusive
 * @returns the smallest input found that contradicts; undefined when none does
 * @throws Blocked, and Inconclusive or Skipped when no input was conclusive
 */
export async function search<T>(
  t: Context,
  drawn: fc.Arbitrary<T>,
  { inputs, examples = [], most = Number.POSITIVE_INFINITY, shrinkingRequests = SHRINKING_REQUESTS }: Effort<T>,
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
    numRuns: examples.length + Math.min(most, inputs * (thorough ? THOROUGH : 1)),
    examples,
    ignoreEqualValues: true,
  });
  if (smallest) return smallest;
  if (broken !== undefined) throw broken;
  if (conclusive === 0 && silent) throw silent;
  return undefined;
}

/** Accepted CIP checks and orders that the other checks may need, and the generated checks that share the rest of what is allowed. */
const COSTLY = {
  RUN_MAX_CIP_CHECKS: { others: 40, sharers: 3, limit: (t: Context) => t.run.configuration.run.maxCipChecks },
  RUN_MAX_ORDERS: { others: 55, sharers: 1, limit: (t: Context) => t.run.configuration.run.maxOrders },
};

/**
 * How many inputs a check may draw whose requests are accepted, and cost.
 * @throws Skipped when the others may need all that is allowed
 */
export function affordable(t: Context, variable: keyof typeof COSTLY): number {
  const { others, sharers, limit } = COSTLY[variable];
  const share = Math.floor((limit(t) - others) / sharers);
  return share > 0 ? share : skip(`needs ${variable} of more than ${others}, which the other checks may need`);
}

/**
 * Asserts something of all inputs that are drawn. The evidence of a failure is that of the smallest input alone.
 * @param kinds of input
 * @param inputs of each kind that the default run draws
 * @throws Nonconformance naming the smallest input that contradicts and the seed; otherwise as `search`
 */
export async function forAll<T>(
  t: Context,
  kinds: fc.Arbitrary<T> | readonly fc.Arbitrary<T>[],
  inputs: number,
  holds: (value: T) => Promise<unknown>,
  limits: Limits = {},
): Promise<void> {
  for (const drawn of [kinds].flat()) {
    const found = await search(t, drawn, { inputs, ...limits }, holds);
    if (!found) continue;
    const { value, exchanges } = found;
    const { message, difference, shownBy } = found.contradiction;
    t.exchanges.splice(0, t.exchanges.length, ...exchanges);
    throw new Nonconformance(`${message}; ${smallestInput(t, shown(value))}`, difference, shownBy);
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
