/** Excuses that no freedom of the proof needs, and why they stand all the same. Any other is needed by a sound implementation: without it, that would be accused. */

/**
 * Why an excuse stands that no freedom needs.
 * - 'fixtures': the fixtures file or the environment gives too little, or is out of date
 * - 'scope': an operation is not in scope, or what it gives is only read where it is
 * - 'finding': the cause is a finding of another requirement, which accuses by itself
 * - 'others': somebody else uses the target at that moment, or its clock is behind (how an accusation is earned; readings 14 and 47)
 * - 'limit': the target has a limit that this run reaches here, but not always (readings 46 to 48)
 * - 'fleeting': it showed once and then no more, which a target of ours does only by chance (how an accusation is earned; reading 20)
 * - 'silent': the target shows nothing by which it could be judged, which the documents leave open (readings 10 and 44)
 */
export type Why = 'fixtures' | 'scope' | 'finding' | 'others' | 'limit' | 'fleeting' | 'silent';

/** By file, the reasons as they stand there. */
export const WITHOUT_FREEDOM: Readonly<Record<string, Readonly<Record<string, Why>>>> = {
  'helpers/engine/acceptance.ts': {
    '${operation} answers status ${absent.status} to everything': 'finding',
  },
  'suites/v3/cards/get.ts': {
    'the listing by the ${name} of the record finds the card and shows another: it contradicts itself': 'finding',
    'records of another card than the one asked for are given: see cards.get.same-card': 'finding',
  },
  'suites/v3/cards/money/own-balances.ts': {
    'balances that are asked for at the same moment are mixed up: see cards.getBalance.same-card': 'finding',
  },
};
