/** Sound portals with rules of their own for CIP checks: how many, how often, of whom, and of which form. */
import { atMost, bodyIn, CIP, oneAtATime, variant } from './portal-rule.ts';
import type { Variant } from './variant.ts';

export const cipRuleVariants: readonly Variant[] = [
  variant('twelve CIP checks a day', 'Limits: rate limits are not shown', atMost(12, CIP, undefined, 403)),
  variant(
    'one CIP check at a time',
    'getCIPCheck: requests at the same moment are not spoken of',
    oneAtATime(CIP, () => '', 409),
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
