/** Finds, in one walk, what to advise on a success body (readings 4 and 5). */
import { isObject } from '../answer.ts';
import { MOST_ITEMS, type Outline, plainName } from './outline.ts';
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
  const steps: (string | number)[] = [];
  const pointer = () => steps.map((step) => `/${step}`).join('');

  const below = (step: string | number, outline: Outline, value: unknown): void => {
    steps.push(step);
    look(outline, value);
    steps.pop();
  };
  const look = ({ members, plainNames, items, isDateTime }: Outline, value: unknown): void => {
    if (typeof value === 'string') {
      if (isDateTime && lacksOffset(value)) advice.timeOffset ??= `the date-time ${pointer()} has no offset`;
    } else if (Array.isArray(value)) {
      if (items) for (let i = 0; i < Math.min(value.length, MOST_ITEMS); i++) below(i, items, value[i]);
    } else if (members && plainNames && isObject(value)) {
      for (const name of Object.keys(value)) {
        const member = members.get(name);
        if (member && value[name] === null && member.isOptional && !member.mayBeNull())
          advice.nullMember ??= `the optional member ${pointer()}/${name} is null instead of absent`;
        if (member) below(name, member.outline, value[name]);
        else if (plainNames.has(plainName(name)))
          advice.memberName ??= `the member ${pointer()}/${name} is documented as ${plainNames.get(plainName(name))}`;
      }
    }
  };

  look(outline, body);
  return advice;
}
