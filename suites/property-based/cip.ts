/** Generated CIP checks: integers around their digits, addresses around their 40 characters, members left out. */
import fc from 'fast-check';
import { CIP_ADDRESS_MAX, CIP_DIGITS } from '../../contracts/v1/cip.ts';
import { describe, succeeded } from '../../helpers/answer.ts';
import { defineSuite } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { accepted, expectStatus } from '../../helpers/expect.ts';
import { inconclusive } from '../../helpers/verdict.ts';
import { acceptedPerson, CIP, CIP_REQUIRED, type Person } from '../v1/cip/person.ts';
import { inSession } from '../v1/scenarios/session-lifecycle.ts';
import { MIXED_LETTERS, plainText, severalOf, TWO_BYTE_LETTERS } from './inputs.ts';
import { affordable, forAll, type Limits } from './search.ts';

const { check, suite } = defineSuite();
export const generatedCipSuite = suite;

type Numbered = keyof typeof CIP_DIGITS;

/** Limits of what is to be accepted, and of what would be by a broken target: an accepted CIP check costs. */
const paid = (t: Context): Limits => ({ most: affordable(t, 'RUN_MAX_CIP_CHECKS'), ...FEW });
const FEW: Limits = { shrinkingRequests: 10 };

/** Integers with one digit more than allowed, and with many more; negative ones; and years of fewer digits. */
function outsideDigits(name: Numbered): fc.Arbitrary<number | bigint>[] {
  const limit = 10n ** BigInt(CIP_DIGITS[name]);
  const between = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map(asNumber);
  const negative = between(1n - limit, -1n);
  const tooFew = between(0n, limit / 10n - 1n);
  return [
    between(limit, limit * 10n - 1n),
    between(limit * 10n, limit * 10n ** 10n),
    name === 'dobYear' ? fc.oneof(tooFew, negative) : negative,
  ];
}

/** Numbers where they are exact, so that messages read as people write them. */
const asNumber = (value: bigint) => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value);

const DIGITS = [
  ['portal.getCIPCheck.zip-digits', 'zip'],
  ['portal.getCIPCheck.dobMonth-digits', 'dobMonth'],
  ['portal.getCIPCheck.dobDay-digits', 'dobDay'],
  ['portal.getCIPCheck.dobYear-digits', 'dobYear'],
  ['portal.getCIPCheck.ssn-digits', 'ssn'],
  ['portal.getCIPCheck.ssnLast4-digits', 'ssnLast4'],
] as const satisfies readonly (readonly [string, Numbered])[];

for (const [requirement, name] of DIGITS)
  check(
    requirement,
    'generated: integers outside of the digits',
    inSession(async (t) => {
      const person = await acceptedPerson(t);
      await forAll(
        t,
        outsideDigits(name),
        1,
        async (value) => {
          const answer = await t.call(CIP, { json: { ...person, [name]: value } }, { intent: 'malformed' });
          expectStatus(answer, [400], `${name} outside of its digits`);
        },
        FEW,
      );
    }),
  );

/** Integers within their digits, of persons who may well live. */
const within = fc.record(
  {
    zip: fc.integer({ min: 501, max: 99_950 }),
    dobMonth: fc.integer({ min: 1, max: 12 }),
    dobDay: fc.integer({ min: 1, max: 28 }),
    dobYear: fc.integer({ min: 1930, max: 2004 }),
    ssn: fc
      .tuple(fc.integer({ min: 1, max: 665 }), fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 9999 }))
      .map(([area, group, serial]) => area * 1_000_000 + group * 10_000 + serial),
  },
  { requiredKeys: ['zip', 'dobMonth', 'dobDay', 'dobYear'] },
);

check(
  'portal.getCIPCheck.fewer-digits-accepted',
  'generated: integers within their digits',
  inSession(async (t) => {
    const { ssn: _, ssnLast4: __, ...person } = await acceptedPerson(t);
    const holds = async ([numbers, last4]: readonly [{ ssn?: number }, boolean]) => {
      const serial = numbers.ssn === undefined ? 42 : numbers.ssn % 10_000;
      const json = { ...person, ...numbers, ...(last4 ? { ssnLast4: serial } : {}) };
      accepted(await t.call(CIP, { json }), 'a person whose integers are within their digits');
    };
    await forAll(t, fc.tuple(within, fc.boolean()), 4, holds, paid(t));
  }),
);

check(
  'portal.getCIPCheck.address-40-accepted',
  'generated: addresses of 38 to 40 characters',
  inSession(async (t) => {
    const person = await acceptedPerson(t);
    const holds = async (address: string) => {
      accepted(await t.call(CIP, { json: { ...person, address } }), `an address of ${address.length} characters`);
    };
    await forAll(t, plainText(CIP_ADDRESS_MAX - 2, CIP_ADDRESS_MAX), 2, holds, paid(t));
  }),
);

check(
  'portal.getCIPCheck.address-41-refused',
  'generated: addresses of more than 40 characters',
  inSession(async (t) => {
    const person = await acceptedPerson(t);
    const justTooLong = plainText(CIP_ADDRESS_MAX + 1, CIP_ADDRESS_MAX + 3, MIXED_LETTERS);
    await forAll(
      t,
      [justTooLong, plainText(CIP_ADDRESS_MAX + 1, 300)],
      2,
      async (address) => {
        const answer = await t.call(CIP, { json: { ...person, address } }, { intent: 'malformed' });
        expectStatus(answer, [400], `an address of ${address.length} characters`);
      },
      FEW,
    );
  }),
);

check(
  'portal.getCIPCheck.address-counts-characters',
  'generated: one- and two-byte letters mixed',
  inSession(async (t) => {
    const person = await acceptedPerson(t);
    const mixed = plainText(CIP_ADDRESS_MAX - 10, CIP_ADDRESS_MAX, [...MIXED_LETTERS, ...TWO_BYTE_LETTERS]);
    const holds = async (address: string) => {
      const answer = await t.call(CIP, { json: { ...person, address } }, { intent: 'refusable' });
      if (!succeeded(answer)) await takesFewerBytes(t, person, address);
      accepted(answer, `an address of ${address.length} characters, some of two bytes,`);
    };
    const drawn = mixed.filter((address) => twoByteLetters(address) !== '');
    await forAll(t, drawn, 3, holds, paid(t));
  }),
);

const twoByteLetters = (text: string) => [...text].filter((letter) => TWO_BYTE_LETTERS.includes(letter)).join('');

/** The two-byte letters alone, so few that their bytes are within the limit, too. @throws Inconclusive when they are refused */
async function takesFewerBytes(t: Context, person: Person, address: string): Promise<void> {
  const json = { ...person, address: twoByteLetters(address).slice(0, CIP_ADDRESS_MAX / 2) };
  const answer = await t.call(CIP, { json }, { intent: 'refusable' });
  if (!succeeded(answer)) inconclusive(`a short address with two-byte letters is refused, too: ${describe(answer)}`);
}

check(
  'portal.getCIPCheck.required-members',
  'generated: several absent',
  inSession(async (t) => {
    const person = await acceptedPerson(t);
    await forAll(
      t,
      severalOf(CIP_REQUIRED),
      4,
      async (absent) => {
        const json = Object.fromEntries(Object.entries(person).filter(([name]) => !absent.includes(name)));
        expectStatus(
          await t.call(CIP, { json }, { intent: 'malformed' }),
          [400],
          'a CIP check without required members',
        );
      },
      FEW,
    );
  }),
);
