/** Faults of CIP checks: how the values of a person are read, looked up and held against each other. */
import type { SandboxOptions } from '../../sandbox/index.ts';
import { bodyIn, thorough } from './broken.ts';
import type { Fault } from './fault.ts';
import { absentTogether, type Body, breaksAt, fault, lets, reads } from './portal-broken.ts';

const CIP = 'portal.getCIPCheck';

const LOCATED: unknown[] = ['Paula', 'Diana', 'Quinn'];
/** Whether the target looks for the person first, and finds nobody. */
const isNotLocated = ({ firstName }: Body) => firstName !== undefined && !LOCATED.includes(firstName);

const inBits = (value: unknown) => (typeof value === 'number' ? Number(BigInt(value) % 2n ** 32n) : value);

const WHERE = ['address', 'zip', 'city', 'state'];
const BIRTH = ['dobMonth', 'dobDay', 'dobYear'];
const NAMES = ['firstName', 'lastName'];

/** The limit of an address holds for another length than that of its characters. */
const addressIs = (lengthOf: (address: string) => number): SandboxOptions => ({
  rules: { cipAddressLength: lengthOf },
});
const longestOf = (parts: readonly string[]) => Math.max(...parts.map((part) => part.trim().length));

export const cipValueFaults: readonly Fault[] = [
  fault(
    'a number of nine digits is taken for a zip',
    'portal.getCIPCheck.zip-digits',
    lets(CIP, ({ kind, name }, person) => kind === 'limit' && name === 'zip' && /^\d{9}$/.test(String(person.zip))),
    thorough,
  ),
  fault(
    'the limit of an address holds for a line of it',
    'portal.getCIPCheck.address-41-refused',
    addressIs((address) => longestOf(address.split('\n'))),
  ),
  fault(
    'the limit of an address counts doubled quotes',
    'portal.getCIPCheck.address-40-accepted',
    addressIs((address) => address.replaceAll("'", "''").length),
  ),
  ...(['zip', 'ssn'] as const).map((member) =>
    fault(
      `the digits of a ${member} do not count for persons with both numbers`,
      `portal.getCIPCheck.${member}-digits`,
      lets(CIP, ({ kind, name }, { ssn, ssnLast4 }) => kind === 'limit' && name === member && !!ssn && !!ssnLast4),
      thorough,
    ),
  ),
  ...(['zip', 'ssnLast4'] as const).map((member) =>
    fault(
      `a negative ${member} is taken of persons without ssn`,
      `portal.getCIPCheck.${member}-digits`,
      lets(CIP, ({ kind, name }, { ssn }) => kind === 'negative' && name === member && ssn === undefined),
      thorough,
    ),
  ),
  fault(
    'a zip of nine digits is answered with 500',
    'portal.getCIPCheck.zip-digits',
    {
      middleware: [
        (answer, { operation, request }) =>
          operation === CIP && answer.status === 400 && Number(bodyIn(request).zip) >= 100_000_000
            ? { ...answer, status: 500, body: {} }
            : undefined,
      ],
    },
    thorough,
  ),
  ...[BIRTH, [...WHERE, ...BIRTH, ...NAMES]].map((members) =>
    fault(
      `of a person ${members.join(' and ')} may be absent together`,
      'portal.getCIPCheck.required-members',
      absentTogether(CIP, members),
      thorough,
    ),
  ),
  fault(
    'the limit of an address does not hold for persons who are not located',
    'portal.getCIPCheck.address-41-refused',
    lets(CIP, ({ kind, name }, person) => kind === 'limit' && name === 'address' && isNotLocated(person)),
  ),
  fault(
    'the digits of a zip do not count for persons who are not located',
    'portal.getCIPCheck.zip-digits',
    lets(CIP, ({ kind, name }, person) => /limit|negative/.test(kind) && name === 'zip' && isNotLocated(person)),
    thorough,
  ),
  ...(['zip', 'ssn'] as const).map((member) =>
    fault(
      `a ${member} is read into 32 bits`,
      `portal.getCIPCheck.${member}-digits`,
      reads(CIP, (person) => ({ ...person, [member]: inBits(person[member]) })),
      thorough,
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
    ] satisfies [string, (person: Body) => boolean][]
  ).map(([what, isMeant]) =>
    fault(
      `${what} is answered with 500 to a CIP check`,
      'portal.getCIPCheck.unusual-values',
      breaksAt(CIP, isMeant),
      thorough,
    ),
  ),
];
