import type { Json, JsonObject } from '../json.ts';
import { isAscii, onReply, rule, succeeded, textsOf } from '../tools.ts';
import { all, apart, atMost, type Change, person, waits } from './changes.ts';
import { also, type Freedom, family, ways } from './freedom.ts';

/** A condition on the person that getCIPCheck is asked about, and what makes the fixtures' people meet it. */
const ofPerson =
  (broken: (sent: JsonObject) => boolean, meet: JsonObject = {}): Change =>
  (c) => {
    c.created.push(({ people }) => {
      for (const { body } of people) Object.assign(body, meet);
    });
    rule(c, 'portal.getCIPCheck', ({ content }) => broken(content), 400);
  };

const text = (sent: JsonObject, name: string) => String(sent[name] ?? '');

const ofNames = (broken: (name: string) => boolean) =>
  ofPerson((sent) => broken(text(sent, 'firstName')) || broken(text(sent, 'lastName')));

/** What a target may ask of identity checks. */
export const cipRules: Freedom[] = family('business-rule', [
  ...also('portal, getCIPCheck body: nothing is said of what the values have to be beyond their types', {
    'cip-zip-belongs-to-its-state': ofPerson(
      ({ zip, state }) => state !== 'PA' || Number(zip) < 15000 || Number(zip) > 19699,
    ),
    'cip-state-of-two-capitals': ofPerson((sent) => !/^[A-Z]{2}$/.test(text(sent, 'state'))),
    'cip-names-in-ascii': ofPerson(({ firstName, lastName }) => !isAscii([firstName, lastName]), { firstName: 'Rene' }),
    'cip-names-of-two-letters-at-least': ofNames((name) => name.length < 2),
    'cip-names-of-30-letters-at-most': ofNames((name) => name.length > 30),
    'cip-names-without-digits': ofNames((name) => /\d/.test(name)),
    'cip-adults-only': ofPerson(({ dobYear }) => Number(dobYear) > 2005),
    'cip-born-after-1900': ofPerson(({ dobYear }) => Number(dobYear) < 1900),
    'cip-ends-of-ssn-agree': ofPerson(
      ({ ssn, ssnLast4 }) => ssn != null && ssnLast4 != null && Number(ssn) % 10000 !== ssnLast4,
    ),
    'cip-ssn-does-not-begin-with-nine': ofPerson(({ ssn }) => Number(ssn ?? 0) >= 900_000_000),
    'cip-ssn-not-of-one-digit': ofPerson(({ ssn }) => /^(\d)\1{8}$/.test(String(ssn))),
    'cip-address-with-a-number': ofPerson((sent) => !/\d/.test(text(sent, 'address'))),
    'cip-address-not-a-box': ofPerson((sent) => /p\.?\s*o\.?\s*box/i.test(text(sent, 'address'))),
    'cip-address-without-quotes': ofPerson((sent) => /["'%]/.test(text(sent, 'address')), {
      address: '12 North Street, Apt 3',
    }),
    'cip-city-in-letters': ofPerson((sent) => !/^[\p{L} .'-]+$/u.test(text(sent, 'city'))),
    'cip-nothing-empty': ofPerson((sent) => textsOf(sent).includes('')),
    'cip-unknown-fields-refused': ofPerson((sent) => {
      const known = 'firstName lastName address zip dobMonth dobYear dobDay ssn ssnLast4 city state'.split(' ');
      return Object.keys(sent).some((name) => !known.includes(name));
    }),
  }),
  ...ways('checksPerPerson', 'portal, getCIPCheck: how often a person may be checked is open', {
    'cip-one-check-a-person': atMost(1, 'portal.getCIPCheck', person, 400),
    'cip-two-checks-a-person': atMost(2, 'portal.getCIPCheck', person, 400),
    'cip-five-checks-a-person': atMost(5, 'portal.getCIPCheck', person, 400),
  }),
  ...also('portal, getCIPCheck: how many checks and how soon is open', {
    'cip-thirty-checks-a-day': atMost(30, 'portal.getCIPCheck', all, 400),
    'cip-checks-of-a-person-200-ms-apart': apart(200, 'portal.getCIPCheck', person, 400),
    'cip-remembers-a-person': (c) => {
      const answers = new Map<string, Json>();
      onReply(c, 'portal.getCIPCheck', (reply, x) => {
        if (!succeeded(reply)) return;
        const known = answers.get(person(x));
        if (known) reply.body = structuredClone(known);
        else answers.set(person(x), structuredClone(reply.body ?? {}));
      });
    },
    'cip-takes-300-ms': waits(({ operation }) => (operation === 'portal.getCIPCheck' ? 300 : undefined)),
  }),
]);
