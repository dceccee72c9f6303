/** Customers of the portal and who is below whom, as listings show it. */
import { type Answer, entries } from '../../../helpers/answer.ts';
import { idText } from './customer-ids.ts';

/** A customer of a listing; an identifier that is not given, or no integer, is undefined. */
export interface Listed {
  id: string | undefined;
  /** Of the parent; also undefined for 0, negative numbers and the customer itself, by which some say that there is none. */
  parent: string | undefined;
}

/** The entries of a listing. A parent that is the customer itself, negative or 0 is none. */
export const listed = (answer: Answer): Listed[] =>
  entries(answer).map(({ customerId, parentId }) => {
    const id = idText(customerId);
    const parent = idText(parentId);
    return { id, parent: parent === id || /^(-|0$)/.test(parent ?? '0') ? undefined : parent };
  });

/** Identifiers that customers are named by, as themselves or as parents: 0 and negative numbers, too. */
export const namedIn = (answer: Answer): ReadonlySet<string | undefined> =>
  new Set(entries(answer).flatMap(({ customerId, parentId }) => [idText(customerId), idText(parentId)]));

/** Parents by identifier, where known. */
export type Parents = ReadonlyMap<string, string>;

/** The parents that these customers name. */
export function parentsIn(customers: readonly Listed[]): Parents {
  const known = customers.filter((one): one is { id: string; parent: string } => !!one.id && !!one.parent);
  return new Map(known.map(({ id, parent }) => [id, parent]));
}

/** Levels of customers that are followed: no hierarchy of people is deeper, and a made-up one is not worth the time. */
const MOST_LEVELS = 100;

/** The parent of a customer, its parent, and so on, as far as known. */
export function ancestors(id: string, parents: Parents): string[] {
  const above: string[] = [];
  let at = parents.get(id);
  while (at !== undefined && at !== id && !above.includes(at) && above.length < MOST_LEVELS) {
    above.push(at);
    at = parents.get(at);
  }
  return above;
}

/** A listed customer, and where it stands to the customer that was asked for. */
export interface Placed extends Listed {
  place: 'given' | 'parent' | 'below' | 'outside' | 'unknown';
}

/**
 * What each customer in the hierarchy of another is there: the one asked for, its parent, below it, outside of what belongs
 * there, or unknown where the chain of parents cannot be followed (reading 37). One with several parents is listed for each.
 * @param known parents by all that was seen; what the answer says of its own customers counts before it
 * @param foreign a customer out of reach, below which nobody belongs there unless it is below the one asked for itself
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
