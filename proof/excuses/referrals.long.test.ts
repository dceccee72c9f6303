/** A check that refers to another requirement excuses nothing: a broken implementation that gets there fails by that requirement. */
import { expect, test } from 'vitest';
import { faults } from '../faults/index.ts';
import { conduct, failedIn, sandboxOf } from '../selfcheck/prove.ts';
import { referrals } from './sites.ts';

/** By the requirement that is referred to, a fault that it condemns, and that ends another check by the referral. */
const REACHED_BY: Readonly<Record<string, string>> = {
  'portal.getCustomerHierarchy.required-only': 'portal.getCustomerHierarchy does not exist',
  'cards.list.filtered-members': 'cards are listed with an externalIdentifier of nobody',
  'cards.get.same-card': 'cards.get: answers that are under way at the same moment are mixed up',
  'cards.getBalance.same-card': 'cards.getBalance: answers that are under way at the same moment are mixed up',
};

/** What stands in the source of a reason, apart from the values in it. */
const wordsOf = (reason: string): string[] => reason.split(/\$\{.*?\}/);

/** What is mixed up in flight is so by chance: so many runs are tried, at the most, until one gets there. */
const MOST_RUNS = 6;

test('each referral is reached at a fault by which the requirement fails that it names', async () => {
  const left = new Set(referrals());
  expect(left.size).toBe(Object.keys(REACHED_BY).length);
  for (const [requirement, name] of Object.entries(REACHED_BY)) {
    const { sandbox } = faults.find((fault) => fault.name === name)!;
    const before = left.size;
    for (let run = 1; run <= MOST_RUNS && left.size === before; run++) {
      const { outcomes } = await conduct(sandboxOf(sandbox), { only: [] });
      expect(failedIn(outcomes)).toContain(requirement);
      const said = outcomes.flatMap(({ verdict, message = '' }) =>
        verdict === 'inconclusive' && message.endsWith(`: see ${requirement}`) ? [message] : [],
      );
      for (const referral of left)
        if (said.some((message) => wordsOf(referral.reason).every((words) => message.includes(words))))
          left.delete(referral);
    }
  }
  expect([...left]).toEqual([]);
});
