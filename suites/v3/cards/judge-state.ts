/** Judges the state of a card by its record. */
import type { Context } from '../../../helpers/context.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { recordIsLeftBehind } from './scenarios/suspension.ts';

/** @throws Nonconformance, or Inconclusive where getStatus does not refresh the record by which states are judged */
export async function failByRecord(t: Context, message: string, expected: string, actual: string): Promise<never> {
  if (await recordIsLeftBehind(t)) inconclusive(`${message}, but getStatus was seen not to refresh the record`);
  return fail(message, { expected, actual, pointer: '/status' });
}
