/** CIP checks that are refused, accepted, or may be either (readings 6, 9 and 39). Each differs from an accepted one in what its row says. */
import { CIP_ADDRESS_MAX } from '../../../contracts/v1/cip.ts';
import type { Answer } from '../../../helpers/answer.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { having, lacking, lackingAll, ofWrongType, type Row, valuesOf } from '../../../helpers/engine/rows.ts';
import { check } from '../../declare.ts';
import * as InEachSession from '../scenarios/in-each-session.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';
import * as Persons from './persons.ts';

check('portal.getCIPCheck.required-only', 'without ssn and ssnLast4', async (t) => {
  const { person, answer } = await Persons.requireBase(t);
  await ValidRequests.expectOperation(t, answer);
  const least = await Persons.least(t);
  if (Object.keys(least).length === Object.keys(person).length) return;
  const isOfLeast = ({ input }: Answer) =>
    Object.keys(input.json ?? {}).every((name) => Persons.REQUIRED.includes(name));
  const what = 'a person with the required members alone';
  await Persons.expectTaken(t, what, least, person, { shownBy: isOfLeast });
});
InEachSession.acceptsInEachSession('portal.getCIPCheck.required-only', 'a known person');

Persons.cip.refuses('portal.getCIPCheck.missing-body', 'zero bytes', [
  having('a body of zero bytes declared as JSON', {}, { input: { emptyJson: true } }),
  having('a body of zero bytes without Content-Type', {}, { input: {}, statuses: [400, 415] }),
]);

const WITHOUT_ONE = lacking('a person', Persons.REQUIRED);

Persons.cip.refuses('portal.getCIPCheck.required-members', 'each member', WITHOUT_ONE, {
  on: ['whole', 'required'],
  isEachForm: true,
});
Persons.cip.refuses('portal.getCIPCheck.required-members', 'one, of other persons', WITHOUT_ONE, {
  on: Persons.RULED_FORMS,
  tries: 3,
});
Persons.cip.refuses('portal.getCIPCheck.required-members', 'several that belong together', [
  lackingAll('a person', ['address', 'zip', 'city', 'state'], 'a person without any address'),
  [
    lackingAll('a person', ['dobMonth', 'dobDay', 'dobYear'], 'a person without birth'),
    lackingAll('a person', ['firstName', 'lastName'], 'a person without name'),
    lackingAll('a person', [...Persons.REQUIRED, 'ssn', 'ssnLast4'], 'a person of whom nothing is given'),
  ],
]);
Persons.cip.records('empty members', [...valuesOf('firstName', ['', null]), ...valuesOf('zip', [null])], { tries: 1 });

Persons.cip.advisesAgainst('portal.getCIPCheck.body-types', 'what is not JSON, and each member', [
  Forms.oddBodies.map(({ name, input }) => having(`a body ${name}`, {}, { input })),
  ofWrongType([...Persons.REQUIRED, 'ssn', 'ssnLast4']),
]);

/** A realistic address, longer than the limit allows. */
const LONG = '100 North Main Street Building Seven Floor 3';
/** A row whose address is refused or accepted by its length. Controls are as short as a street: a target may know streets. */
const addressOf = (address: string, what: string, more: Partial<Row> = {}): Row =>
  having(
    `an address of ${what}`,
    { address },
    { control: (person) => ({ ...person, address: Forms.firstWords(address, 4) }), ...more },
  );

/** Characters are counted: an address with other than plain letters is refused only where half of it, or as many plain letters, are, too. */
const counted = (address: string, what: string): Row =>
  addressOf(address, what, {
    control: (person) => ({ ...person, address: Forms.halfOf(address) }),
    excuse: (person) => ({ ...person, address: Forms.inPlainLetters(address) }),
  });

Persons.cip.accepts('portal.getCIPCheck.address-40-accepted', '38 to 40 characters', [
  addressOf(Forms.cutTo(LONG, CIP_ADDRESS_MAX), '40 characters', {
    fuller: (person) => ({ ...person, address: Forms.cutTo(`${person.address} ${LONG}`, CIP_ADDRESS_MAX) }),
  }),
  counted("100 O'Brien & Sons Street Building Seven", '40 characters with marks'),
  [
    '7 Upper Washington Boulevard Apartment 9 West',
    '455 Old Franklin Court Suite Twelve Level 2 East',
    '23 South Cedar Lane Unit Four Room 11 Annex',
  ].flatMap((address) =>
    [38, 39, 40].map((length) => addressOf(Forms.cutTo(address, length), `${length} characters: ${address}`)),
  ),
]);
Persons.cip.accepts(
  'portal.getCIPCheck.address-counts-characters',
  '40 letters, some or all of two bytes, also mixed',
  [
    counted(Forms.TWO_BYTES.repeat(CIP_ADDRESS_MAX), '40 two-byte letters'),
    counted(Forms.cutTo(LONG, CIP_ADDRESS_MAX).replaceAll('o', Forms.TWO_BYTES), '40 letters, some of two bytes'),
    [CIP_ADDRESS_MAX - 8, CIP_ADDRESS_MAX - 4, CIP_ADDRESS_MAX].flatMap((length) => [
      counted('üßé'.repeat(length).slice(0, length), `${length} different two-byte letters`),
      counted('aÅ7'.repeat(length).slice(0, length), `${length} letters, a third of two bytes`),
    ]),
  ],
);

const LONGER = Forms.cutTo(LONG, CIP_ADDRESS_MAX + 1);

/** Whose 40 first letters are refused, too, shows nothing of the length. */
const ofTwoBytes = (address: string, what: string, more: Partial<Row> = {}): Row =>
  addressOf(address, what, {
    ...more,
    excuse: (person) => ({ ...person, address: Forms.cutTo(address, CIP_ADDRESS_MAX) }),
  });

Persons.cip.refuses('portal.getCIPCheck.address-41-refused', '41 characters and more', [
  addressOf(LONGER, '41 letters, digits and spaces'),
  ofTwoBytes(LONGER.replaceAll('o', Forms.TWO_BYTES), '41 letters, some of two bytes', { on: ['required'] }),
  ofTwoBytes(Forms.TWO_BYTES.repeat(CIP_ADDRESS_MAX + 1), '41 two-byte letters'),
  addressOf(LONGER, '41 characters of a person with ssnLast4 alone', { on: ['lastFour'] }),
  addressOf('100 North Main Street,\nBuilding 7 Floor 3', '41 characters in two lines', { on: ['ssn'] }),
  addressOf(LONGER, '41 characters of a person who is not located', { on: ['notLocated'] }),
  // Within the limit modulo 256, and beyond a column of 255.
  ofTwoBytes('aÅ7'.repeat(92), '276 characters'),
]);
