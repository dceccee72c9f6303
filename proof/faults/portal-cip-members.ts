/** Faults of CIP checks: members that may be absent, lengths and digits that do not count, and members of the answer. */
import { bodyIn, letThrough } from './broken.ts';
import type { Fault } from './fault.ts';
import { fault, secondTime } from './portal-broken.ts';

const CIP = 'portal.getCIPCheck';

export const cipMemberFaults: readonly Fault[] = [
  fault('the digits of a zip do not count without ssn', 'portal.getCIPCheck.zip-digits', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === CIP &&
        (kind === 'limit' || kind === 'negative') &&
        name === 'zip' &&
        bodyIn(request).ssn === undefined,
    ),
  }),
  fault('state may be absent of a person without ssn', 'portal.getCIPCheck.required-members', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === CIP && kind === 'missing-member' && name === 'state' && bodyIn(request).ssn === undefined,
    ),
  }),
  fault('a person without a first name is taken the second time', 'portal.getCIPCheck.required-members', {
    rules: secondTime(
      ({ operation, kind, name, request }) =>
        operation === CIP &&
        kind === 'missing-member' &&
        name === 'firstName' &&
        bodyIn(request).lastName !== undefined,
    ),
  }),
  fault('a day of birth of one digit is refused', 'portal.getCIPCheck.one-digit-accepted', {
    rules: { cipLeastDigits: (name, byDefault) => (name === 'dobDay' ? 2 : byDefault) },
  }),
  fault('addresses of two-byte letters may have 41 characters', 'portal.getCIPCheck.address-41-refused', {
    rules: {
      cipAddressLength: (address) => (/^[^ -~]+$/.test(address) ? Math.min(address.length, 40) : address.length),
    },
  }),
];
