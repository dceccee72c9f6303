/** Faults of CIP checks: members that may be absent, digits and lengths that do not count, and outcomes. */
import { CIP_DIGITS } from '../../contracts/v1/cip.ts';
import type { RefusalKind } from '../../sandbox/exchange.ts';
import type { SandboxRequest } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import {
  type Body,
  bodyIn,
  broken,
  fault,
  is,
  letThrough,
  misanswered,
  portal,
  reads,
  refused,
  refusedWith,
  replacing,
  withSeed,
} from './broken.ts';
import type { Fault } from './fault.ts';

const CIP = 'portal.getCIPCheck';
const REQUIRED = 'portal.getCIPCheck.required-members';

const ofPersons = (isMeant: (person: Body) => boolean) => (request: SandboxRequest) => isMeant(bodyIn(request));

/** What is wrong with one member of some persons is let through. */
const lets = (
  name: string,
  condemns: string,
  [kind, member]: readonly [RefusalKind | RegExp, string],
  isMeant: (person: Body) => boolean,
): Fault => portal(name, condemns, { rules: letThrough(is(CIP, { kind, name: member }, ofPersons(isMeant))) });

const LOCATED: unknown[] = ['Paula', 'Diana', 'Quinn'];
/** Whether the target looks for the person first, and finds nobody. */
const isNotLocated = ({ firstName }: Body) => firstName !== undefined && !LOCATED.includes(firstName);

const inBits = (value: unknown) => (typeof value === 'number' ? Number(BigInt(value) % 2n ** 32n) : value);

const hasNoSsn = ({ ssn }: Body) => ssn === undefined;

// ---- digits ------------------------------------------------------------------------------------------------------

const DIGITS = [
  ['portal.getCIPCheck.zip-digits', 'zip'],
  ['portal.getCIPCheck.dobMonth-digits', 'dobMonth'],
  ['portal.getCIPCheck.dobDay-digits', 'dobDay'],
  ['portal.getCIPCheck.dobYear-digits', 'dobYear'],
  ['portal.getCIPCheck.ssn-digits', 'ssn'],
  ['portal.getCIPCheck.ssnLast4-digits', 'ssnLast4'],
] as const;

const wantsAllDigits = (member: keyof typeof CIP_DIGITS): Partial<Rules> => ({
  cipLeastDigits: (name, byDefault) => (name === member ? CIP_DIGITS[member] : byDefault),
});

const digits: readonly Fault[] = [
  ...DIGITS.flatMap(([requirement, member]) => [
    broken(`CIP: one digit more in ${member}`, requirement, {
      ...letThrough(is(CIP, { kind: 'range', name: member })),
      cipDigits: (name, byDefault) => (name === member ? byDefault + 1 : byDefault),
    }),
    broken(`CIP: a negative ${member}`, requirement, letThrough(is(CIP, { kind: /negative|range/, name: member }))),
    broken(
      `CIP: too many digits in ${member} are answered with 422`,
      requirement,
      refusedWith(422, is(CIP, { kind: 'limit', name: member })),
    ),
  ]),
  ...(['dobMonth'] as const).map((member) =>
    broken(`CIP: ${member} wants all of its digits`, 'portal.getCIPCheck.one-digit-accepted', wantsAllDigits(member)),
  ),
  ...(['zip', 'ssn', 'ssnLast4'] as const).map((member) =>
    broken(
      `CIP: ${member} wants all of its digits`,
      'portal.getCIPCheck.fewer-digits-accepted',
      wantsAllDigits(member),
    ),
  ),
  {
    ...broken(
      'CIP: a year of five digits is answered with 500',
      'portal.getCIPCheck.dobYear-digits',
      refusedWith(500, is(CIP, { kind: 'limit', name: 'dobYear' })),
    ),
    // Of a person with one number alone any refusal will do, but this is none.
    ...withSeed(1),
  },
  broken('portal: a day of birth of one digit is refused', 'portal.getCIPCheck.one-digit-accepted', {
    cipLeastDigits: (name, byDefault) => (name === 'dobDay' ? 2 : byDefault),
  }),
  lets(
    'the digits of a zip do not count without ssn',
    'portal.getCIPCheck.zip-digits',
    [/limit|negative/, 'zip'],
    hasNoSsn,
  ),
  ...[
    ...(['zip', 'ssn'] as const).flatMap((member) => [
      lets(
        `the digits of a ${member} do not count for persons with both numbers`,
        `portal.getCIPCheck.${member}-digits`,
        ['limit', member],
        ({ ssn, ssnLast4 }) => !!ssn && !!ssnLast4,
      ),
      portal(`a ${member} is read into 32 bits`, `portal.getCIPCheck.${member}-digits`, {
        rules: reads(CIP, (person) => ({ ...person, [member]: inBits(person[member]) })),
      }),
    ]),
    ...(['zip'] as const).map((member) =>
      lets(
        `a negative ${member} is taken of persons without ssn`,
        `portal.getCIPCheck.${member}-digits`,
        ['negative', member],
        hasNoSsn,
      ),
    ),
    portal('a zip of nine digits is answered with 500', 'portal.getCIPCheck.zip-digits', {
      middleware: [
        (answer, { operation, request }) =>
          operation === CIP && answer.status === 400 && Number(bodyIn(request).zip) >= 100_000_000
            ? { ...answer, status: 500, body: {} }
            : undefined,
      ],
    }),
  ],
];

// ---- members and addresses ---------------------------------------------------------------------------------------

const WHERE = ['address', 'zip', 'city', 'state'];
const BIRTH = ['dobMonth', 'dobDay', 'dobYear'];
const NAMES = ['firstName', 'lastName'];

/** The length of an address is not that of its characters. */
const addressIs = (name: string, condemns: string, cipAddressLength: (address: string) => number): Fault =>
  broken(`portal: ${name}`, condemns, { cipAddressLength });

/** A first name is missed once, and not again. */
function missedOnce(): Partial<Rules> {
  let times = 0;
  const isMissed = is(
    CIP,
    { kind: 'missing-member', name: 'firstName' },
    ofPersons(({ lastName }) => lastName !== undefined),
  );
  return letThrough((refusal) => isMissed(refusal) && ++times > 1);
}

const members: readonly Fault[] = [
  lets('state may be absent of a person without ssn', REQUIRED, ['missing-member', 'state'], hasNoSsn),
  portal('a person without a first name is taken the second time', REQUIRED, { rules: missedOnce() }),
  ...[BIRTH, [...WHERE, ...BIRTH, ...NAMES]].map((absent) =>
    portal(`of a person ${absent.join(' and ')} may be absent together`, REQUIRED, {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === CIP &&
          kind === 'missing-member' &&
          request.raw.length > 0 &&
          absent.includes(name) &&
          absent.every((member) => bodyIn(request)[member] === undefined),
      ),
    }),
  ),
  broken(
    'CIP: a missing member is answered with 422',
    'portal.getCIPCheck.required-members',
    refusedWith(422, is(CIP, { kind: 'missing-member', name: 'state' })),
  ),
  broken('CIP: ssn is required', 'portal.getCIPCheck.required-only', {
    requires: (of, name, byDefault) => byDefault || (of === CIP && name === 'ssn'),
  }),
  broken('CIP: members of any type', 'portal.getCIPCheck.body-types', letThrough(is(CIP, { kind: 'member-type' }))),
  ...(
    [
      ['month 13', 'dobMonth'],
      ['day 32', 'dobDay'],
    ] as const
  ).map(([what, name]) =>
    broken(`CIP: a ${what}`, 'portal.getCIPCheck.calendar', letThrough(is(CIP, { kind: 'range', name }))),
  ),
  lets(
    'the limit of an address does not hold for persons who are not located',
    'portal.getCIPCheck.address-41-refused',
    ['limit', 'address'],
    isNotLocated,
  ),
  addressIs('the limit of an address holds for a line of it', 'portal.getCIPCheck.address-41-refused', (address) =>
    Math.max(...address.split('\n').map((line) => line.trim().length)),
  ),
  addressIs(
    'addresses of two-byte letters may have 41 characters',
    'portal.getCIPCheck.address-41-refused',
    (address) => (/^[^ -~]+$/.test(address) ? Math.min(address.length, 40) : address.length),
  ),
  broken(
    'getCIPCheck: an address counts bytes when one- and two-byte letters are mixed',
    'portal.getCIPCheck.address-counts-characters',
    {
      cipAddressLength: (address) =>
        /[a-z]/i.test(address) && /[^ -~]/.test(address) ? Buffer.byteLength(address) : address.length,
    },
  ),
  addressIs(
    'the limit of an address counts doubled quotes',
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
    (request) => request.operation === CIP && bodyIn(request).firstName === 'Felix',
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
const breaksAt = (
  name: string,
  condemns: string | readonly string[],
  isMeant: (person: Body) => boolean,
  toWhat = '',
): Fault =>
  portal(
    `${name} is answered with 500${toWhat}`,
    condemns,
    replacing(CIP, (_, { request }) => isMeant(bodyIn(request)) && { status: 500, body: {} }),
  );

const values: readonly Fault[] = [
  ...(
    [
      ['a birth in December', ({ dobMonth }) => dobMonth === 12],
      ['an apostrophe in a city', ({ city }) => String(city).includes("'")],
      ['a hyphen in a name', ({ lastName }) => String(lastName).includes('-')],
      ['a letter beyond ASCII in a name', ({ lastName }) => /[^ -~]/.test(String(lastName))],
    ] satisfies [string, (person: Body) => boolean][]
  ).map(([what, isMeant]) => breaksAt(what, ['portal.getCIPCheck.status', UNUSUAL], isMeant)),
  fault('portal.getCIPCheck: an address with letters beyond ASCII is answered with 500', UNUSUAL, {
    middleware: [
      (answer, { operation, request }) =>
        operation === CIP && /[^ -~]/.test(String(bodyIn(request).address))
          ? { ...answer, status: 500, body: {} }
          : undefined,
    ],
  }),
  ...(
    [
      ['a name of more than 50 letters', ({ lastName }) => String(lastName).length > 50],
      ['a quote in a city', ({ city }) => String(city).includes('"')],
      ['a birth in the 19th century', ({ dobYear }) => Number(dobYear) < 1900],
      ['a name of one letter', ({ lastName }) => String(lastName).length === 1],
      ['a state in small letters', ({ state }) => /[a-z]/.test(String(state))],
      ['a line break in an address', ({ address }) => String(address).includes('\n')],
      ['a birth in a year to come', ({ dobYear }) => Number(dobYear) > 2080],
    ] satisfies [string, (person: Body) => boolean][]
  ).map(([what, isMeant]) => breaksAt(what, UNUSUAL, isMeant, ' to a CIP check')),
];

export const portalCipFaults: readonly Fault[] = [...digits, ...members, ...outcomes, ...values];
