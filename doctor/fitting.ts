/** Searches for an address or template that works in place of the configured one. */
import type { Answer } from '../helpers/answer.ts';
import { TransportError } from '../helpers/client/http/types.ts';

/** The answer, or undefined if none arrived. */
export async function attempted(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TransportError) return undefined;
    throw error;
  }
}

/**
 * The first candidate at which the interface answers.
 * @param shows whether the interface answers there; with `control` it requests something that exists nowhere: a
 * candidate where that succeeds too proves nothing
 */
export async function firstWorking<T>(
  candidates: readonly T[],
  shows: (candidate: T, control: boolean) => Promise<boolean>,
): Promise<T | undefined> {
  for (const candidate of candidates)
    if ((await shows(candidate, false)) && !(await shows(candidate, true))) return candidate;
  return undefined;
}
