/** Steps of a scenario that may fail independently: a failed step does not hide what the others found. */
import { Nonconformance, Verdict } from '../../helpers/verdict.ts';

/** The result of a step: a function that returns its value, or throws the error that ended it. */
export type Step<T> = () => T;

/** Runs a step of a scenario and keeps its value or error. Never throws. */
export async function attempt<T>(step: () => Promise<T>): Promise<Step<T>> {
  try {
    const facts = await step();
    return () => facts;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/**
 * Runs every judgement, so that an inconclusive one does not hide a failure that another finds.
 * @throws the first Nonconformance, else the first other verdict
 */
export function judgeEach(judgements: Iterable<() => void>): void {
  let open: { error: unknown } | undefined;
  for (const judge of judgements)
    try {
      judge();
    } catch (error) {
      if (error instanceof Nonconformance) throw error;
      open ??= { error };
    }
  if (open) throw open.error;
}

/** The values of the steps that succeeded. @throws any error of a step that is not a verdict */
export function values<T>(steps: readonly Step<T>[]): T[] {
  return steps.flatMap((step) => {
    try {
      return [step()];
    } catch (error) {
      if (error instanceof Verdict) return [];
      throw error;
    }
  });
}
