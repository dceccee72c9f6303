/** Identifiers in the answer of an order, whose shape is not documented. */
import { type Answer, bodyOf, describe, isObject, memberOf, succeeded } from '../../../helpers/answer.ts';
import type { Run } from '../../../helpers/run.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';

/** Members of a JSON value at any depth; the items of a list have the name of the list. */
export function* members(
  value: unknown,
  name?: string,
  of?: string,
): Generator<{ name: string; of?: string; value: unknown }> {
  if (name !== undefined) yield { name, value, ...(of === undefined ? {} : { of }) };
  if (Array.isArray(value)) for (const item of value) yield* members(item, name, of);
  else if (isObject(value)) for (const [inner, part] of Object.entries(value)) yield* members(part, inner, name);
}

/** Names of what identifies a card, and of what identifies an order. */
const PROXY = /(proxy|proxies|proxy_?(id|identifier|number|no)s?)$/i;
const ORDER = /^order_?(id|identifier|number|no|ref|reference)$/i;
/** Names that identify an order where they stand in a member that is called so: elsewhere they may be of the answer alone. */
const OF_ORDER = /^(id|identifier|number|reference)$/i;

type Kind = 'proxy' | 'order';

function kindOf(name: string, of: string | undefined): Kind | undefined {
  if (PROXY.test(name)) return 'proxy';
  return ORDER.test(name) || (OF_ORDER.test(name) && /^orders?$/i.test(of ?? '')) ? 'order' : undefined;
}

/** By kind and name: the values of the members that identify what an order made. What the order itself sent is not among them, nor what stands for a value. */
function identifiers(answer: Answer): Record<Kind, Found> {
  const sent = new Set([...members(answer.input.json)].map(({ value }) => String(value)));
  const found = { proxy: new Map() as Found, order: new Map() as Found };
  for (const { name, of, value } of members(bodyOf(answer))) {
    const kind = kindOf(name, of);
    const isScalar = ['string', 'number', 'bigint'].includes(typeof value);
    if (!kind || !isScalar || isUnset(String(value)) || isCount(name, value) || sent.has(String(value))) continue;
    found[kind].set(name, (found[kind].get(name) ?? new Set()).add(String(value)));
  }
  return found;
}

/** Stands for a value that is masked, or still to come: ********, PENDING. */
const isUnset = (value: string): boolean => value === '' || /^\D{4,}$/.test(value);

/** Says how many there are: remainingProxies. */
const isCount = (name: string, value: unknown): boolean =>
  typeof value === 'number' && /s$/i.test(name) && value < MOST_COUNTED;
const MOST_COUNTED = 1e6;

type Found = Map<string, Set<string>>;

/** Whether an answer repeats identifiers of one kind of an earlier one: by some name that is in both they have one in common. Undefined when no name is in both. */
function repeats(earlier: Found, later: Found): boolean | undefined {
  const inBoth = [...later].filter(([name]) => earlier.has(name));
  return inBoth.length === 0
    ? undefined
    : inBoth.some(([name, values]) => [...values].some((value) => isAmong(earlier.get(name)!, value)));
}

/** Whether one of the values is this one, which may be masked where another is not: ****4711. */
const isAmong = (values: ReadonlySet<string>, value: string): boolean =>
  values.has(value) || [...values].some((one) => isMaskOf(one, value) || isMaskOf(value, one));

const isMaskOf = (masked: string, value: string): boolean =>
  MASKED.test(masked) && !MASKED.test(value) && value.endsWith(masked.replace(MASKED, ''));
const MASKED = /^([*•x#])\1+/i;

const whole = (found: Found): Found => found;

/** Of what identifies an order what the documents name (Order rules, 2). */
const orderIdAlone = (found: Found): Found => new Map([...found].filter(([name]) => name === 'orderId'));

/**
 * The second of two orders is refused, or its answer repeats the identifiers of the first and so makes nothing new (reading 44). It may hold others
 * beside these: a number of the answer, cards of the first order that were made meanwhile. Where both have proxies, these decide.
 * @throws Nonconformance when all are others, Inconclusive when no name is in both answers, or orders that have nothing in common are answered alike
 */
export function expectNoSecond(run: Run, first: Answer, second: Answer, what: string): void {
  if (!succeeded(second)) return;
  const [earlier, later] = [identifiers(first), identifiers(second)];
  const others = othersOf(run, first).map(identifiers);
  for (const kind of ['proxy', 'order'] as const) {
    const isShared = (of: (found: Found) => Found) => others.some((one) => repeats(of(one[kind]), of(earlier[kind])));
    const isRepeated = (of: (found: Found) => Found) => repeats(of(earlier[kind]), of(later[kind]));
    // Where something is alike in all orders, such as the number of a day, the orderId still tells them apart.
    const telling = isRepeated(whole) && isShared(whole) ? orderIdAlone : whole;
    if (isRepeated(whole) && (isRepeated(telling) === undefined || isShared(telling)))
      inconclusive(
        `the second ${what} is answered as the first, and so are orders that have nothing in common with it`,
      );
    if (isRepeated(telling)) return;
    if (isRepeated(telling) === undefined) continue;
    const [name, values] = [...telling(later[kind])].find((one) => earlier[kind].has(one[0]))!;
    fail(`a second ${what} is made`, {
      expected: `a refusal, or the ${name} of the first: ${[...earlier[kind].get(name)!][0]}`,
      actual: `${describe(second)}, with the ${name} ${[...values][0]}`,
      in: second,
    });
  }
  inconclusive(
    `the second ${what} is answered with ${describe(second)}, and no identifiers show whether it is another one`,
  );
}

/** Characters of an identifier that no two things have by chance, though each program numbers its own. */
const TELLING_LENGTH = 8;

/**
 * The second order is one of its own: its answer holds something else than what identifies the first. What is made of the externalIdentifier
 * that both have identifies neither, nor does what others have, too: the order of a day, or a proxy to come.
 * @param others answers to other orders
 * @throws Nonconformance when it does not
 */
export function expectAnother(first: Answer, second: Answer, others: readonly Answer[], what: string): void {
  const identifier = String(memberOf(second.input.json, 'externalIdentifier'));
  const common = new Set(others.flatMap(named).map(({ value }) => value));
  const [earlier, later] = [first, second].map((answer) =>
    named(answer).filter(
      ({ value }) => value.length >= TELLING_LENGTH && !value.includes(identifier) && !common.has(value),
    ),
  ) as [Named[], Named[]];
  const isRepeated = ({ name, value }: Named) => earlier.some((one) => one.name === name && one.value === value);
  const [repeated] = later;
  if (repeated && later.every(isRepeated))
    fail(`${what} is answered as an earlier one`, {
      expected: `a ${repeated.name} of its own`,
      actual: `${describe(second)}, with the ${repeated.name} ${repeated.value} of the earlier order`,
      in: second,
    });
}

interface Named {
  name: string;
  value: string;
}

function named(answer: Answer): Named[] {
  const { proxy, order } = identifiers(answer);
  return [...proxy, ...order].flatMap(([name, values]) => [...values].map((value) => ({ name, value })));
}

/** What is unique in an order: its externalIdentifier, and what its cards have of their own. */
const uniqueIn = ({ input: { json } }: Answer): string[] =>
  [...members(json)]
    .filter(({ name }) => name === 'externalIdentifier' || name === 'otherInfo')
    .map(({ name, value }) => `${memberOf(json, 'custProgId')} ${name} ${value}`);

/** Orders that were accepted, by run and by what is unique in them. */
const accepted = new WeakMap<Run, Map<string, Answer[]>>();

/** Whether an order that was accepted has something unique of an earlier one, and is answered with what identifies that one: it makes nothing new. */
export function isRepeated(run: Run, answer: Answer): boolean {
  const known = accepted.get(run) ?? new Map<string, Answer[]>();
  accepted.set(run, known);
  const unique = uniqueIn(answer);
  const earlier = unique.flatMap((value) => known.get(value) ?? []);
  for (const value of unique) known.set(value, [...(known.get(value) ?? []), answer]);
  return earlier.some((first) => {
    const [one, other] = [identifiers(first), identifiers(answer)];
    return repeats(one.proxy, other.proxy) ?? repeats(one.order, other.order);
  });
}

/** Answers to orders that have nothing unique in common with this one. */
function othersOf(run: Run, answer: Answer): Answer[] {
  const unique = new Set(uniqueIn(answer));
  const all = new Set([...(accepted.get(run)?.values() ?? [])].flat());
  return [...all].filter((one) => uniqueIn(one).every((value) => !unique.has(value)));
}

/** Whether an answer shows a card: its proxy may still be to come. */
export const showsCard = (answer: Answer): boolean => identifiers(answer).proxy.size > 0;

/**
 * No card is made of an order: it is refused, or its answer has no proxy but those of earlier orders (reading 44).
 * @param besides how many other cards the order is for, each of which may have a proxy of its own
 * @throws Nonconformance when it has another proxy; Inconclusive when no earlier one has a proxy, or only its orderId is another one, whose cards are not shown
 */
export function expectNoCard(earlier: readonly Answer[], answer: Answer, what: string, besides = 0): void {
  if (!succeeded(answer)) return;
  const known = (kind: Kind) =>
    new Set(earlier.flatMap((one) => [...identifiers(one)[kind].values()].flatMap((values) => [...values])));
  const found = identifiers(answer);
  /** By name, since a card may have a proxy and its number. */
  const fresh = (kind: Kind) =>
    [...found[kind].values()].map((values) => [...values].filter((value) => !isAmong(known(kind), value)));
  const proxies = fresh('proxy').find(({ length }) => length > besides);
  if (proxies && !earlier.some(showsCard))
    inconclusive(`${what} is answered with ${describe(answer)} and a proxy, and no earlier order with any`);
  if (proxies)
    fail(`${what} makes a card`, {
      expected: besides === 0 ? 'a refusal, or no proxy' : `a refusal, or proxies of ${besides}`,
      actual: `${describe(answer)}, with the proxy ${proxies.join(' and ')}`,
      in: answer,
    });
  if (fresh('order').some(({ length }) => length > 0))
    inconclusive(`${what} is answered with ${describe(answer)} and an order, which may be without the card`);
}

/**
 * Of two orders for a card at the same moment one makes none, whichever the target took first.
 * @throws Nonconformance, Inconclusive as {@link expectNoCard}
 */
export function expectOneCard(one: Answer, other: Answer, what: string): void {
  try {
    expectNoCard([one], other, what);
  } catch {
    expectNoCard([other], one, what);
  }
}
