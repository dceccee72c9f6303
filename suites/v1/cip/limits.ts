/** Limits of a CIP check, at their edges (reading 39). */
import { CIP_ADDRESS_MAX } from '../../../contracts/v1/cip.ts';
import { describe, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import { accepted, expectRefused, expectStatus } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { without } from '../orders/bodies.ts';
import { inSession } from '../scenarios/session-lifecycle.ts';
import { acceptedPerson, CIP, type Person } from './person.ts';

const { check, suite } = defineSuite();
export const cipLimitsSuite = suite;

/** A letter of two bytes in UTF-8 that no normalisation takes apart. */
const TWO_BYTES = 'ø';
const STREET = '1 Long Meadow Street ';

const address40 = scenario('CIP check with an address of 40 characters', async (t) =>
  t.call(CIP, { json: { ...(await acceptedPerson(t)), address: STREET.padEnd(CIP_ADDRESS_MAX, 'x') } }),
);

check(
  'portal.getCIPCheck.address-40-accepted',
  '40 letters, digits and spaces',
  inSession(async (t) => {
    accepted(await t.shared(address40), 'an address of 40 characters');
  }),
);

check(
  'portal.getCIPCheck.address-41-refused',
  '41 letters, digits and spaces',
  inSession(async (t) => {
    const address = STREET.padEnd(CIP_ADDRESS_MAX + 1, 'x');
    const json = { ...(await acceptedPerson(t)), address };
    expectStatus(await t.call(CIP, { json }, { intent: 'malformed' }), [400], 'an address of 41 characters');
  }),
);

check(
  'portal.getCIPCheck.address-counts-characters',
  '40 two-byte letters',
  inSession(async (t) => {
    const person = await acceptedPerson(t);
    const letters = (count: number) =>
      t.call(CIP, { json: { ...person, address: TWO_BYTES.repeat(count) } }, { intent: 'refusable' });
    const forty = await letters(CIP_ADDRESS_MAX);
    if (succeeded(forty)) return;
    const twenty = await letters(CIP_ADDRESS_MAX / 2);
    if (!succeeded(twenty)) inconclusive('addresses of two-byte letters are refused, whatever their length');
    fail('an address of 40 two-byte letters is refused, one of 20 accepted', {
      expected: 'success',
      actual: describe(forty),
    });
  }),
);

/** Values outside of the digits of a member. */
const OUTSIDE = [
  ['portal.getCIPCheck.zip-digits', 'zip', [100_000, -1]],
  ['portal.getCIPCheck.dobMonth-digits', 'dobMonth', [100, -1]],
  ['portal.getCIPCheck.dobDay-digits', 'dobDay', [100, -1]],
  ['portal.getCIPCheck.dobYear-digits', 'dobYear', [85, 999, 10_000, -198, -1980]],
  ['portal.getCIPCheck.ssn-digits', 'ssn', [1_000_000_000, -1]],
  ['portal.getCIPCheck.ssnLast4-digits', 'ssnLast4', [10_000, -1]],
] as const;

for (const [requirement, name, values] of OUTSIDE)
  for (const value of values)
    check(
      requirement,
      `${name} is ${value}`,
      inSession(async (t) => {
        const json = { ...(await acceptedPerson(t)), [name]: value };
        expectStatus(await t.call(CIP, { json }, { intent: 'malformed' }), [400], `${name} of ${value}`);
      }),
    );

/** Integers that lost leading zeros; the last four digits of the one are the other. */
const FEWER_DIGITS = { zip: 501, dobMonth: 1, dobDay: 2, ssn: 1_230_012, ssnLast4: 12 };
/** Where zip 00501 is. */
const PLACE = { city: 'Holtsville', state: 'NY' };

check(
  'portal.getCIPCheck.fewer-digits-accepted',
  'all five members',
  inSession(async (t) => {
    const person = without(without({ ...(await acceptedPerson(t)), ...PLACE, zip: 501 }, 'ssn'), 'ssnLast4');
    const checked = (fewer: Person) => t.call(CIP, { json: { ...person, ...fewer } }, { intent: 'refusable' });
    if (succeeded(await checked(FEWER_DIGITS))) return;
    for (const [name, value] of Object.entries(FEWER_DIGITS))
      accepted(await checked({ [name]: value }), `${name} with fewer digits`);
    inconclusive('all five members with fewer digits are refused, and each by itself is accepted');
  }),
);

for (const [name, value] of [
  ['dobMonth', 13],
  ['dobDay', 32],
] as const)
  check(
    'portal.getCIPCheck.calendar',
    `${name} is ${value}`,
    inSession(async (t) => {
      const json = { ...(await acceptedPerson(t)), [name]: value };
      expectRefused(await t.call(CIP, { json }, { intent: 'malformed' }), `${name} of ${value}`);
    }),
  );
