/** Sound portals with rules of their own for CIP checks: how many, how often, of whom, and of which form. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import { atMost, type Body, bodyIn, CIP, isElsewhere, oneAtATime, ownRule, refusing, variant } from './portal-rule.ts';
import type { Variant } from './variant.ts';

const ifCip = (isRefused: (person: Body) => boolean) => (request: SandboxRequest) =>
  request.operation === CIP && isRefused(bodyIn(request));

const personIn = (request: SandboxRequest) => `${bodyIn(request).firstName} ${bodyIn(request).lastName}`;

export const cipRuleVariants: readonly Variant[] = [
  variant(
    'three CIP checks per person',
    'getCIPCheck: how often a person is verified is not said',
    atMost(3, CIP, personIn),
  ),
  variant(
    'three CIP checks per person, then 403',
    'Errors: 403 is "understood but refused"; how often a person is verified is not said',
    atMost(3, CIP, personIn, 403),
  ),
  variant(
    'a person is verified once a day',
    'getCIPCheck: how often a person is verified is not said',
    atMost(1, CIP, (request) => JSON.stringify([personIn(request), bodyIn(request).ssn])),
  ),
  variant('twelve CIP checks a day', 'Limits: rate limits are not shown', atMost(12, CIP, undefined, 403)),
  variant(
    'one CIP check at a time',
    'getCIPCheck: requests at the same moment are not spoken of',
    oneAtATime(CIP, () => '', 409),
  ),
  refusing(
    'the zip of a person belongs to the state',
    'getCIPCheck body: zip is 5 digits; whether it is held against state is not said',
    ifCip(({ zip, state }) => isElsewhere(zip, state)),
  ),
  refusing(
    'persons are of age, and were born after 1920',
    'getCIPCheck body: dobYear is 4 digits; which years are people is not said',
    ifCip(
      ({ dobYear }) =>
        typeof dobYear === 'number' && String(dobYear).length === 4 && (dobYear > 2005 || dobYear < 1920),
    ),
  ),
  refusing(
    'a date of birth is a day of the calendar',
    'getCIPCheck body: dobMonth and dobDay are 2 digits',
    ifCip(({ dobDay, dobMonth, dobYear }) => {
      const date = new Date(Date.UTC(Number(dobYear), Number(dobMonth) - 1, Number(dobDay)));
      return Number(dobMonth) <= 12 && Number(dobDay) <= 31 && date.getUTCDate() !== Number(dobDay);
    }),
  ),
  refusing(
    'an address begins with a house number and holds words',
    'getCIPCheck body: address is a street address of at most 40 characters',
    ifCip(({ address }) => typeof address === 'string' && !/^\d+ [A-Za-z]+ [A-Za-z0-9 ]+$/.test(address)),
  ),
  refusing(
    'the post delivers to the address',
    'getCIPCheck body: address is a street address; whether there is one is not said',
    ifCip(({ address }) => typeof address === 'string' && !/^\d+ Elm Street$/.test(address)),
  ),
  refusing(
    'no letter stands three times in a row',
    'getCIPCheck body: address is a street address; what is no address is not said',
    ifCip(({ address }) => /(.)\1\1/.test(String(address ?? ''))),
  ),
  refusing(
    'names of ASCII letters alone',
    'getCIPCheck body: firstName and lastName are strings',
    ifCip(({ firstName, lastName }) => /[^A-Za-z]/.test(`${firstName ?? ''}${lastName ?? ''}`)),
  ),
  refusing(
    'ssn as the authority gives them',
    'getCIPCheck body: ssn is 9 digits; which numbers are given is not said',
    ifCip(({ ssn }) => {
      const text = String(ssn ?? '123456789').padStart(9, '0');
      return text.length === 9 && /^(000|666|9)|^...00|0000$/.test(text);
    }),
  ),
  refusing(
    'all nine digits of an ssn, all four of ssnLast4, all five of a zip',
    'getCIPCheck body: 5, 9 and 4 digits; that integers lose leading zeros is advice',
    ifCip(
      ({ ssn, ssnLast4, zip }) =>
        (typeof ssn === 'number' && ssn >= 0 && ssn < 1e8) ||
        (typeof ssnLast4 === 'number' && ssnLast4 >= 0 && ssnLast4 < 1000) ||
        (typeof zip === 'number' && zip >= 0 && zip < 10_000),
    ),
  ),
  variant('a CIP check without Content-Type is answered with 415', 'HTTP: 415 is for another media type', {
    rules: {
      refusalStatus: ({ operation, kind, request }, byDefault) =>
        operation === CIP && kind === 'missing-body' && request.headers['content-type'] === undefined ? 415 : byDefault,
    },
  }),
  variant(
    'the network is poor for one person',
    'CIP check response: returnCode is 0 if the server is down or the network is poor',
    {
      middleware: [
        (answer, { operation, request }) =>
          operation === CIP && answer.status === 200 && bodyIn(request).firstName === 'Felix'
            ? { ...answer, body: { returnCode: 0, data: { Error: 'try again later' } } }
            : undefined,
      ],
    },
  ),
  variant('unknown persons are refused', 'getCIPCheck: 400 is listed; who must be verified is not said', {
    rules: ownRule(
      ifCip(({ lastName }) => !['Located', 'Unseen', 'Several', undefined, null, ''].includes(lastName as string)),
    ),
  }),
];
