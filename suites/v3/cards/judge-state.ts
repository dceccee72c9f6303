/** Judges the state of a card by its record. */
import { succeeded } from '../../../helpers/answer.ts';
import type { CardState } from '../../../helpers/cards/card-state.ts';
import type { Context } from '../../../helpers/context.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { recordIsLeftBehind } from './scenarios/suspension.ts';
import { differ, type Transition } from './scenarios/transition.ts';

/** @throws Nonconformance, or Inconclusive where getStatus does not refresh the record by which states are judged */
export async function failByRecord(t: Context, message: string, expected: string, actual: string): Promise<never> {
  if (await recordIsLeftBehind(t)) inconclusive(`${message}, but getStatus was seen not to refresh the record`);
  return fail(message, { expected, actual, pointer: '/status' });
}

/** The state after an accepted operation. @throws Inconclusive where it was refused, or calls before it had changed the card */
export function requireStateAfter({ before, untouched, answer, after }: Transition): CardState {
  if (!succeeded(answer())) inconclusive(`it is refused with status ${answer().status}`);
  if (differ(before, untouched())) inconclusive('calls that must be refused had changed the card before');
  if (after().status === undefined) inconclusive('the record of the card carries no status');
  return after();
}
