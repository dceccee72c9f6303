/** Finds, in one walk, what to advise on a success body (readings 4 and 5). */
import { isObject } from '../answer.ts';
import { documentedParts, type Outline, plainName } from './outline.ts';
import { lacksOffset } from './schemas.ts';

/** The first finding of each kind, in words. */
export interface Advice {
  nullMember?: string;
  memberName?: string;
  timeOffset?: string;
}

/** Undocumented members are examined by name only. */
export function adviceOn(outline: Outline, body: unknown): Advice {
  const advice: Advice = {};
  for (const { outline: documented, value, pointer } of documentedParts(outline, body)) {
    const { members, plainNames, isDateTime } = documented;
    if (isDateTime && typeof value === 'string' && lacksOffset(value))
      advice.timeOffset ??= `the date-time ${pointer} has no offset`;
    if (!members || !plainNames || !isObject(value)) continue;
    for (const [name, part] of Object.entries(value)) {
      const member = members.get(name);
      if (part === null && member?.isOptional && !member.mayBeNull())
        advice.nullMember ??= `the optional member ${pointer}/${name} is null instead of absent`;
      if (!member && plainNames.has(plainName(name)))
        advice.memberName ??= `the member ${pointer}/${name} is documented as ${plainNames.get(plainName(name))}`;
    }
  }
  return advice;
}
