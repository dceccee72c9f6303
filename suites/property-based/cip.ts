/** Generated CIP checks: integers with wrong and allowed numbers of digits, and addresses around 40 characters. */
import fc from 'fast-check';
import { CIP_ADDRESS_MAX, CIP_DIGITS } from '../../contracts/v1/cip.ts';
import { expectAccepted } from '../../helpers/acceptance.ts';
import { defineSuite } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { expectRefused } from '../../helpers/expect.ts';
import { rotated } from '../../helpers/rotation.ts';
import { expectWrongRefused, type Refusal } from '../shared/right-twins.ts';
import { expectCharactersCounted, expectCheckAccepted, shortened } from '../v1/cip/limits.ts';
import {
  CIP,
  dueForNumber,
  PERSON_FORMS,
  personWithoutSsn,
  plainCheck,
  RULED_FORMS,
  requireAcceptedPerson,
} from '../v1/cip/person.ts';
import { MIXED_LETTERS, plainText, streetAddress, TWO_BYTE_LETTERS } from './inputs.ts';
import { affordable, forAll, type Limits } from './search.ts';

const { check, suite } = defineSuite();
export const generatedCipSuite = suite;

type Numbered = keyof typeof CIP_DIGITS;

/** Limits for inputs that must be accepted: each accepted CIP check costs. */
const paid = (t: Context): Limits => ({ most: affordable(t, 'RUN_MAX_CIP_CHECKS'), ...FEW });
/** Limits for inputs that only a broken target accepts. */
const FEW: Limits = { shrinkingRequests: 10 };

/** The modulus at which 32-bit integers wrap around. */
const WRAP = 2n ** 32n;

/** Digits of the longer numbers that a client may send by mistake: zip with its extension, whole ssn. */
const LONGER: Partial<Record<Numbered, number>> = { zip: 9, ssnLast4: 9 };

/**
 * Integers outside the documented number of digits. The first kind continues an accepted number by one digit, or to the length of
 * the longer number. The second is one of: equal to the accepted number modulo 2^32, of a length in between, negative, or a
 * year of fewer digits.
 * @param accepted the accepted person's value
 */
function outsideDigits(name: Numbered, accepted: unknown): fc.Arbitrary<number | bigint>[] {
  const limit = 10n ** BigInt(CIP_DIGITS[name]);
  const base = typeof accepted === 'number' && accepted > 0 ? BigInt(accepted) : limit / 10n;
  const asLong = 10n ** BigInt((LONGER[name] ?? CIP_DIGITS[name] + 1) - 1);
  const tooLong = fc.integer({ min: 0, max: 9 }).map((digit) => {
    let value = base;
    while (value < asLong) value = 10n * value + BigInt(digit);
    return asNumber(value);
  });
  const between = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map(asNumber);
  const negative = between(1n - limit, -1n);
  const tooFew = between(0n, limit / 10n - 1n);
  const tooMany = fc.integer({ min: 1, max: 9999 }).map((times) => asNumber(base + WRAP * BigInt(times)));
  const others = name === 'dobYear' ? [tooFew] : name in LONGER ? [between(10n * limit, asLong - 1n)] : [];
  return [tooLong, fc.oneof(tooMany, negative, ...others)];
}

/** A number where it is exact, so that messages show no bigint; else the bigint. */
const asNumber = (value: bigint) => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value);

for (const [requirement, name] of [
  ['portal.getCIPCheck.zip-digits', 'zip'],
  ['portal.getCIPCheck.dobMonth-digits', 'dobMonth'],
  ['portal.getCIPCheck.dobDay-digits', 'dobDay'],
  ['portal.getCIPCheck.dobYear-digits', 'dobYear'],
  ['portal.getCIPCheck.ssn-digits', 'ssn'],
  ['portal.getCIPCheck.ssnLast4-digits', 'ssnLast4'],
] as const)
  check(requirement, 'generated: integers outside of the digits', async (t) => {
    await requireAcceptedPerson(t);
    const what = `${name} outside of its digits`;
    const refusals: Refusal[] = [];
    for (const form of rotated(t.run, `${what}: persons`, ['whole', ...RULED_FORMS] as const)) {
      const person = await PERSON_FORMS[form](t);
      const expectOutsideRefused = async (value: number | bigint) => {
        const json = { ...person, [name]: value };
        const answer = await t.call(CIP, { json }, { intent: 'malformed' });
        expectRefused(answer, what);
        refusals.push({ what, answer, ...dueForNumber(form, person, json, name) });
      };
      await forAll(t, outsideDigits(name, person[name]), 1, expectOutsideRefused, FEW);
    }
    await expectWrongRefused(t, plainCheck, refusals);
  });

/** A zip, ssnLast4 or ssn with leading zeros, which as an integer has fewer digits. */
const fewerDigits = fc.oneof(
  fc.record({ zip: fc.integer({ min: 501, max: 9999 }) }),
  fc.record({ ssnLast4: fc.integer({ min: 1, max: 999 }) }),
  fc
    .tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 9999 }))
    .map(([area, group, serial]) => ({ ssn: area * 1_000_000 + group * 10_000 + serial })),
);

check('portal.getCIPCheck.fewer-digits-accepted', 'generated: one number of fewer digits', async (t) => {
  const person = await personWithoutSsn(t);
  const holds = async (number: object) => {
    const input = { json: { ...person, ...number } };
    const control = { json: await requireAcceptedPerson(t) };
    await expectAccepted(t, { operation: CIP, what: 'a number with fewer digits', input, control });
  };
  await forAll(t, fewerDigits, 1, holds, paid(t));
});

check('portal.getCIPCheck.address-40-accepted', 'generated: addresses of 38 to 40 characters', async (t) => {
  const person = await requireAcceptedPerson(t);
  const holds = async (address: string) => {
    const control = { ...person, address: shortened(address) };
    await expectCheckAccepted(t, `an address of ${address.length} characters`, { ...person, address }, { control });
  };
  await forAll(t, streetAddress(CIP_ADDRESS_MAX - 2, CIP_ADDRESS_MAX), 1, holds, paid(t));
});

/** Characters that exceed a column of 255, and are within the limit modulo 256. */
const FEW_IN_A_BYTE = 256 + CIP_ADDRESS_MAX / 2;

check('portal.getCIPCheck.address-41-refused', 'generated: addresses of more than 40 characters', async (t) => {
  const person = await requireAcceptedPerson(t);
  const refusals: Refusal[] = [];
  const expectLongRefused = async (address: string) => {
    const what = `an address of ${address.length} characters`;
    const answer = await t.call(CIP, { json: { ...person, address } }, { intent: 'malformed' });
    expectRefused(answer, what);
    refusals.push({ what, answer, statuses: [400] });
  };
  await forAll(t, plainText(FEW_IN_A_BYTE, FEW_IN_A_BYTE, MIXED_LETTERS), 1, expectLongRefused, FEW);
  await expectWrongRefused(t, plainCheck, refusals);
});

check('portal.getCIPCheck.address-counts-characters', 'generated: one- and two-byte letters mixed', async (t) => {
  const person = await requireAcceptedPerson(t);
  const mixed = plainText(CIP_ADDRESS_MAX - 10, CIP_ADDRESS_MAX, [...MIXED_LETTERS, ...TWO_BYTE_LETTERS]);
  const drawn = mixed.filter((address) => [...address].some((letter) => TWO_BYTE_LETTERS.includes(letter)));
  await forAll(t, drawn, 1, (address) => expectCharactersCounted(t, person, address), paid(t));
});
