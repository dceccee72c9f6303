import type { Exchange } from '../exchange.ts';
import type { Json, JsonObject } from '../json.ts';
import { isAscii, onReply, rule, since, sleep, succeeded, tally, textsOf } from '../tools.ts';
import type { World } from '../world.ts';
import { also, type Draft, type Freedom, family, ways } from './freedom.ts';

/** A condition on the person that getCIPCheck is asked about, and what makes the fixtures' people meet it. */
function person(broken: (sent: JsonObject, x: Exchange) => boolean, meet: JsonObject = {}): Draft['change'] {
  return (c) => {
    c.created.push(({ people }: World) => {
      for (const { body } of people) Object.assign(body, meet);
    });
    rule(c, 'portal.getCIPCheck', (x) => broken(x.content, x), 400);
  };
}

const text = (sent: JsonObject, name: string) => String(sent[name] ?? '');

const people = also('portal, getCIPCheck body: nothing is said of what the values have to be beyond their types', {
  'cip-zip-belongs-to-its-state': person(
    ({ zip, state }) => state !== 'PA' || Number(zip) < 15000 || Number(zip) > 19699,
  ),
  'cip-state-of-two-capitals': person((sent) => !/^[A-Z]{2}$/.test(text(sent, 'state'))),
  'cip-names-in-ascii': person(({ firstName, lastName }) => !isAscii([firstName, lastName]), { firstName: 'Rene' }),
  'cip-names-of-two-letters-at-least': person(
    (sent) => text(sent, 'firstName').length < 2 || text(sent, 'lastName').length < 2,
  ),
  'cip-names-of-30-letters-at-most': person(
    (sent) => text(sent, 'firstName').length > 30 || text(sent, 'lastName').length > 30,
  ),
  'cip-names-without-digits': person((sent) => /\d/.test(text(sent, 'firstName') + text(sent, 'lastName'))),
  'cip-adults-only': person(({ dobYear }) => Number(dobYear) > 2005),
  'cip-born-after-1900': person(({ dobYear }) => Number(dobYear) < 1900),
  'cip-ends-of-ssn-agree': person(
    ({ ssn, ssnLast4 }) => ssn != null && ssnLast4 != null && Number(ssn) % 10000 !== ssnLast4,
  ),
  'cip-ssn-does-not-begin-with-nine': person(({ ssn }) => Number(ssn ?? 0) >= 900_000_000),
  'cip-ssn-not-of-one-digit': person(({ ssn }) => /^(\d)\1{8}$/.test(String(ssn))),
  'cip-address-with-a-number': person((sent) => !/\d/.test(text(sent, 'address'))),
  'cip-address-not-a-box': person((sent) => /p\.?\s*o\.?\s*box/i.test(text(sent, 'address'))),
  'cip-address-without-quotes': person((sent) => /["'%]/.test(text(sent, 'address')), {
    address: '12 North Street, Apt 3',
  }),
  'cip-city-in-letters': person((sent) => !/^[\p{L} .'-]+$/u.test(text(sent, 'city'))),
  'cip-nothing-empty': person((sent) => textsOf(sent).includes('')),
  'cip-unknown-fields-refused': person((sent) => {
    const known = 'firstName lastName address zip dobMonth dobYear dobDay ssn ssnLast4 city state'.split(' ');
    return Object.keys(sent).some((name) => !known.includes(name));
  }),
});

const whose = ({ content }: Exchange) => `${content.firstName}|${content.lastName}|${content.zip}`;

function checks(most: number, key: (x: Exchange) => unknown): Draft['change'] {
  return (c) => {
    const done = tally(c, 'portal.getCIPCheck', key);
    rule(c, 'portal.getCIPCheck', (x) => done(x) >= most, 400);
  };
}

const often = [
  ...ways('checksPerPerson', 'portal, getCIPCheck: how often a person may be checked is open', {
    'cip-one-check-a-person': checks(1, whose),
    'cip-two-checks-a-person': checks(2, whose),
    'cip-five-checks-a-person': checks(5, whose),
  }),
  ...also('portal, getCIPCheck: how many checks and how soon is open', {
    'cip-thirty-checks-a-day': checks(30, () => 'all'),
    'cip-checks-of-a-person-200-ms-apart': (c) => {
      const ago = since(c, 'portal.getCIPCheck', whose);
      rule(c, 'portal.getCIPCheck', (x) => ago(x) < 200, 400);
    },
    'cip-remembers-a-person': (c) => {
      const answers = new Map<string, Json>();
      onReply(c, 'portal.getCIPCheck', (reply, x) => {
        if (!succeeded(reply)) return;
        const known = answers.get(whose(x));
        if (known) reply.body = structuredClone(known);
        else answers.set(whose(x), structuredClone(reply.body ?? {}));
      });
    },
    'cip-takes-300-ms': (c) => {
      c.before.push(({ operation }) =>
        operation === 'portal.getCIPCheck' ? sleep(300).then(() => undefined) : undefined,
      );
    },
  }),
];

/** What a target may ask of identity checks. */
export const cipRules: Freedom[] = family('business-rule', [...people, ...often]);
