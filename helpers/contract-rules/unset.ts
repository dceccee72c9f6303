/** Removes unset members before validation: unset means absent, null or an empty text (reading 4). */
import { isObject } from '../answer.ts';
import type { Member, Outline } from './outline.ts';

/** Copies the value without optional members that are null or, for texts, empty. */
export function withoutUnset(outline: Outline, value: unknown): unknown {
  const { members, items } = outline;
  if (items && Array.isArray(value)) return value.map((item) => withoutUnset(items, item));
  if (!members || !isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, item]) => !isUnset(members.get(name), item));
  return Object.fromEntries(
    kept.map(([name, item]) => {
      const member = members.get(name);
      return [name, member ? withoutUnset(member.outline, item) : item];
    }),
  );
}

const isUnset = (member: Member | undefined, value: unknown): boolean =>
  member?.isOptional === true && (value === null || (value === '' && member.outline.isText));
