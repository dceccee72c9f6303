/** Steps of a scenario that may fail alone: what one of them meets does not hide what the others found. */

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

/** The facts of the steps that came to some. */
export function values<T>(steps: readonly Step<T>[]): T[] {
  return steps.flatMap((step) => {
    try {
      return [step()];
    } catch {
      return [];
    }
  });
}
