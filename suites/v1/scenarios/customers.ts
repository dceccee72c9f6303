/** Portal customers: their identifiers, which are integers of any size, and their hierarchy, as listings show it. */
import { type Answer, entries, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { skip } from '../../../helpers/verdict.ts';

export const HIERARCHY = 'portal.getCustomerHierarchy';
export const LIST = 'portal.getCustomerList';
export const PROGRAM_LIST = 'portal.getCustomerProgramList';

/** A customerId as read from JSON: `bigint` beyond 2^53 - 1. */
export type CustomerId = number | bigint;

/** Whether a value is a customerId: an integer of any size, not its text. */
export const isCustomerId = (value: unknown): value is CustomerId =>
  typeof value === 'bigint' || Number.isInteger(value);

/** An integer as text, so that 7, 7n and 7.0 compare as equal; undefined for anything else. */
export const idText = (value: unknown): string | undefined => (isCustomerId(value) ? String(value) : undefined);

/** The customerId that a request was about. */
export const askedIn = ({ input: { query } }: Answer): string | undefined =>
  query?.customerId === undefined ? undefined : String(query.customerId);

/** A customerId that no customer has. */
interface Nobody {
  name: string;
  customerId: bigint;
}

/** CustomerIds that no customer has: an invented one, which fits into 32 bits, zero, and others that resemble one that is known. */
export const nobodiesLike = (t: Context, own: bigint): [Nobody, ...Nobody[]] => [
  { name: 'an invented one', customerId: 1_999_999_937n },
  { name: 'zero', customerId: 0n },
  ...Forms.lookAlikes(t, 'numberOfNobody', String(own)).map(({ name, text }) => ({
    name: `that of the login ${name}`,
    customerId: BigInt(text),
  })),
];

/** The customer of the fixtures file that is outside the reach of the login. */
export const foreignId = (t: Context): CustomerId => t.fixtures.portal!.foreignCustomerId!;

/** What an implementation may take for that customer, in another form. */
export const foreignOtherwise = (t: Context): string[] =>
  Forms.equivalents(String(foreignId(t))).map(({ text }) => text);

/** Whether the target shows the hierarchy of a customer; also true where that operation is out of scope. */
async function isReached(t: Context, customerId: CustomerId): Promise<boolean> {
  if (!t.isInScope(HIERARCHY)) return true;
  return succeeded(await t.call(HIERARCHY, { query: { customerId } }, { intent: 'refusable' }));
}

/**
 * The customer of the login: the one of the fixtures file, unless the login names another and the target refuses the given one;
 * else the one that the login names, else the first listed. @throws Skipped when there is none
 */
export const ownCustomer = scenario('the customer of the login', async (t): Promise<CustomerId> => {
  const given = t.fixtures.portal?.customerId;
  const { customerId: said } = await t.run.client.sessions.current();
  if (given !== undefined && (!isCustomerId(said) || idText(given) === idText(said) || (await isReached(t, given))))
    return given;
  if (isCustomerId(said)) return said;
  const known = t.isInScope(LIST) ? entries(await t.call(LIST)) : [];
  const found = known.map(({ customerId }) => customerId).find(isCustomerId);
  return found ?? skip('needs portal.customerId in the fixtures file');
});

/** A listed customer; an identifier that is absent or not an integer is undefined. */
export interface Listed {
  id: string | undefined;
  /** The parent's identifier; also undefined for 0, negative numbers and the customer itself, which stand for no parent. */
  parent: string | undefined;
}

/** The customers of a listing. */
export const listed = (answer: Answer): Listed[] =>
  entries(answer).map(({ customerId, parentId }) => {
    const id = idText(customerId);
    const parent = idText(parentId);
    return { id, parent: parent === id || /^(-|0$)/.test(parent ?? '0') ? undefined : parent };
  });

/** All customerIds and parentIds in a listing, including 0 and negative numbers. */
export const namedIn = (answer: Answer): ReadonlySet<string | undefined> =>
  new Set(entries(answer).flatMap(({ customerId, parentId }) => [idText(customerId), idText(parentId)]));

/** Known parents by the identifier of the child. */
export type Parents = ReadonlyMap<string, string>;

/** The parents that these customers name. */
export function parentsIn(customers: readonly Listed[]): Parents {
  const known = customers.filter((one): one is { id: string; parent: string } => !!one.id && !!one.parent);
  return new Map(known.map(({ id, parent }) => [id, parent]));
}

/** Customers that a listing shows with different parents. */
export function belowSeveral(customers: readonly Listed[]): string[] {
  const parents = parentsIn(customers);
  return customers.flatMap(({ id, parent }) => (id && parent && parents.get(id) !== parent ? [id] : []));
}

/** Levels to follow upwards: no real hierarchy is deeper. */
const MOST_LEVELS = 100;

/** The known ancestors of a customer, nearest first. */
export function ancestors(id: string, parents: Parents): string[] {
  const above: string[] = [];
  let at = parents.get(id);
  while (at !== undefined && at !== id && !above.includes(at) && above.length < MOST_LEVELS) {
    above.push(at);
    at = parents.get(at);
  }
  return above;
}

/** A listed customer, and its place relative to the customer asked for. */
export interface Placed extends Listed {
  place: 'given' | 'parent' | 'below' | 'outside' | 'unknown';
}

/**
 * Places each customer of a hierarchy: the one asked for, its parent, below it, outside of it, or unknown where the chain of
 * parents cannot be followed (reading 37). A customer listed several times is below if one of its entries is.
 * @param known parents from all answers; those in this hierarchy take precedence
 * @param foreign a customer out of reach: customers below it are outside, unless it is itself below the one asked for
 */
export function placesIn(hierarchy: readonly Listed[], asked: string, known: Parents, foreign?: string): Placed[] {
  const above = ancestors(asked, known);
  const parents = new Map([...known, ...parentsIn(hierarchy)]);
  const isForeign = (id: string) => id === foreign && !ancestors(id, parents).includes(asked);
  const placeOf = ({ id, parent }: Listed): Placed['place'] => {
    if (id === undefined) return 'unknown';
    if (id === asked) return 'given';
    if (id === above[0]) return 'parent';
    if (above.includes(id)) return 'outside';
    const chain = parent === undefined ? [] : [parent, ...ancestors(parent, parents)];
    const met = chain.find((one) => one === asked || above.includes(one) || isForeign(one));
    if (met === undefined) return 'unknown';
    return met === asked ? 'below' : 'outside';
  };
  const placed = hierarchy.map((one) => ({ ...one, place: placeOf(one) }));
  const belongs = new Set(placed.flatMap(({ id, place }) => (place === 'below' ? [id] : [])));
  return placed.map((one) => (belongs.has(one.id) ? { ...one, place: 'below' } : one));
}
