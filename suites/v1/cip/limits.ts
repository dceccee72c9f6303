/** Boundary checks of the CIP limits (reading 39). Each person differs from an accepted one in a single member. */
import { CIP_ADDRESS_MAX } from '../../../contracts/v1/cip.ts';
import { betweenAccepted, expectAccepted } from '../../../helpers/acceptance.ts';
import { describe, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { rotated, rotatedAtCost } from '../../../helpers/rotation.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { outcomeInWords } from '../../shared/observed.ts';
import { expectWrongRefused } from '../../shared/right-twins.ts';
import {
  CIP,
  dueForNumber,
  expectCheckRefused,
  PERSON_FORMS,
  type Person,
  type PersonForm,
  personWithoutSsn,
  plainCheck,
  requireAcceptedPerson,
  statusesFor,
} from './person.ts';

const { check, suite } = defineSuite();
export const cipLimitsSuite = suite;

/** A letter of two bytes in UTF-8 that no normalisation decomposes. */
const TWO_BYTES = 'ø';
/** A realistic address, longer than the limit allows. */
const LONG_ADDRESS = '100 North Main Street Building Seven Floor 3';

/** Cuts the long address to a number of characters; a trailing space becomes `x`. */
const addressOf = (characters: number) => LONG_ADDRESS.slice(0, characters).replace(/ $/, 'x');

/**
 * Expects a CIP check to be accepted.
 * @param more.fuller the person with more members, which a rule of the target may require
 * @param more.control a person who differs only in what is asserted; by default the accepted person
 * @throws Nonconformance, Inconclusive; see expectAccepted
 */
export async function expectCheckAccepted(
  t: Context,
  what: string,
  json: Person,
  { fuller, control }: { fuller?: Person | undefined; control?: Person } = {},
): Promise<void> {
  await expectAccepted(t, {
    operation: CIP,
    what,
    input: { json },
    ...(fuller ? { fuller: { json: fuller } } : {}),
    control: { json: control ?? (await requireAcceptedPerson(t)) },
    fixture: 'portal.cip',
  });
}

/** The first words of an address. A control: a target may refuse streets that it does not know. */
export const shortened = (address: string): string => address.split(' ').slice(0, WORDS_OF_A_STREET).join(' ');
const WORDS_OF_A_STREET = 4;

check('portal.getCIPCheck.address-40-accepted', '40 letters, digits and spaces', async (t) => {
  const person = await requireAcceptedPerson(t);
  const continued = `${person.address} ${LONG_ADDRESS}`.slice(0, CIP_ADDRESS_MAX).replace(/ $/, 'x');
  await expectCheckAccepted(
    t,
    'an address of 40 characters',
    { ...person, address: addressOf(CIP_ADDRESS_MAX) },
    { fuller: { ...person, address: continued }, control: { ...person, address: shortened(LONG_ADDRESS) } },
  );
});

/** An address of 41 characters in two lines, each of them within the limit. */
const TWO_LINES = '100 North Main Street,\nBuilding 7 Floor 3';

for (const [what, address, form] of [
  ['41 letters, digits and spaces', addressOf(CIP_ADDRESS_MAX + 1), 'whole'],
  ['41 letters, some of two bytes', addressOf(CIP_ADDRESS_MAX + 1).replaceAll('o', TWO_BYTES), 'required'],
  ['41 two-byte letters', TWO_BYTES.repeat(CIP_ADDRESS_MAX + 1), 'whole'],
  ['41 letters, digits and spaces, of a person with ssnLast4 alone', addressOf(CIP_ADDRESS_MAX + 1), 'lastFour'],
  ['41 characters in two lines, of a person with ssn alone', TWO_LINES, 'ssn'],
  ['41 letters, digits and spaces, of a person who is not located', addressOf(CIP_ADDRESS_MAX + 1), 'notLocated'],
] as const)
  check('portal.getCIPCheck.address-41-refused', what, async (t) => {
    const json = { ...(await PERSON_FORMS[form](t)), address };
    await expectCheckRefused(t, `an address of ${what}`, { json }, statusesFor(form));
  });

/** An address of 40 characters that grows when its punctuation is escaped; the punctuation is in its first half. */
const WITH_MARKS = "100 O'Brien & Sons Street Building Seven";

check('portal.getCIPCheck.address-40-accepted', '40 characters with marks, where half of it is', async (t) =>
  expectCharactersCounted(t, await requireAcceptedPerson(t), WITH_MARKS),
);

/** Addresses of 40 characters but more than 40 bytes; each is compared with half of itself. */
const MANY_BYTES = [
  ['40 two-byte letters', TWO_BYTES.repeat(CIP_ADDRESS_MAX)],
  ['40 letters, some of two bytes', addressOf(CIP_ADDRESS_MAX).replaceAll('o', TWO_BYTES)],
] as const;

for (const [what, address] of MANY_BYTES)
  check('portal.getCIPCheck.address-counts-characters', what, async (t) => {
    const person = await requireAcceptedPerson(t);
    await expectCharactersCounted(t, person, address);
  });

/**
 * Expects an address to be measured in characters, not in bytes or escaped form: a refusal accuses only if the address is
 * refused again while half of it, and the same number of plain letters, are accepted.
 * @throws Nonconformance, or Inconclusive when one of these is refused, too
 */
export async function expectCharactersCounted(t: Context, person: Person, address: string): Promise<void> {
  const checked = (text: string, atOnce = true) =>
    t.call(CIP, { json: { ...person, address: text } }, { intent: 'refusable', atOnce });
  if (succeeded(await checked(address, false))) return;
  await t.alone(CIP, async () => {
    if (succeeded(await checked(address))) return;
    const plain = await checked(address.replaceAll(ODD, 'o'));
    if (!succeeded(plain))
      inconclusive(`an address of plain letters of the same length is refused, too: ${describe(plain)}`);
    const last = await betweenAccepted(
      () => checked(halfOf(address)),
      () => checked(address),
      (half) => `a short address with the same letters or punctuation is refused, too: ${describe(half)}`,
    );
    if (succeeded(last)) return;
    fail(
      `an address of ${address.length} characters, some of them not plain letters, is refused, but half of it is accepted`,
      {
        expected: 'success',
        actual: describe(last),
        in: last,
      },
    );
  });
}

/** Letters of more than one byte, and punctuation. */
const ODD = /[^A-Za-z0-9 ]/g;

/** Half the characters of an address, including every odd one: a target may take some of these and refuse others. */
function halfOf(address: string): string {
  const odd = [...new Set(address.match(ODD))];
  const half = address.slice(0, CIP_ADDRESS_MAX / 2).trim();
  if (odd.every((letter) => half.includes(letter))) return half;
  return [...odd, ...address].slice(0, CIP_ADDRESS_MAX / 2).join('');
}

/** Forms of persons. The first has no second number to compare with, so every run tries the first value on it. */
const FORMS: readonly PersonForm[] = ['required', 'whole', 'lastFour', 'ssn'];

for (const [requirement, name, values] of [
  ['portal.getCIPCheck.zip-digits', 'zip', [100_000, -1]],
  ['portal.getCIPCheck.dobMonth-digits', 'dobMonth', [100, -1]],
  ['portal.getCIPCheck.dobDay-digits', 'dobDay', [100, -1]],
  ['portal.getCIPCheck.dobYear-digits', 'dobYear', [85, 999, 10_000, -198, -1980, 0]],
  ['portal.getCIPCheck.ssn-digits', 'ssn', [1_000_000_000, -1]],
  ['portal.getCIPCheck.ssnLast4-digits', 'ssnLast4', [10_000, -1]],
] as const)
  for (const [index, value] of values.entries())
    check(requirement, `${name} is ${value}`, async (t) => {
      const forms = rotated(t.run, `${name} is ${value}: persons`, index === 0 ? FORMS.slice(0, 1) : FORMS);
      const wrong = forms.map(async (form) => {
        const person: Person = await PERSON_FORMS[form](t);
        const json = { ...person, [name]: value };
        const answer = await t.call(CIP, { json }, { intent: 'malformed' });
        return { what: `${name} of ${value}`, answer, ...dueForNumber(form, person, json, name) };
      });
      await expectWrongRefused(t, plainCheck, await Promise.all(wrong));
    });

/** Prefixes of last names: every person gets a name of their own, so that each is checked only once. */
const ANOTHER_NAME = { dobMonth: 'Sample', dobDay: 'Specimen' };
/** One-digit values: days that every month has, and months of 31 days. */
const ONE_DIGIT = { dobMonth: [1, 3, 5, 7, 8], dobDay: [1, 2, 3, 4, 5, 6, 7, 8, 9] } as const;

for (const name of ['dobMonth', 'dobDay'] as const)
  check('portal.getCIPCheck.one-digit-accepted', `${name} of one digit`, async (t) => {
    // A target may recognise a number or a name, and know that person's date of birth.
    const [plain, whole] = [await personWithoutSsn(t), await requireAcceptedPerson(t)];
    for (const digit of rotatedAtCost<number>(t.run, CIP, `${name} of one digit`, ONE_DIGIT[name])) {
      const lastName = `${ANOTHER_NAME[name]}${'abcdefghi'[digit - 1]}`;
      const another = { ...whole, lastName, [name]: digit };
      await expectCheckAccepted(t, `${name} of one digit`, { ...plain, [name]: digit }, { fuller: another });
    }
  });

/** The place of zip 00501. */
const HOLTSVILLE = { city: 'Holtsville', state: 'NY' };

for (const [name, value, fuller] of [
  ['zip', 501, HOLTSVILLE],
  ['ssn', 1_230_012, undefined],
  ['ssnLast4', 12, undefined],
] as const)
  check('portal.getCIPCheck.fewer-digits-accepted', name, async (t) => {
    const person = { ...(await personWithoutSsn(t)), [name]: value };
    await expectCheckAccepted(t, `${name} with fewer digits`, person, {
      fuller: fuller && { ...person, ...fuller },
    });
  });

for (const [name, value] of [
  ['dobMonth', 13],
  ['dobDay', 32],
] as const)
  check('portal.getCIPCheck.calendar', `${name} is ${value}`, async (t) => {
    const json = { ...(await requireAcceptedPerson(t)), [name]: value };
    await expectCheckRefused(t, `${name} of ${value}`, { json }, undefined);
  });

const longName = (initial: string) => initial.padEnd(60, 'anna');

/** Unusual but valid persons: they may be refused, but not with status 500. */
const UNUSUAL: readonly [string, Person][] = [
  ['born on the 29th of February', { dobDay: 29, dobMonth: 2, dobYear: 1984 }],
  ['born on the 31st of December', { dobDay: 31, dobMonth: 12, dobYear: 1979 }],
  ['with an apostrophe in the name and the city', { lastName: "O'Example", city: "Coeur d'Alene" }],
  ['with a hyphen in the name', { firstName: 'Anne-Marie', lastName: 'Example-Smith' }],
  ['with a letter beyond ASCII in the name', { firstName: 'Zoë', lastName: 'Muñoz' }],
  ['with marks and letters beyond ASCII in the address', { address: '5 "Säo Main" St. #12, 50% & Co.' }],
];

/** Further unusual persons; a run tries some of them. */
const RARELY_SEEN: readonly [string, Person][] = [
  ['with names and a city of 60 letters', { firstName: longName('R'), lastName: longName('E'), city: longName('S') }],
  [
    'with marks in the names and the city',
    { firstName: 'Jo "Bo"', lastName: '50% & Sons \\ Co.', city: 'St. "Ives" 5%' },
  ],
  ['born in the 19th century', { dobYear: 1899 }],
  ['with names of one letter', { firstName: 'O', lastName: 'X' }],
  ['with two first names and a suffix', { firstName: 'Mary Ann', lastName: 'Example, Jr.' }],
  ['with letters beyond Latin-1', { firstName: 'Łukasz', lastName: 'Žižek', city: 'Łódź' }],
  ['with a state written out, in small letters', { state: 'illinois' }],
  ['with an address of two lines', { address: '5 Łódź \\ Main Street\nFloor 2' }],
  ['born in a year to come', { dobYear: 2090 }],
];

check('portal.getCIPCheck.unusual-values', 'dates, names and addresses', async (t) => {
  const person = await personWithoutSsn(t);
  const rarelySeen = rotatedAtCost(t.run, CIP, 'unusual persons', RARELY_SEEN, ([what]) => what);
  for (const [what, unusual] of [...UNUSUAL, ...rarelySeen]) {
    const answer = await t.call(CIP, { json: { ...person, ...unusual } }, { intent: 'unusual' });
    t.observe(CIP, `a person ${what}`, outcomeInWords(answer));
    if (answer.status === 500)
      fail(`a person ${what} is answered with status 500`, {
        expected: 'success, or a refusal',
        actual: '500',
        in: answer,
      });
  }
});
