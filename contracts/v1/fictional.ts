/** Persons and addresses that the suite makes up where the fixtures file gives none. They are nobody's, so a reproduction may show them. */
import type { CIP_DIGITS } from './cip.ts';

/** The required members of an order that say where its cards are sent. */
export const FICTIONAL_ADDRESS = {
  address1: '100 Main Street',
  address2: 'Suite 2',
  attn: 'Card Services',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
};

/** The required members of a card of an order, except the ssn, which differs from card to card. */
export const FICTIONAL_HOLDER = { firstName: 'Robin', lastName: 'Example', phone: '2175550100' };

/** Optional details of a holder that a program may require. */
export const FICTIONAL_DETAILS = {
  dateOfBirth: '1980-10-15',
  email: 'robin@example.com',
  mailingAddr1: '100 Main Street',
  mailingCity: 'Springfield',
  mailingState: 'IL',
  mailingPostalCode: '62701',
};

/** Names of further holders, no two of whom share one. */
export const FICTIONAL_NAMES = {
  first: [
    'Robin',
    'Alex',
    'Blair',
    'Casey',
    'Dana',
    'Ellis',
    'Frances',
    'Gale',
    'Harper',
    'Jamie',
    'Kelly',
    'Lee',
    'Morgan',
    'Noel',
    'Parker',
    'Quincy',
    'Riley',
    'Sidney',
    'Taylor',
    'Vivian',
    'Wynne',
    'Avery',
    'Jordan',
  ],
  last: [
    'Example',
    'Abbott',
    'Barnes',
    'Carter',
    'Dalton',
    'Emerson',
    'Foster',
    'Garner',
    'Hobbs',
    'Ingram',
    'Keller',
    'Lawson',
    'Mercer',
    'Norris',
    'Osborne',
    'Porter',
    'Ramsey',
    'Sawyer',
    'Turner',
    'Underwood',
    'Walker',
    'Young',
  ],
};

/** The mail and address of a holder. @param digits of his phone */
export const fictionalDetails = (digits: string) => ({
  email: `holder${digits}@example.com`,
  mailingAddr1: `${digits.slice(0, 3)}${digits.slice(-2)} Main Street`,
});

/** The body of a CIP check; every integer has its full number of digits. */
export const FICTIONAL_PERSON = {
  firstName: 'Jordan',
  lastName: 'Example',
  address: '100 Main Street',
  zip: 62701,
  dobMonth: 10,
  dobYear: 1980,
  dobDay: 15,
  ssn: 541_234_567,
  ssnLast4: 4567,
  city: 'Springfield',
  state: 'IL',
} satisfies Record<keyof typeof CIP_DIGITS | 'firstName' | 'lastName' | 'address' | 'city' | 'state', unknown>;
