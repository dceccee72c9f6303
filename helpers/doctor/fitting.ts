/** Looks for what fits instead of a configured address or template. */
import type { Answer } from '../answer.ts';
import { TransportError } from '../target/http/types.ts';

/** The answer, or undefined when none came. */
export async function attempted(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TransportError) return undefined;
    throw error;
  }
}

/**
 * The first candidate that shows the interface.
 * @param shows whether there is the interface; `control` asks for what exists nowhere: a candidate that shows that too proves nothing
 */
export async function firstFitting<T>(
  candidates: readonly T[],
  shows: (candidate: T, control: boolean) => Promise<boolean>,
): Promise<T | undefined> {
  for (const candidate of candidates)
    if ((await shows(candidate, false)) && !(await shows(candidate, true))) return candidate;
  return undefined;
}
