/** The person that CIP checks are made of. */

import { operation } from '../../../contracts/operations.ts';
import type { CIP_DIGITS } from '../../../contracts/v1/cip.ts';
import { type Answer, describe, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { inconclusive } from '../../../helpers/verdict.ts';

export const CIP = 'portal.getCIPCheck';
export const CIP_REQUIRED: readonly string[] = operation(CIP).body!.requiredMembers;

export type Person = Record<string, unknown>;

/** A person who does not exist, every integer with all of its digits. */
export const MADE_UP = {
  firstName: 'Jordan',
  lastName: 'Example',
  address: '100 Main Street',
  zip: 62701,
  dobMonth: 10,
  dobYear: 1980,
  dobDay: 15,
  ssn: 541_234_567,
  ssnLast4: 4567,
  city: 'Springfield',
  state: 'IL',
} satisfies Record<keyof typeof CIP_DIGITS | 'firstName' | 'lastName' | 'address' | 'city' | 'state', unknown>;

interface BasePerson {
  person: Person;
  /** To the whole person. */
  answer: Answer;
  /** To the required members alone. */
  requiredOnly: Answer;
}

/** A CIP check of a person of the fixtures file, else of one made up; and one of the required members alone. */
export const cipBase = scenario(
  'CIP check of a whole person and of the required members',
  async (t): Promise<BasePerson> => {
    const { pass, fail, partialDifferentiator, partialQuestions } = t.fixtures.portal?.cip ?? {};
    const person = pass ?? fail ?? partialDifferentiator ?? partialQuestions ?? MADE_UP;
    const least = Object.fromEntries(Object.entries(person).filter(([name]) => CIP_REQUIRED.includes(name)));
    const answer = await t.call(CIP, { json: person });
    const isLeast = Object.keys(person).length === Object.keys(least).length;
    return { person, answer, requiredOnly: isLeast ? answer : await t.call(CIP, { json: least }) };
  },
);

/** A person whose CIP check is accepted. @throws Inconclusive when the target takes none */
export async function acceptedPerson(t: Context): Promise<Person> {
  const { person, answer, requiredOnly } = await t.shared(cipBase);
  if (succeeded(answer)) return person;
  if (succeeded(requiredOnly)) return requiredOnly.input.json as Person;
  return inconclusive(`the CIP check that the others are made of is refused: ${describe(answer)}`);
}
