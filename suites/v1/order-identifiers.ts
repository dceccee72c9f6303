/** Identifiers in the answer of an order, whose shape is not documented. */
import { type Answer, bodyOf, describe, isObject, succeeded } from '../../helpers/answer.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';

/** Members of a JSON value at any depth; the items of a list have the name of the list. */
export function* members(value: unknown, name = ''): Generator<{ name: string; value: unknown }> {
  if (Array.isArray(value)) for (const item of value) yield* members(item, name);
  else if (isObject(value)) for (const [inner, part] of Object.entries(value)) yield* members(part, inner);
  else yield { name, value };
}

/** Names of what identifies an order or a card; failing these, of what may do so. */
const SURE = /proxy|^order_?(id|identifier|number|no|ref|reference)$/i;
const LIKELY = /^(id|identifier|number|reference|confirmation(id|number)?)$/i;

/** Identifiers that a message names. */
const MOST_NAMED = 5;

/** Values of the members that identify what an order made: not what the order itself sent. */
function identifiers(answer: Answer, names: RegExp): Set<string> {
  const sent = new Set([...members(answer.input.json)].map(({ value }) => String(value)));
  const named = [...members(bodyOf(answer))].filter(
    ({ name, value }) => names.test(name) && ['string', 'number', 'bigint'].includes(typeof value),
  );
  return new Set(named.map(({ value }) => String(value)).filter((value) => value !== '' && !sent.has(value)));
}

/**
 * The second of two orders is refused, or its answer repeats the identifiers of the first and so makes nothing new (reading 44).
 * @throws Nonconformance when it has identifiers of its own, Inconclusive when the answers hold none
 */
export function madeNoSecond(first: Answer, second: Answer, what: 'order' | 'load'): void {
  if (!succeeded(second)) return;
  for (const names of [SURE, LIKELY]) {
    const earlier = identifiers(first, names);
    const later = identifiers(second, names);
    const [other] = later.difference(earlier);
    if (earlier.size > 0 && other !== undefined)
      fail(`a second ${what} with the same externalIdentifier is made`, {
        expected: `a refusal, or the identifiers of the first: ${[...earlier].slice(0, MOST_NAMED).join(', ')}`,
        actual: `${describe(second)}, identified by ${other}`,
      });
    if (earlier.size > 0 && later.size > 0) return;
  }
  inconclusive(
    `the second ${what} is answered with ${describe(second)}, and no identifiers tell whether it is another one`,
  );
}
