import type { Choices, Reply, Rule } from './choices.ts';
import type { Exchange } from './exchange.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { OperationId } from './operation-ids.ts';
import type { Reason } from './reasons.ts';

/** One operation, or several. */
export type Operations = OperationId | readonly OperationId[];

/** Operations whose answers show card records. */
const cardReads = ['cards.get', 'cards.list', 'cards.listRelated'] as const;

/** Operations that move a card from state to state. */
export const cardMoves = (['activate', 'close', 'suspend', 'unsuspend', 'unmarkFraud', 'markLost'] as const).map(
  (name) => `cards.${name}` as const,
);

/** Operations on one card that change something. */
export const cardWrites = [
  ...cardMoves,
  ...(['markWalletProvisioned', 'reissue', 'setPin', 'transfer'] as const).map((name) => `cards.${name}` as const),
];

/** Whether an operation is one of the given ones. */
export const isOneOf = (operation: OperationId, meant: Operations): boolean => [meant].flat().includes(operation);

/** Whether an answer has a status of success. */
export const succeeded = ({ status }: Reply): boolean => status < 300;

/** Calls a hook for every answer of some operations before it is sent. */
export function onReply(
  choices: Choices,
  meant: Operations,
  change: (reply: Reply, x: Exchange) => void | Promise<void>,
): void {
  choices.after.push((reply, x) => (isOneOf(x.operation, meant) ? change(reply, x) : undefined));
}

/** Calls a hook for every successful answer of some operations whose body is an object. */
export function onBody(choices: Choices, meant: Operations, change: (body: JsonObject, x: Exchange) => void): void {
  onReply(choices, meant, (reply, x) => {
    if (succeeded(reply) && isObject(reply.body)) change(reply.body, x);
  });
}

/** The records of a list in a body; empty if there is no such list. */
export function recordsOf(body: JsonObject, name: string): JsonObject[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

type OnRecord = (record: JsonObject, x: Exchange, index: number) => void;

/** Calls a hook for every card record in an answer. */
export function onCards(choices: Choices, change: OnRecord, meant: Operations = cardReads): void {
  onBody(choices, meant, (body, x) => {
    const records = 'results' in body ? recordsOf(body, 'results') : [body];
    for (const [index, card] of records.entries()) change(card, x, index);
  });
}

/** Calls a hook for every record of some portal listings. */
export function onItems(choices: Choices, meant: Operations, change: OnRecord): void {
  onBody(choices, meant, (body, x) => {
    for (const [index, item] of recordsOf(body, 'items').entries()) change(item, x, index);
  });
}

/** Operations that list portal customers. */
export const customerLists = ['portal.getCustomerList', 'portal.getCustomerHierarchy'] as const;

/** Members to write into a record, or a function that derives them from it. */
export type Members = JsonObject | ((record: JsonObject, x: Exchange) => JsonObject);

function write(record: JsonObject, members: Members, x: Exchange): void {
  Object.assign(record, typeof members === 'function' ? members(record, x) : members);
}

/** Writes members into the body of successful answers of some operations. */
export function bodyWith(choices: Choices, meant: Operations, members: Members): void {
  onBody(choices, meant, (body, x) => write(body, members, x));
}

/** Writes members into every card record in an answer. */
export function cardsWith(choices: Choices, members: Members): void {
  onCards(choices, (card, x) => write(card, members, x));
}

/** Writes members into the cardholder of every card record in an answer. */
export function holdersWith(choices: Choices, members: Members): void {
  onCards(choices, ({ cardholder }, x) => {
    if (isObject(cardholder)) write(cardholder, members, x);
  });
}

/** Writes members into every record of some portal listings. */
export function itemsWith(choices: Choices, meant: Operations, members: Members): void {
  onItems(choices, meant, (item, x) => write(item, members, x));
}

/** Adds a business rule of the target. */
export function rule(choices: Choices, meant: Operations, broken: Rule['broken'], status?: number): void {
  choices.rules.push({ operations: [meant].flat(), broken, status });
}

/** Keeps a value of the successful requests with the same key. @returns what is kept of a key, 0 at first */
function kept(choices: Choices, meant: Operations, key: (x: Exchange) => unknown, next: (was: number) => number) {
  const values = new Map<unknown, number>();
  const current = (x: Exchange) => values.get(key(x)) ?? 0;
  onReply(choices, meant, (reply, x) => {
    if (succeeded(reply)) values.set(key(x), next(current(x)));
  });
  return current;
}

/** Counts the successful requests with the same key. */
export const tally = (choices: Choices, meant: Operations, key: (x: Exchange) => unknown) =>
  kept(choices, meant, key, (count) => count + 1);

/** Measures the milliseconds since the last successful request with the same key. */
export function since(choices: Choices, meant: Operations, key: (x: Exchange) => unknown): (x: Exchange) => number {
  const last = kept(choices, meant, key, () => Date.now());
  return (x) => Date.now() - last(x);
}

/** Removes a member if the value is an object. */
export function drop(from: Json, name: string): void {
  if (isObject(from)) delete from[name];
}

/** Treats refusals of some operations for the given reasons in another way. */
const treating =
  (verdict: 'overlook' | 'refuse-afterwards') =>
  (
    choices: Choices,
    meant: Operations,
    reasons: Reason | readonly Reason[],
    when: (x: Exchange, field: string | undefined) => boolean = () => true,
  ): void => {
    choices.verdicts.push(({ reason, field }, x) => {
      return [reasons].flat().includes(reason) && isOneOf(x.operation, meant) && when(x, field) ? verdict : undefined;
    });
  };

/** Drops refusals of some operations for the given reasons. */
export const overlook = treating('overlook');

/** Postpones refusals of some operations for the given reasons until after the effect. */
export const heedless = treating('refuse-afterwards');

/** Answers some refusals with another status. */
export function statusWhen(choices: Choices, pick: Choices['statusFor']): void {
  const usual = choices.statusFor;
  choices.statusFor = (refusal, x) => pick(refusal, x) ?? usual(refusal, x);
}

/** Adds headers to an answer. */
export function addHeaders(reply: Reply, headers: Record<string, string>): void {
  reply.headers = { ...reply.headers, ...headers };
}

/** Waits. */
export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The items in an order that depends on the turn. */
export function shuffled<T>(items: readonly T[], turn: number): T[] {
  return items
    .map((item, i) => ({ item, rank: ((i + 3) * 7919 * (turn + 7)) % 10007 }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/** The cards of an order. */
export const orderedCards = ({ content }: Exchange): JsonObject[] => recordsOf(content, 'orderDetails');

/** All strings within a value. */
export function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** Whether all strings within a value consist of printable ASCII characters. */
export const isAscii = (value: Json): boolean => !textsOf(value).some((text) => /[^\x20-\x7e]/.test(text));

/** Raises the settle time of the run to at least the given milliseconds. */
export function showsWithin(choices: Choices, ms: number): void {
  choices.settings.RUN_SETTLE_MS = String(Math.max(ms, Number(choices.settings.RUN_SETTLE_MS ?? 0)));
}
