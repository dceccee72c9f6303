/** null for an optional member is advised against (reading 4), so it is taken away before the types are judged. */
import { isObject } from '../answer.ts';
import type { Outline } from './outline.ts';

/** The value without members that are null where their documented shape makes them optional. */
export function withoutNulls(outline: Outline, value: unknown): unknown {
  const { members, items } = outline;
  if (items && Array.isArray(value)) return value.map((item) => withoutNulls(items, item));
  if (!members || !isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, item]) => item !== null || !members.get(name)?.isOptional);
  return Object.fromEntries(
    kept.map(([name, item]) => {
      const member = members.get(name);
      return [name, member ? withoutNulls(member.outline, item) : item];
    }),
  );
}
