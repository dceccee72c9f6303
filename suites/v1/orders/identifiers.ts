/** Identifiers in the answer of an order, whose shape is not documented. */
import { type Answer, bodyOf, describe, isObject, succeeded } from '../../../helpers/answer.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';

/** Members of a JSON value at any depth; the items of a list have the name of the list. */
export function* members(value: unknown, name?: string): Generator<{ name: string; value: unknown }> {
  if (name !== undefined) yield { name, value };
  if (Array.isArray(value)) for (const item of value) yield* members(item, name);
  else if (isObject(value)) for (const [inner, part] of Object.entries(value)) yield* members(part, inner);
}

/** Names of what identifies an order or a card; failing these, of what may do so. */
const SURE = /(proxy|proxies|proxy_?(id|identifier|number|no)s?)$|^order_?(id|identifier|number|no|ref|reference)$/i;
const LIKELY = /^(id|identifier|number|reference|confirmation(id|number)?)$/i;

/** By name: the values of the members that identify what an order made. What the order itself sent is not among them. */
function identifiers(answer: Answer, names: RegExp): Map<string, Set<string>> {
  const sent = new Set([...members(answer.input.json)].map(({ value }) => String(value)));
  const found = new Map<string, Set<string>>();
  for (const { name, value } of members(bodyOf(answer))) {
    const isScalar = ['string', 'number', 'bigint'].includes(typeof value);
    if (!names.test(name) || !isScalar || value === '' || sent.has(String(value))) continue;
    if (!found.has(name)) found.set(name, new Set());
    found.get(name)!.add(String(value));
  }
  return found;
}

/**
 * The second of two orders is refused, or its answer repeats the identifiers of the first and so makes nothing new (reading 44).
 * @throws Nonconformance when it has another one by the same name, Inconclusive when no name is in both answers
 */
export function madeNoSecond(first: Answer, second: Answer, what: string): void {
  if (!succeeded(second)) return;
  for (const names of [SURE, LIKELY]) {
    const earlier = identifiers(first, names);
    const later = [...identifiers(second, names)].filter(([name]) => earlier.has(name));
    for (const [name, values] of later) {
      const other = [...values].find((value) => !earlier.get(name)!.has(value));
      if (other !== undefined)
        fail(`a second ${what} with the same externalIdentifier is made`, {
          expected: `a refusal, or the ${name} of the first: ${[...earlier.get(name)!][0]}`,
          actual: `${describe(second)}, with the ${name} ${other}`,
        });
    }
    if (later.length > 0) return;
  }
  inconclusive(
    `the second ${what} is answered with ${describe(second)}, and no identifiers tell whether it is another one`,
  );
}
