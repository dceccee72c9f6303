/** Faults of CIP checks: members that may be absent, digits and lengths that do not count, and outcomes. */
import { CIP_DIGITS } from '../../contracts/v1/cip.ts';
import type { RefusalKind } from '../../sandbox/exchange.ts';
import type { SandboxRequest } from '../../sandbox/index.ts';
import { altering, type Body, bodyIn, is, letThrough, reads, refusedWith } from '../changed-sandbox.ts';
import { breaking, broken, fault, misanswered, misrefused, portal, refused, tolerated, withSeed } from './broken.ts';
import type { Fault } from './fault.ts';

const CIP = 'portal.getCIPCheck';

type IsMeant = (person: Body) => boolean;
const ofPersons = (isMeant: IsMeant) => (request: SandboxRequest) => isMeant(bodyIn(request));

const LOCATED: unknown[] = ['Paula', 'Diana', 'Quinn'];
const hasNoSsn: IsMeant = ({ ssn }) => ssn === undefined;
const hasBothNumbers: IsMeant = ({ ssn, ssnLast4 }) => !!ssn && !!ssnLast4;

// ---- digits ------------------------------------------------------------------------------------------------------

const wantsAllDigits = (name: string, condemns: string, wanting: keyof typeof CIP_DIGITS): Fault =>
  broken(name, condemns, {
    cipLeastDigits: (member, byDefault) => (member === wanting ? CIP_DIGITS[wanting] : byDefault),
  });

/** Digits of some persons that do not count. */
const uncounted: readonly Fault[] = (
  [
    ['the digits of a zip do not count without ssn', /limit|negative/, 'zip', hasNoSsn],
    ['the digits of a zip do not count for persons with both numbers', 'limit', 'zip', hasBothNumbers],
    ['the digits of a ssn do not count for persons with both numbers', 'limit', 'ssn', hasBothNumbers],
    ['a negative zip is taken of persons without ssn', 'negative', 'zip', hasNoSsn],
  ] satisfies [string, RefusalKind | RegExp, string, IsMeant][]
).map(([what, kind, name, isMeant]) =>
  tolerated(`portal: ${what}`, `${CIP}.${name}-digits`, { kind, name }, ofPersons(isMeant)),
);

const inBits = (value: unknown) => (typeof value === 'number' ? Number(BigInt(value) % 2n ** 32n) : value);

const digits: readonly Fault[] = [
  ...uncounted,
  ...Object.keys(CIP_DIGITS).flatMap((name) => [
    broken(`CIP: one digit more in ${name}`, `${CIP}.${name}-digits`, {
      ...letThrough(is(CIP, { kind: 'range', name })),
      cipDigits: (member, byDefault) => (member === name ? byDefault + 1 : byDefault),
    }),
    tolerated(`CIP: a negative ${name}`, `${CIP}.${name}-digits`, { kind: /negative|range/, name }),
    misrefused(`CIP: too many digits in ${name} are answered with 422`, `${CIP}.${name}-digits`, 422, {
      kind: 'limit',
      name,
    }),
  ]),
  wantsAllDigits('CIP: dobMonth wants all of its digits', 'portal.getCIPCheck.one-digit-accepted', 'dobMonth'),
  wantsAllDigits('portal: a day of birth of one digit is refused', 'portal.getCIPCheck.one-digit-accepted', 'dobDay'),
  ...(['zip', 'ssn', 'ssnLast4'] as const).map((member) =>
    wantsAllDigits(`CIP: ${member} wants all of its digits`, 'portal.getCIPCheck.fewer-digits-accepted', member),
  ),
  fault(
    'CIP: a year of five digits is answered with 500',
    'portal.getCIPCheck.dobYear-digits',
    { rules: refusedWith(500, is(CIP, { kind: 'limit', name: 'dobYear' })) },
    // Of a person with one number alone any refusal will do, but this is none.
    withSeed(1),
  ),
  ...['zip', 'ssn'].map((member) =>
    portal(`a ${member} is read into 32 bits`, `${CIP}.${member}-digits`, {
      rules: reads(CIP, (person) => ({ ...person, [member]: inBits(person[member]) })),
    }),
  ),
  portal(
    'a zip of nine digits is answered with 500',
    'portal.getCIPCheck.zip-digits',
    altering(
      ({ status }, { operation, request }) =>
        operation === CIP && status === 400 && Number(bodyIn(request).zip) >= 100_000_000 && { status: 500, body: {} },
    ),
  ),
];

// ---- members and addresses ---------------------------------------------------------------------------------------

const BIRTH = ['dobMonth', 'dobDay', 'dobYear'];

/** A first name is missed once, and not again. */
function missedOnce(): Fault {
  let times = 0;
  return tolerated(
    'portal: a person without a first name is taken the second time',
    'portal.getCIPCheck.required-members',
    { kind: 'missing-member', name: 'firstName' },
    ofPersons(({ lastName }) => lastName !== undefined && ++times > 1),
  );
}

/** The length of an address is not that of its characters. */
const measured = (name: string, condemns: string, cipAddressLength: (address: string) => number): Fault =>
  broken(name, condemns, { cipAddressLength });

const members: readonly Fault[] = [
  missedOnce(),
  tolerated(
    'portal: state may be absent of a person without ssn',
    'portal.getCIPCheck.required-members',
    { kind: 'missing-member', name: 'state' },
    ofPersons(hasNoSsn),
  ),
  ...[BIRTH, ['address', 'zip', 'city', 'state', ...BIRTH, 'firstName', 'lastName']].map((absent) =>
    tolerated(
      `portal: of a person ${absent.join(' and ')} may be absent together`,
      'portal.getCIPCheck.required-members',
      { kind: 'missing-member', name: new RegExp(`^(${absent.join('|')})$`) },
      (request) => request.raw.length > 0 && absent.every((member) => bodyIn(request)[member] === undefined),
    ),
  ),
  misrefused('CIP: a missing member is answered with 422', 'portal.getCIPCheck.required-members', 422, {
    kind: 'missing-member',
    name: 'state',
  }),
  broken('CIP: ssn is required', 'portal.getCIPCheck.required-only', {
    requires: (of, name, byDefault) => byDefault || (of === CIP && name === 'ssn'),
  }),
  tolerated('CIP: members of any type', 'portal.getCIPCheck.body-types', { kind: 'member-type' }),
  tolerated('CIP: a month 13', 'portal.getCIPCheck.calendar', { kind: 'range', name: 'dobMonth' }),
  tolerated('CIP: a day 32', 'portal.getCIPCheck.calendar', { kind: 'range', name: 'dobDay' }),
  // The target looks for the person first, and finds nobody.
  tolerated(
    'portal: the limit of an address does not hold for persons who are not located',
    'portal.getCIPCheck.address-41-refused',
    { kind: 'limit', name: 'address' },
    ofPersons(({ firstName }) => firstName !== undefined && !LOCATED.includes(firstName)),
  ),
  measured(
    'portal: the limit of an address holds for a line of it',
    'portal.getCIPCheck.address-41-refused',
    (address) => Math.max(...address.split('\n').map((line) => line.trim().length)),
  ),
  measured(
    'portal: addresses of two-byte letters may have 41 characters',
    'portal.getCIPCheck.address-41-refused',
    (address) => (/^[^ -~]+$/.test(address) ? Math.min(address.length, 40) : address.length),
  ),
  measured(
    'getCIPCheck: an address counts bytes when one- and two-byte letters are mixed',
    'portal.getCIPCheck.address-counts-characters',
    (address) => (/[a-z]/i.test(address) && /[^ -~]/.test(address) ? Buffer.byteLength(address) : address.length),
  ),
  measured(
    'portal: the limit of an address counts doubled quotes',
    'portal.getCIPCheck.address-40-accepted',
    (address) => address.replaceAll("'", "''").length,
  ),
];

// ---- outcomes ----------------------------------------------------------------------------------------------------

/** Outcomes of CIP checks, changed. */
const outcome = (name: string, condemns: string, change: (data: Body) => void): Fault =>
  misanswered(`CIP: ${name}`, condemns, CIP, ({ data }) => change(data as Body));

const outcomes: readonly Fault[] = [
  broken('CIP: no returnCode', 'portal.getCIPCheck.return-code-present', { cipReturnCode: () => undefined }),
  broken('CIP: everybody passes', ['portal.getCIPCheck.outcome-fail', 'portal.getCIPCheck.outcome-partial-questions'], {
    cipOutcome: () => 'pass',
  }),
  refused(
    'CIP: a person who is not found is answered with 404',
    'portal.getCIPCheck.outcome-fail',
    { kind: 'unknown', name: 'person' },
    ofPersons(({ firstName }) => firstName === 'Felix'),
  ),
  outcome('empty question lists come with every outcome', 'portal.getCIPCheck.empty-lists-only-partial', (data) => {
    data.questionList ??= [];
  }),
  outcome('the configured questions are left out', 'portal.getCIPCheck.outcome-partial-questions', (data) => {
    delete data.questionList;
  }),
  outcome('differentiator questions come with Fail alone', 'portal.getCIPCheck.questions-only-partial', (data) => {
    if (data.summaryResult === 'Fail') data.diffQuestionList = [{ question: 'When?' }];
  }),
];

// ---- unusual values ----------------------------------------------------------------------------------------------

const UNUSUAL = 'portal.getCIPCheck.unusual-values';

const values: readonly Fault[] = [
  ...(
    [
      ['a birth in December', ({ dobMonth }) => dobMonth === 12],
      ['an apostrophe in a city', ({ city }) => String(city).includes("'")],
      ['a hyphen in a name', ({ lastName }) => String(lastName).includes('-')],
      ['a letter beyond ASCII in a name', ({ lastName }) => /[^ -~]/.test(String(lastName))],
    ] satisfies [string, IsMeant][]
  ).map(([what, isMeant]) =>
    breaking(`portal: ${what} is answered with 500`, ['portal.getCIPCheck.status', UNUSUAL], ofPersons(isMeant)),
  ),
  fault(
    'portal.getCIPCheck: an address with letters beyond ASCII is answered with 500',
    UNUSUAL,
    altering(
      (_, { operation, request }) =>
        operation === CIP && /[^ -~]/.test(String(bodyIn(request).address)) && { status: 500, body: {} },
    ),
  ),
  ...(
    [
      ['a name of more than 50 letters', ({ lastName }) => String(lastName).length > 50],
      ['a quote in a city', ({ city }) => String(city).includes('"')],
      ['a birth in the 19th century', ({ dobYear }) => Number(dobYear) < 1900],
      ['a name of one letter', ({ lastName }) => String(lastName).length === 1],
      ['a state in small letters', ({ state }) => /[a-z]/.test(String(state))],
      ['a line break in an address', ({ address }) => String(address).includes('\n')],
      ['a birth in a year to come', ({ dobYear }) => Number(dobYear) > 2080],
    ] satisfies [string, IsMeant][]
  ).map(([what, isMeant]) =>
    breaking(`portal: ${what} is answered with 500 to a CIP check`, UNUSUAL, ofPersons(isMeant)),
  ),
];

export const portalCipFaults: readonly Fault[] = [...digits, ...members, ...outcomes, ...values];
