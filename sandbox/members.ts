/** Reads the members of a request body by a table of their documented types. */
import type { Call } from './call.ts';

/** JSON types, with integers distinguished. */
export type MemberType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';

/** What a document states about one member of a body. */
export interface Member {
  name: string;
  type: MemberType;
  required: boolean;
}

/** A table of members: `{ firstName: 'string!', ssn: 'integer' }`, an exclamation mark for required ones. */
export function members(table: Record<string, MemberType | `${MemberType}!`>): readonly Member[] {
  return Object.entries(table).map(([name, word]) => ({
    name,
    type: word.replace('!', '') as MemberType,
    required: word.endsWith('!'),
  }));
}

const hasType: Record<MemberType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
};

/** Converts a value of the wrong type that was let through. */
const taken: Record<MemberType, (value: unknown) => unknown> = {
  string: String,
  integer: (value) => Math.trunc(Number(value) || 0),
  number: (value) => Number(value) || 0,
  boolean: Boolean,
  object: () => ({}),
  array: () => [],
};

/**
 * The documented members of a body, each of its type or absent. @param prefix precedes the name in refusals
 * @throws Refused when a required member is absent, or a value is of another type
 */
export function readMembers(
  call: Call,
  source: Record<string, unknown>,
  table: readonly Member[],
  prefix = '',
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const { name, type, required } of table) {
    const value = source[name];
    const fullName = prefix + name;
    if (value === undefined || call.rules.countsAsAbsent(value, call.id, fullName, value === null)) {
      if (call.rules.requires(call.id, fullName, required, call.request)) {
        call.check(false, 'missing-member', fullName, `${fullName} is required.`);
      }
      continue;
    }
    if (value === null) continue;
    const fits = call.check(hasType[type](value), 'member-type', fullName, `${fullName} is of type ${type}.`);
    read[name] = fits ? value : taken[type](value);
  }
  return read;
}
