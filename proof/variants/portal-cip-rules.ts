/** Sound portals with rules of their own for CIP checks: how many, how often, of whom, and of which form. */
import type { SandboxRequest } from '../../sandbox/exchange.ts';
import { atMost, type Body, bodyIn, CIP, isElsewhere, oneAtATime, refusing, variant } from './portal-rule.ts';
import type { Variant } from './variant.ts';

const ifCip = (isRefused: (person: Body) => boolean) => (request: SandboxRequest) =>
  request.operation === CIP && isRefused(bodyIn(request));

export const cipRuleVariants: readonly Variant[] = [
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
    'an address begins with a house number and holds words',
    'getCIPCheck body: address is a street address of at most 40 characters',
    ifCip(({ address }) => typeof address === 'string' && !/^\d+ [A-Za-z]+ [A-Za-z0-9 ]+$/.test(address)),
  ),
  refusing(
    'names of ASCII letters alone',
    'getCIPCheck body: firstName and lastName are strings',
    ifCip(({ firstName, lastName }) => /[^A-Za-z]/.test(`${firstName ?? ''}${lastName ?? ''}`)),
  ),
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
];
