/** Comparisons of identifiers in answers. */
import { type Answer, member, succeeded } from '../../helpers/answer.ts';
import { contradicts } from '../../helpers/evidence/ledger.ts';

export { identifiersOf } from '../../helpers/cards/discovery.ts';

/** Characters that mask part of a value. */
const MASK = /([*•xX#])\1\1/;

/** Whether a member shows a value: a listing may send an empty string for a member it leaves out, or mask a sensitive one. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !MASK.test(value);

/** A token that an answer gives for one's own use: it is never masked, even where chance makes it look so. */
export function givenToken(answer: Answer, name: 'token' | 'continuationToken' = 'token'): string | undefined {
  const token = member(answer, name);
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/** Whether two identifiers may name the same thing: implementations differ in the case in which they write them, and may trim blanks. */
export const sameText = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

const HEXADECIMAL = /^[0-9a-f-]+$/i;

/** Whether two identifiers certainly name the same thing, for what must not appear: where case counts, two things may differ in it alone. */
export const certainlySame = (one: string, other: string): boolean =>
  one === other || (HEXADECIMAL.test(one) && sameText(one, other));

/** Whether an answer carries the identifier. */
export const carries = (answer: Answer, identifier: string): boolean => {
  const answered = member(answer, 'identifier');
  return typeof answered === 'string' && sameText(answered, identifier);
};

/** Makes a judge of successful answers: their identifier is the one in the path. */
export function sameIdentifier(what: string) {
  return (answer: Answer) => {
    const answered = member(answer, 'identifier');
    const asked = answer.input.path?.identifier;
    if (!succeeded(answer) || typeof answered !== 'string' || asked === undefined) return undefined;
    if (sameText(answered, asked)) return 'kept' as const;
    return contradicts(`the answer is for another ${what} than the one asked for`, asked, answered, '/identifier');
  };
}

/** Whether a listing holds at least nine tenths of the unfiltered one, allowing for entries that come and go. */
export function isWhole(listed: readonly string[], unfiltered: readonly string[]): boolean {
  const known = new Set(listed.map((identifier) => identifier.toLowerCase()));
  const met = unfiltered.filter((identifier) => known.has(identifier.toLowerCase())).length;
  return met > 0 && met >= unfiltered.length * 0.9;
}
