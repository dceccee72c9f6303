/** Identifiers in answers. */
import { type Answer, member, succeeded } from '../../helpers/answer.ts';

export { identifiersOf } from '../../helpers/cards/discovery.ts';

/** What stands for a part of a value that is not shown. */
const MASK = /([*•x#])\1\1/i;

/** Whether a member shows a value: a listing may write an empty text where it leaves the member out, and mask what is sensitive. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !MASK.test(value);

/** Whether two identifiers are of the same thing: implementations differ in the case of letters that they write. */
export const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const HEXADECIMAL = /^[0-9a-f-]+$/i;

/** Whether two identifiers are surely of the same thing: for what must not be there. Where case counts, two things may differ in it alone. */
export const certainlySame = (one: string, other: string): boolean =>
  one === other || (HEXADECIMAL.test(one) && sameText(one, other));

/** Whether an answer carries the identifier. */
export const carries = (answer: Answer, identifier: string): boolean => {
  const answered = member(answer, 'identifier');
  return typeof answered === 'string' && sameText(answered, identifier);
};

/** Judges a success by its identifier: it is the one in the path. */
export function sameIdentifier(what: string) {
  return (answer: Answer) => {
    const answered = member(answer, 'identifier');
    const asked = answer.input.path?.identifier;
    if (!succeeded(answer) || typeof answered !== 'string' || asked === undefined) return undefined;
    if (sameText(answered, asked)) return 'kept' as const;
    return {
      message: `another ${what} is answered than the one asked for`,
      difference: { expected: asked, actual: answered, pointer: '/identifier' },
    };
  };
}

/** Whether a listing is the unfiltered one, save for what comes and goes: nine in ten of it. */
export function isWhole(listed: readonly string[], unfiltered: readonly string[]): boolean {
  const known = new Set(listed.map((identifier) => identifier.toLowerCase()));
  const met = unfiltered.filter((identifier) => known.has(identifier.toLowerCase())).length;
  return met > 0 && met >= unfiltered.length * 0.9;
}
