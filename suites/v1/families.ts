/** Customers of the portal and who is below whom, as listings tell it. */
import { type Answer, entries } from '../../helpers/answer.ts';
import { idText } from './customer-ids.ts';

/** A customer of a listing; an identifier that is not given, or no integer, is undefined. */
export interface Listed {
  id: string | undefined;
  /** Of the parent; also undefined for 0, negative numbers and the customer itself, by which some say that there is none. */
  parent: string | undefined;
}

export const listed = (answer: Answer): Listed[] =>
  entries(answer).map(({ customerId, parentId }) => {
    const id = idText(customerId);
    const parent = idText(parentId);
    return { id, parent: parent === id || /^(-|0$)/.test(parent ?? '0') ? undefined : parent };
  });

/** Parents by identifier, where known. */
export type Parents = ReadonlyMap<string, string>;

export function parentsIn(customers: readonly Listed[]): Parents {
  const known = customers.filter((one): one is { id: string; parent: string } => !!one.id && !!one.parent);
  return new Map(known.map(({ id, parent }) => [id, parent]));
}

/** The parent of a customer, its parent, and so on, as far as known. */
export function ancestors(id: string, parents: Parents): string[] {
  const above: string[] = [];
  for (let at = parents.get(id); at !== undefined && at !== id && !above.includes(at); at = parents.get(at))
    above.push(at);
  return above;
}

/**
 * What a customer in the hierarchy of another is there: the one asked for, its parent, below it, outside of what belongs
 * there, or unknown where the chain of parents cannot be followed inside the answer (reading 37).
 */
export function placeIn(
  hierarchy: readonly Listed[],
  asked: string,
  { id, parent }: Listed,
  known: Parents,
): 'given' | 'parent' | 'below' | 'outside' | 'unknown' {
  if (id === undefined) return 'unknown';
  if (id === asked) return 'given';
  const above = ancestors(asked, known);
  if (id === above[0]) return 'parent';
  if (above.includes(id)) return 'outside';
  const chain = [parent, ...(parent === undefined ? [] : ancestors(parent, parentsIn(hierarchy)))];
  const met = chain.find((one) => one === asked || above.includes(one!));
  if (met === undefined) return 'unknown';
  return met === asked ? 'below' : 'outside';
}
