/** Finds identifiers in the answer to an order, whose shape is not documented. */
import { type Answer, allMembers, bodyOf, describe, memberOf, succeeded } from '../../../helpers/answer.ts';
import { contradiction, kept, nothing, type Shown } from '../../../helpers/evidence/monitor.ts';
import { oncePer } from '../../../helpers/once-per.ts';
import { fail } from '../../../helpers/verdict.ts';

/** Names of members that identify a card, and of those that identify an order. */
const PROXY = /(proxy|proxies|proxy_?(id|identifier|number|no)s?)$/i;
const ORDER = /^order_?(id|identifier|number|no|ref|reference)$/i;
/** Names that identify an order only within a member called order or orders: elsewhere they may number the answer. */
const OF_ORDER = /^(id|identifier|number|reference)$/i;

type Kind = 'proxy' | 'order';

function kindOf(name: string, of: string | undefined): Kind | undefined {
  if (PROXY.test(name)) return 'proxy';
  return ORDER.test(name) || (OF_ORDER.test(name) && /^orders?$/i.test(of ?? '')) ? 'order' : undefined;
}

interface Identifier {
  name: string;
  value: string;
}

/**
 * Identifiers in an answer, by kind, without values that the order sent, placeholders and counts; found once, since every repeated order is compared with
 * all others.
 */
const identifiers = oncePer((answer: Answer): Record<Kind, Identifier[]> => {
  const sent = new Set([...allMembers(answer.input.json)].map(({ value }) => String(value)));
  const found: Record<Kind, Identifier[]> = { proxy: [], order: [] };
  for (const { name, of, value } of allMembers(bodyOf(answer))) {
    const kind = kindOf(name, of);
    const isScalar = ['string', 'number', 'bigint'].includes(typeof value);
    if (!kind || !isScalar || isUnset(String(value)) || isCount(name, value) || sent.has(String(value))) continue;
    found[kind].push({ name, value: String(value) });
  }
  return found;
});

/** Whether a value is a placeholder, masked or pending: ********, PENDING. */
const isUnset = (value: string): boolean => value === '' || /^\D{4,}$/.test(value);

/** Whether a member counts things rather than identifying one: remainingProxies. */
const isCount = (name: string, value: unknown): boolean =>
  typeof value === 'number' && /s$/i.test(name) && value < MOST_COUNTED;
const MOST_COUNTED = 1e6;

/** Whether two answers share an identifier under the same name; undefined when they have no name in common. */
function repeats(earlier: readonly Identifier[], later: readonly Identifier[]): boolean | undefined {
  const earlierOf = ({ name }: Identifier) => earlier.filter((one) => one.name === name);
  const inBoth = later.filter((one) => earlierOf(one).length > 0);
  return inBoth.length === 0 ? undefined : inBoth.some((one) => isAmong(earlierOf(one), one.value));
}

/** Whether a value is among others, even if one side is masked: ****4711. */
const isAmong = (others: readonly Identifier[], value: string): boolean =>
  others.some((one) => one.value === value || isMaskOf(one.value, value) || isMaskOf(value, one.value));

const isMaskOf = (masked: string, value: string): boolean =>
  MASKED.test(masked) && !MASKED.test(value) && value.endsWith(masked.replace(MASKED, ''));
const MASKED = /^([*•x#])\1+/i;

type Chosen = (found: readonly Identifier[]) => readonly Identifier[];
const whole: Chosen = (found) => found;
/** Only the orderId, which the documents name (Order rules, 2). */
const orderIdAlone: Chosen = (found) => found.filter(({ name }) => name === 'orderId');

/**
 * Whether a repeated order is refused, or answered with an identifier of the first order, so that it creates nothing new (reading 44). Further
 * identifiers are allowed: a number of the answer, cards of the first order created meanwhile. Where both answers have proxies, these decide.
 * Nothing is shown when the answers have no name in common, or orders that have nothing in common share the identifier too.
 * @param what it is, for messages: an order with the same externalIdentifier
 */
export function secondOrder(first: Answer, second: Answer, history: readonly Answer[], what: string): Shown {
  const by = [first, second] as const;
  if (!succeeded(second)) return kept(by);
  const [earlier, later] = [identifiers(first), identifiers(second)];
  const others = acceptedOrders(history)
    .filter((one) => one !== first && !haveInCommon(one, first))
    .map(identifiers);
  for (const kind of ['proxy', 'order'] as const) {
    const isShared = (of: Chosen) => others.some((one) => repeats(of(one[kind]), of(earlier[kind])));
    const isRepeated = (of: Chosen) => repeats(of(earlier[kind]), of(later[kind]));
    // Where all orders share an identifier, such as the number of a day, the orderId still tells them apart.
    const telling = isRepeated(whole) && isShared(whole) ? orderIdAlone : whole;
    if (isRepeated(whole) && (isRepeated(telling) === undefined || isShared(telling)))
      return nothing(by, `${what} is answered as the first, but so are orders that have nothing in common with it`);
    if (isRepeated(telling)) return kept(by);
    if (isRepeated(telling) === undefined) continue;
    const valueUnder = (found: readonly Identifier[], name: string) => found.find((one) => one.name === name)?.value;
    const { name, value } = telling(later[kind]).find((one) => valueUnder(earlier[kind], one.name) !== undefined)!;
    const right = `a refusal, or the ${name} of the first: ${valueUnder(earlier[kind], name)}`;
    return contradiction(by, `${what} is created`, right, `${describe(second)}, with the ${name} ${value}`);
  }
  const reason = `${what} is answered with ${describe(second)}, and no identifiers show whether it created anything`;
  return nothing(by, reason);
}

/** Characters from which an identifier cannot be equal by chance, even if each program numbers its own orders. */
const TELLING_LENGTH = 8;

/**
 * Expects the second order to be a new one: its answer has an identifier that the first has not. Identifiers derived from the
 * shared externalIdentifier, or found in other orders as well, don't count.
 * @param others answers to other orders
 * @throws Nonconformance when the answer has only identifiers of the first
 */
export function expectAnother(first: Answer, second: Answer, others: readonly Answer[], what: string): void {
  const identifier = String(memberOf(second.input.json, 'externalIdentifier'));
  const named = (answer: Answer) => Object.values(identifiers(answer)).flat();
  const common = new Set(others.flatMap(named).map(({ value }) => value));
  const [earlier, later] = [first, second].map((answer) =>
    named(answer).filter(
      ({ value }) => value.length >= TELLING_LENGTH && !value.includes(identifier) && !common.has(value),
    ),
  ) as [Identifier[], Identifier[]];
  const isRepeated = ({ name, value }: Identifier) => earlier.some((one) => one.name === name && one.value === value);
  const [repeated] = later;
  if (repeated && later.every(isRepeated))
    fail(
      `${what} is answered as an earlier one`,
      `a ${repeated.name} of its own`,
      `${describe(second)}, with the ${repeated.name} ${repeated.value} of the earlier order`,
      { in: second },
    );
}

/** The unique values of an order with program and name: externalIdentifiers at both levels, and otherInfo. */
const uniqueIn = oncePer(({ input: { json } }: Answer): readonly string[] =>
  [...allMembers(json)]
    .filter(({ name }) => name === 'externalIdentifier' || name === 'otherInfo')
    .map(({ name, value }) => `${memberOf(json, 'custProgId')} ${name} ${value}`),
);

const acceptedOrders = (history: readonly Answer[]): Answer[] =>
  history.filter((answer) => answer.operation.id === 'portal.orderCards' && succeeded(answer));

const haveInCommon = (one: Answer, other: Answer): boolean => {
  const unique = uniqueIn(other);
  return uniqueIn(one).some((value) => unique.includes(value));
};

/** Other accepted orders that share a unique value with one. */
const alikeIn = (history: readonly Answer[], answer: Answer): Answer[] =>
  acceptedOrders(history).filter((other) => other.exchange !== answer.exchange && haveInCommon(other, answer));

/** Whether an accepted order created nothing new: it shares a unique value and identifiers with an earlier one. */
export const isRepeated = (history: readonly Answer[], answer: Answer): boolean =>
  alikeIn(history, answer).some((first) => {
    const [one, other] = [identifiers(first), identifiers(answer)];
    return repeats(one.proxy, other.proxy) ?? repeats(one.order, other.order);
  });

/** Whether some accepted order shares a unique value with another one, and does not show that it created nothing new. */
export const isAnySecond = (history: readonly Answer[]): boolean =>
  acceptedOrders(history).some((one) => alikeIn(history, one).length > 0 && !isRepeated(history, one));

/** Whether an answer shows the proxy of a card; it may be pending. */
export const showsCard = (answer: Answer): boolean => identifiers(answer).proxy.length > 0;

/**
 * Whether an order creates no card: it is refused, or its answer has no proxies except those of earlier orders (reading 44). Nothing is shown
 * when no earlier answer has a proxy, or only the orderId is new.
 * @param besides number of other cards in the order, each of which may have a new proxy
 */
export function newCard(earlier: readonly [Answer, ...Answer[]], answer: Answer, what: string, besides = 0): Shown {
  const by = [earlier[0], answer] as const;
  if (!succeeded(answer)) return kept(by);
  /** By member name, since a card may have both a proxy and a proxy number. */
  const fresh = (kind: Kind) => {
    const known = earlier.flatMap((one) => identifiers(one)[kind]);
    const unknown = identifiers(answer)[kind].filter(({ value }) => !isAmong(known, value));
    const byName = Map.groupBy(unknown, ({ name }) => name);
    return [...byName].map(([, found]) => [...new Set(found.map(({ value }) => value))]);
  };
  const proxies = fresh('proxy').find(({ length }) => length > besides);
  const open = (why: string): Shown => nothing(by, `${what} is answered with ${describe(answer)} and ${why}`);
  if (answer.leftOut?.body) return open('its body is not known');
  if (proxies && !earlier.some(showsCard)) return open('a proxy, but no earlier order was answered with one');
  if (proxies)
    return contradiction(
      by,
      `${what} creates a card`,
      besides === 0 ? 'a refusal, or no proxy' : `a refusal, or at most ${besides} new proxy`,
      `${describe(answer)}, with the proxy ${proxies.join(' and ')}`,
    );
  if (fresh('order').some(({ length }) => length > 0)) return open('a new order, which may have no card');
  return kept(by);
}
