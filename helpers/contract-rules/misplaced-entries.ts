/**
 * Finds entries of a listing outside its documented member. An absent member reads as an empty listing, unless an entry
 * is known to exist (reading 5), which misplaced entries prove.
 */
import { isObject, memberOf } from '../answer.ts';
import type { Outline } from './outline.ts';

/** Number of documented members in one entry that cannot be there by chance. */
const CONCLUSIVE_MEMBERS = 3;

/**
 * The JSON Pointer to entries outside the listing's member: in an envelope, or under another name. Undefined if the
 * member is present or there are no such entries.
 */
export function misplacedEntries(listing: Outline, name: string, body: unknown): string | undefined {
  if (!isObject(body) || Object.hasOwn(body, name)) return undefined;
  const isEntry = entryTest(listing.members!.get(name)!.outline.items!);
  const isMisplaced = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isEntry);
  for (const [other, value] of Object.entries(body)) {
    if (isMisplaced(value)) return `/${other}`;
    if (isMisplaced(memberOf(value, name))) return `/${other}/${name}`;
  }
  return undefined;
}

/** Builds a test that recognises an entry by its type, and an object by its documented members. */
function entryTest({ members }: Outline): (value: unknown) => boolean {
  if (!members) return (value) => typeof value === 'string';
  const conclusive = Math.min(CONCLUSIVE_MEMBERS, members.size);
  return (value) => isObject(value) && Object.keys(value).filter((name) => members.has(name)).length >= conclusive;
}
