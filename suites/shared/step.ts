/** Steps of a scenario that may fail alone: what one of them meets does not hide what the others found. */
import { Nonconformance, Verdict } from '../../helpers/verdict.ts';

/** What a step came to: its facts, or the verdict that ended it, thrown when the facts are asked for. */
export type Step<T> = () => T;

/** Does a step of a scenario. Never throws. */
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
 * Makes each judgement, so that what one leaves open hides nothing that another finds broken.
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

/** The facts of the steps that came to some. @throws what ended one and is no verdict */
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
