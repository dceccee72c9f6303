/**
 * Draws inputs by the seed of the run, tries each at the target, and shrinks one that breaks a requirement to the smallest
 * that does. The same seed draws the same inputs.
 */
import fc from 'fast-check';
import type { Context } from '../../helpers/context.ts';
import { Inconclusive, Nonconformance, Skipped, skip } from '../../helpers/verdict.ts';

/** Factor by which `--thorough` draws more inputs than the default run. */
const THOROUGH = 10;
/** Requests that shrinking may cost by default. */
const SHRINKING_REQUESTS = 20;
/** Characters of an input in a message. */
const LONGEST = 400;

/** Limits of a search's cost. */
export interface Limits {
  /** Maximum number of drawn inputs, with `--thorough` too. */
  most?: number;
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

/** Budgets of accepted CIP checks and orders: the part reserved for other checks, and the number of generated checks that share the rest. */
const COSTLY = {
  RUN_MAX_CIP_CHECKS: { others: 40, sharers: 3, limit: (t: Context) => t.run.configuration.run.maxCipChecks },
  RUN_MAX_ORDERS: { others: 55, sharers: 1, limit: (t: Context) => t.run.configuration.run.maxOrders },
};

/**
 * The number of inputs that a check may draw from a budget of accepted requests.
 * @throws Skipped when other checks may need the whole budget
 */
export function affordable(t: Context, variable: keyof typeof COSTLY): number {
  const { others, sharers, limit } = COSTLY[variable];
  const share = Math.floor((limit(t) - others) / sharers);
  return share > 0 ? share : skip(`needs ${variable} above ${others}, the number that other checks may need`);
}

/**
 * Asserts a requirement for all drawn inputs. The evidence of a failure is only that of the smallest failing input.
 * @param kinds generators, each drawn from on its own
 * @param inputs number of inputs that the default run draws of each kind
 * @throws Nonconformance naming the smallest failing input and the seed; otherwise as {@link search}
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

/** Describes a failing input, and the options that draw it again. */
export function smallestInput(t: Context, input: string): string {
  const { seed, thorough } = t.run.configuration.run;
  return `the smallest generated input that shows it: ${input} (--seed ${seed}${thorough ? ' --thorough' : ''})`;
}

function shown(value: unknown): string {
  const text = fc.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}
