/** A PIN that is set does not come back (reading 30). */
import { bodyOf, isObject, memberOf, succeeded } from '../../../helpers/answer.ts';
import { everyExchange } from '../../declare.ts';

everyExchange('cards.setPin.pin-not-echoed', 'cards.setPin', (answer) => {
  const pin = memberOf(answer.input.json, 'pin');
  if (typeof pin !== 'string') return undefined;
  const echoed = namesOf(bodyOf(answer), pin).find(saysPin);
  if (echoed === undefined) return succeeded(answer) ? 'kept' : undefined;
  return { message: `the answer contains the PIN in the member ${echoed}` };
});

/** Names of all members, nested ones included, whose value is this text or the equivalent number. */
function namesOf(value: unknown, text: string): string[] {
  if (!Array.isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item !== 'object' && String(item) === text ? name : namesOf(item, text),
  );
}

/** Whether a name, in camel case or with separators, has the word: `shipping` does not. */
const saysPin = (name: string): boolean =>
  /(?<![a-z0-9])pin(?![a-z0-9])/.test(name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase());
