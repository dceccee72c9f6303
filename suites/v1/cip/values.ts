/** Values of CIP checks: digits of numbers and births, dates, and what is unusual of a person (readings 9 and 39). */
import { CIP_DIGITS } from '../../../contracts/v1/cip.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { formsOf, having, type Row, valuesOf, without } from '../../../helpers/engine/rows.ts';
import * as Persons from './persons.ts';

const ANY = ['required', 'whole', ...Persons.RULED_FORMS] as const;

/** Another right value of a birth, which a target may compare with what it knows of the person. */
const OTHER_BIRTH: Record<string, (value: number) => number> = {
  dobMonth: (month) => (month === 1 ? 3 : 1),
  dobDay: (day) => (day % 28) + 1,
  dobYear: (year) => year - 1,
};

/** A row that is excused where another birth is refused, too. */
const excused = (row: Row): Row => {
  const other = OTHER_BIRTH[row.member ?? ''];
  if (!other) return row;
  return { ...row, excuse: (person) => ({ ...person, [row.member!]: other(Number(person[row.member!])) }) };
};

// With the digits of longer numbers that are easily sent by mistake: a zip with its extension, a whole ssn.
for (const [requirement, name, longer] of [
  ['portal.getCIPCheck.zip-digits', 'zip', 9],
  ['portal.getCIPCheck.dobMonth-digits', 'dobMonth'],
  ['portal.getCIPCheck.dobDay-digits', 'dobDay'],
  ['portal.getCIPCheck.dobYear-digits', 'dobYear'],
  ['portal.getCIPCheck.ssn-digits', 'ssn'],
  ['portal.getCIPCheck.ssnLast4-digits', 'ssnLast4', 9],
] as const) {
  const forms = formsOf(name, Forms.integersBeyond(CIP_DIGITS[name], longer));
  const [oneMore, negative, ...others] = forms.map(excused);
  const fewer = name === 'dobYear' ? valuesOf(name, [85, 999, 0]).map(excused) : [];
  // Where there is no second number, a target has none to compare with.
  Persons.cip.refuses(requirement, name, [{ ...oneMore!, on: ['required'] }, negative!, ...fewer], { on: ANY });
  Persons.cip.refuses(requirement, `${name} in other forms`, others, { on: ANY, tries: 2 });
}

// Months of 31 days, and days that every month has, each of a person with another name, so that each person is checked only once.
for (const [name, digits] of [
  ['dobMonth', [1, 3, 5, 7, 8]],
  ['dobDay', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
] as const) {
  const fuller = (digit: number) => (person: Persons.Person) => ({
    ...person,
    lastName: `Sample${name}${'abcdefghi'[digit - 1]}`,
    [name]: digit,
  });
  // A target may take so many new persons alone, at an address say: one is asked for who is as new.
  const control = (person: Persons.Person) => ({ ...person, lastName: `Sample${name}twodigits`, [name]: 12 });
  const rows = digits.map((digit) =>
    having(`${name} of one digit (${digit})`, { [name]: digit }, { control, fuller: fuller(digit) }),
  );
  const trying = { on: ['withoutNumbers'], tries: 1 } as const;
  Persons.cip.accepts('portal.getCIPCheck.one-digit-accepted', `${name} of one digit`, rows, trying);
}

const ofFewerDigits = (number: Record<string, number>, place: Record<string, string> = {}): Row =>
  having(`${Object.keys(number)[0]} of fewer digits`, number, {
    control: (person) => Persons.alike(person, number),
    fuller: (person) => ({ ...without(person, 'ssn', 'ssnLast4'), ...place, ...number }),
  });

Persons.cip.accepts(
  'portal.getCIPCheck.fewer-digits-accepted',
  'zip, ssn and ssnLast4 with leading zeros',
  [
    ofFewerDigits({ zip: 501 }, { city: 'Holtsville', state: 'NY' }),
    ofFewerDigits({ ssn: 1_230_012 }),
    ofFewerDigits({ ssnLast4: 12 }),
    [
      ofFewerDigits({ zip: 2134 }, { city: 'Boston', state: 'MA' }),
      ofFewerDigits({ zip: 7001 }, { city: 'Avenel', state: 'NJ' }),
      ofFewerDigits({ ssn: 45_670_123 }),
      ofFewerDigits({ ssnLast4: 7 }),
      ofFewerDigits({ ssnLast4: 345 }),
    ],
  ],
  { on: ['withoutNumbers'] },
);

Persons.cip.advisesAgainst('portal.getCIPCheck.calendar', 'month 13 and day 32', [
  ...valuesOf('dobMonth', [13]),
  ...valuesOf('dobDay', [32]),
]);

const longName = (initial: string) => initial.padEnd(60, 'anna');

const person = (what: string, members: Persons.Person): Row => having(`a person ${what}`, members);

Persons.cip.observes(
  'portal.getCIPCheck.unusual-values',
  'dates, names and addresses',
  [
    person('born on the 29th of February of a year that ends a century', { dobDay: 29, dobMonth: 2, dobYear: 2000 }),
    person('born on the last day of a leap year of this century', { dobDay: 31, dobMonth: 12, dobYear: 2004 }),
    person('with an apostrophe in the name and the city', { lastName: "O'Example", city: "Coeur d'Alene" }),
    person('with a hyphen in the name', { firstName: 'Anne-Marie', lastName: 'Example-Smith' }),
    person('with a letter beyond ASCII in the name', { firstName: 'Zoë', lastName: 'Muñoz' }),
    person('with marks and letters beyond ASCII in the address', { address: '5 "Säo Main" St. #12, 50% & Co.' }),
    [
      person('with names and a city of 60 letters', {
        firstName: longName('R'),
        lastName: longName('E'),
        city: longName('S'),
      }),
      person('with marks in the names and the city', {
        firstName: 'Jo "Bo"',
        lastName: '50% & Sons \\ Co.',
        city: 'St. "Ives" 5%',
      }),
      person('born in the 19th century', { dobYear: 1899 }),
      person('with names of one letter', { firstName: 'O', lastName: 'X' }),
      person('with two first names and a suffix', { firstName: 'Mary Ann', lastName: 'Example, Jr.' }),
      person('with letters beyond Latin-1', { firstName: 'Łukasz', lastName: 'Žižek', city: 'Łódź' }),
      person('with a state written out, in small letters', { state: 'illinois' }),
      person('with an address of two lines', { address: '5 Łódź \\ Main Street\nFloor 2' }),
      person('born in a year to come', { dobYear: 2090 }),
    ],
  ],
  { on: ['withoutNumbers'] },
);

Persons.cip.records(
  'odd days and texts',
  [
    having('a person born on the 30th of February', { dobMonth: 2, dobDay: 30, dobYear: 1984 }, { intent: 'unusual' }),
    ...Forms.oddTextsOf('json').map(({ name, text }) =>
      having(`names and a city ${name}`, { firstName: text, lastName: text, city: text }, { intent: 'unusual' }),
    ),
  ],
  { on: ['withoutNumbers'], mayCost: true, tries: 1 },
);
