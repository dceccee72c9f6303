/** CIP checks that are refused, accepted, or may be either (readings 6, 9 and 39). Each differs from an accepted one in what its row says. */
import { CIP_ADDRESS_MAX, CIP_DIGITS } from '../../../contracts/v1/cip.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import { integersBeyond } from '../../../helpers/engine/forms/integers.ts';
import { cutTo, firstWords, halfOf, inPlainLetters, TWO_BYTES } from '../../../helpers/engine/forms/texts.ts';
import {
  formsOf,
  having,
  lacking,
  lackingAll,
  NOT_JSON,
  ofWrongType,
  type Row,
  valuesOf,
  without,
} from '../../../helpers/engine/rows.ts';
import { check, probeTable } from '../../declare.ts';
import { expectOperation } from '../scenarios/valid-requests.ts';
import { basePerson, CIP, CIP_REQUIRED, PERSON_MAKERS, plainCheck, requiredPerson, statusesFor } from './person.ts';

const cip = probeTable({
  operation: CIP,
  rights: PERSON_MAKERS,
  inputOf: (json) => ({ json }),
  twin: async () => plainCheck,
  statusesOf: statusesFor,
  fixture: 'portal.cip',
});

/** Persons with one number alone, and one who is not located: a target may have rules for them. */
const RULED = ['lastFour', 'ssn', 'notLocated'] as const;
const ANY = ['required', 'whole', ...RULED] as const;

check('portal.getCIPCheck.required-only', 'without ssn and ssnLast4', async (t) => {
  const { person, answer } = await t.shared(basePerson);
  await expectOperation(t, answer, {});
  const json = await requiredPerson(t);
  if (Object.keys(json).length === Object.keys(person).length) return;
  const what = 'a person with the required members alone';
  await expectAccepted(t, { operation: CIP, what, input: { json }, control: { json: person }, fixture: 'portal.cip' });
});

cip.refuses('portal.getCIPCheck.missing-body', 'zero bytes', [
  having('a body of zero bytes declared as JSON', {}, { input: { emptyJson: true } }),
  having('a body of zero bytes without Content-Type', {}, { input: {}, statuses: [400, 415] }),
]);

const WITHOUT_ONE = lacking('a person', CIP_REQUIRED);

cip.refuses('portal.getCIPCheck.required-members', 'one', WITHOUT_ONE, { on: ['whole', 'required'], isEachForm: true });
cip.refuses('portal.getCIPCheck.required-members', 'one, of other persons', WITHOUT_ONE, { on: RULED, tries: 3 });
cip.refuses('portal.getCIPCheck.required-members', 'the address', [
  lackingAll('a person', ['address', 'zip', 'city', 'state'], 'a person without any address'),
]);
cip.refuses(
  'portal.getCIPCheck.required-members',
  'several that belong together',
  [
    lackingAll('a person', ['dobMonth', 'dobDay', 'dobYear'], 'a person without birth'),
    lackingAll('a person', ['firstName', 'lastName'], 'a person without name'),
    lackingAll('a person', [...CIP_REQUIRED, 'ssn', 'ssnLast4'], 'a person of whom nothing is given'),
  ],
  { tries: 1 },
);
cip.records('empty members', [...valuesOf('firstName', ['', null]), ...valuesOf('zip', [null])], { tries: 1 });

cip.advisesAgainst('portal.getCIPCheck.body-types', 'each member', ofWrongType([...CIP_REQUIRED, 'ssn', 'ssnLast4']), {
  tries: 1,
});
cip.advisesAgainst('portal.getCIPCheck.body-types', 'what is not JSON', [
  having('a body that is not JSON', {}, { input: { text: NOT_JSON } }),
]);

/** A realistic address, longer than the limit allows. */
const LONG = '100 North Main Street Building Seven Floor 3';
/** A row whose address is refused or accepted by its length. Controls are as short as a street: a target may know streets. */
const addressOf = (address: string, what: string, more: Partial<Row> = {}): Row =>
  having(
    `an address of ${what}`,
    { address },
    { control: (person) => ({ ...person, address: firstWords(address, 4) }), ...more },
  );

cip.accepts('portal.getCIPCheck.address-40-accepted', '40 letters, digits and spaces', [
  addressOf(cutTo(LONG, CIP_ADDRESS_MAX), '40 characters', {
    fuller: (person) => ({ ...person, address: cutTo(`${person.address} ${LONG}`, CIP_ADDRESS_MAX) }),
  }),
]);
cip.accepts(
  'portal.getCIPCheck.address-40-accepted',
  '38 to 40 letters, digits and spaces',
  [
    '7 Upper Washington Boulevard Apartment 9 West',
    '455 Old Franklin Court Suite Twelve Level 2 East',
    '23 South Cedar Lane Unit Four Room 11 Annex',
  ].flatMap((address) =>
    [38, 39, 40].map((length) => addressOf(cutTo(address, length), `${length} characters: ${address}`)),
  ),
  { tries: 1 },
);

/** Characters are counted: an address with other than plain letters is refused only where half of it, or as many plain letters, are, too. */
const counted = (address: string, what: string): Row =>
  addressOf(address, what, {
    control: (person) => ({ ...person, address: halfOf(address) }),
    excuse: (person) => ({ ...person, address: inPlainLetters(address) }),
  });

cip.accepts('portal.getCIPCheck.address-40-accepted', '40 characters with marks, where half of it is', [
  counted("100 O'Brien & Sons Street Building Seven", '40 characters with marks'),
]);
cip.accepts('portal.getCIPCheck.address-counts-characters', '40 letters, some or all of two bytes', [
  counted(TWO_BYTES.repeat(CIP_ADDRESS_MAX), '40 two-byte letters'),
  counted(cutTo(LONG, CIP_ADDRESS_MAX).replaceAll('o', TWO_BYTES), '40 letters, some of two bytes'),
]);
cip.accepts(
  'portal.getCIPCheck.address-counts-characters',
  'letters of one and two bytes mixed',
  [CIP_ADDRESS_MAX - 8, CIP_ADDRESS_MAX - 4, CIP_ADDRESS_MAX].flatMap((length) => [
    counted('üßé'.repeat(length).slice(0, length), `${length} different two-byte letters`),
    counted('aÅ7'.repeat(length).slice(0, length), `${length} letters, a third of two bytes`),
  ]),
  { tries: 1 },
);

const LONGER = cutTo(LONG, CIP_ADDRESS_MAX + 1);
cip.refuses('portal.getCIPCheck.address-41-refused', '41 characters and more', [
  addressOf(LONGER, '41 letters, digits and spaces'),
  addressOf(LONGER.replaceAll('o', TWO_BYTES), '41 letters, some of two bytes', { on: ['required'] }),
  addressOf(TWO_BYTES.repeat(CIP_ADDRESS_MAX + 1), '41 two-byte letters'),
  addressOf(LONGER, '41 characters of a person with ssnLast4 alone', { on: ['lastFour'] }),
  addressOf('100 North Main Street,\nBuilding 7 Floor 3', '41 characters in two lines', { on: ['ssn'] }),
  addressOf(LONGER, '41 characters of a person who is not located', { on: ['notLocated'] }),
  // Within the limit modulo 256, and beyond a column of 255.
  addressOf('aÅ7'.repeat(92), '276 characters'),
]);

/** Digits of longer numbers that are easily sent by mistake: a zip with its extension, a whole ssn. */
const LONGER_NUMBERS: Record<string, number> = { zip: 9, ssnLast4: 9 };

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

for (const [requirement, name] of [
  ['portal.getCIPCheck.zip-digits', 'zip'],
  ['portal.getCIPCheck.dobMonth-digits', 'dobMonth'],
  ['portal.getCIPCheck.dobDay-digits', 'dobDay'],
  ['portal.getCIPCheck.dobYear-digits', 'dobYear'],
  ['portal.getCIPCheck.ssn-digits', 'ssn'],
  ['portal.getCIPCheck.ssnLast4-digits', 'ssnLast4'],
] as const) {
  const forms = formsOf(name, integersBeyond(CIP_DIGITS[name], LONGER_NUMBERS[name]));
  const [oneMore, negative, ...others] = forms.map(excused);
  const fewer = name === 'dobYear' ? valuesOf(name, [85, 999, 0]).map(excused) : [];
  // Where there is no second number, a target has none to compare with.
  cip.refuses(requirement, name, [{ ...oneMore!, on: ['required'] }, negative!, ...fewer], { on: ANY });
  cip.refuses(requirement, `${name} in other forms`, others, { on: ANY, tries: 2 });
}

/** One-digit values, each of a person with another name, so that each person is checked only once. */
const ofOneDigit = (name: string, digits: readonly number[]): Row[] =>
  digits.map((digit) =>
    having(
      `${name} of one digit`,
      { [name]: digit },
      {
        fuller: (person) => ({ ...person, lastName: `Sample${name}${'abcdefghi'[digit - 1]}`, [name]: digit }),
      },
    ),
  );

// Months of 31 days, and days that every month has.
for (const [name, digits] of [
  ['dobMonth', [1, 3, 5, 7, 8]],
  ['dobDay', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
] as const)
  cip.accepts('portal.getCIPCheck.one-digit-accepted', `${name} of one digit`, ofOneDigit(name, digits), {
    on: ['withoutNumbers'],
    tries: 1,
  });

const ofFewerDigits = (number: Record<string, number>, place: Record<string, string> = {}): Row =>
  having(`${Object.keys(number)[0]} of fewer digits`, number, {
    fuller: (person) => ({ ...without(person, 'ssn', 'ssnLast4'), ...place, ...number }),
  });

cip.accepts(
  'portal.getCIPCheck.fewer-digits-accepted',
  'zip, ssn and ssnLast4 with leading zeros',
  [
    ofFewerDigits({ zip: 501 }, { city: 'Holtsville', state: 'NY' }),
    ofFewerDigits({ ssn: 1_230_012 }),
    ofFewerDigits({ ssnLast4: 12 }),
  ],
  { on: ['withoutNumbers'] },
);
cip.accepts(
  'portal.getCIPCheck.fewer-digits-accepted',
  'others with leading zeros',
  [
    ofFewerDigits({ zip: 2134 }, { city: 'Boston', state: 'MA' }),
    ofFewerDigits({ zip: 7001 }, { city: 'Avenel', state: 'NJ' }),
    ofFewerDigits({ ssn: 45_670_123 }),
    ofFewerDigits({ ssnLast4: 7 }),
    ofFewerDigits({ ssnLast4: 345 }),
  ],
  { on: ['withoutNumbers'], tries: 1 },
);

cip.advisesAgainst('portal.getCIPCheck.calendar', 'month 13 and day 32', [
  ...valuesOf('dobMonth', [13]),
  ...valuesOf('dobDay', [32]),
]);

const longName = (initial: string) => initial.padEnd(60, 'anna');

cip.observes(
  'portal.getCIPCheck.unusual-values',
  'dates, names and addresses',
  [
    having('a person born on the 29th of February', { dobDay: 29, dobMonth: 2, dobYear: 1984 }),
    having('a person born on the 31st of December', { dobDay: 31, dobMonth: 12, dobYear: 1979 }),
    having('a person with an apostrophe in the name and the city', { lastName: "O'Example", city: "Coeur d'Alene" }),
    having('a person with a hyphen in the name', { firstName: 'Anne-Marie', lastName: 'Example-Smith' }),
    having('a person with a letter beyond ASCII in the name', { firstName: 'Zoë', lastName: 'Muñoz' }),
    having('a person with marks and letters beyond ASCII in the address', {
      address: '5 "Säo Main" St. #12, 50% & Co.',
    }),
  ],
  { on: ['withoutNumbers'] },
);
cip.observes(
  'portal.getCIPCheck.unusual-values',
  'rarer ones',
  [
    having('a person with names and a city of 60 letters', {
      firstName: longName('R'),
      lastName: longName('E'),
      city: longName('S'),
    }),
    having('a person with marks in the names and the city', {
      firstName: 'Jo "Bo"',
      lastName: '50% & Sons \\ Co.',
      city: 'St. "Ives" 5%',
    }),
    having('a person born in the 19th century', { dobYear: 1899 }),
    having('a person with names of one letter', { firstName: 'O', lastName: 'X' }),
    having('a person with two first names and a suffix', { firstName: 'Mary Ann', lastName: 'Example, Jr.' }),
    having('a person with letters beyond Latin-1', { firstName: 'Łukasz', lastName: 'Žižek', city: 'Łódź' }),
    having('a person with a state written out, in small letters', { state: 'illinois' }),
    having('a person with an address of two lines', { address: '5 Łódź \\ Main Street\nFloor 2' }),
    having('a person born in a year to come', { dobYear: 2090 }),
  ],
  { on: ['withoutNumbers'], tries: 1 },
);
