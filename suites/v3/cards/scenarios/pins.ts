/** PINs for cards. */
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/check.ts';

const PINS = ['3917', '4826', '5173', '6284', '7395', '8162', '9538'];

/** A random PIN of four digits, and one of six in case a target requires that: no years, sequences or repetitions. */
export function somePins(): [four: string, six: string] {
  const pin = PINS[Math.floor(Math.random() * PINS.length)]!;
  return [pin, `${pin}60`];
}

/** Sets a PIN of four digits or, if it is refused, one of six. @returns the last answer */
export async function setSomePin(t: Context, identifier: string, [four, six] = somePins()): Promise<Answer> {
  const set = (pin: string) => t.call('cards.setPin', { path: { identifier }, json: { pin } }, { intent: 'refusable' });
  const answer = await set(four);
  return succeeded(answer) ? answer : set(six);
}
