/** An answer that is lost is one row less to judge by. */
import { expect, test } from 'vitest';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import type { Rules } from '../../sandbox/index.ts';

/** Answers the first of some requests with 503, without carrying it out. */
function unavailableOnce(isMeant: (operation: string, body: Record<string, unknown>) => boolean): Partial<Rules> {
  let isOver = false;
  return {
    unavailable: ({ operation, body }) => {
      if (isOver || !isMeant(operation, (body ?? {}) as Record<string, unknown>)) return undefined;
      isOver = true;
      return { status: 503, headers: {}, body: undefined };
    },
  };
}

test.each<[what: string, requirement: string, isMeant: Parameters<typeof unavailableOnce>[0]]>([
  ['the first transfer', 'cards.transfer.moves-amount', (operation) => operation === 'cards.transfer'],
  ['the first order', 'portal.orderCards.duplicate-order', (operation) => operation === 'portal.orderCards'],
  ['the first suspension', 'cards.suspend.not-active', (operation) => operation === 'cards.suspend'],
  [
    'an incomplete order',
    'portal.orderCards.required-members',
    (operation, body) => operation === 'portal.orderCards' && !('customerId' in body),
  ],
  [
    'a transfer that must be refused',
    'cards.transfer.no-amount',
    (operation, body) => operation === 'cards.transfer' && !('amount' in body),
  ],
])('%s is answered 503, and %s is judged all the same', async (_, requirement, isMeant) => {
  const { outcomes } = await conductAgainst({ rules: unavailableOnce(isMeant) }, [requirement]);
  const own = outcomes.filter((one) => one.requirement === requirement);
  expect(own.map(({ verdict, message }) => [verdict, message])).toEqual(own.map(() => ['passed', '']));
});

test('what is always lost is carried out once more, and blocks', async () => {
  let transfers = 0;
  const rules: Partial<Rules> = {
    unavailable: ({ operation }) =>
      operation === 'cards.transfer' && ++transfers > 0 ? { status: 503, headers: {}, body: undefined } : undefined,
  };
  const { outcomes } = await conductAgainst({ rules }, ['cards.transfer.moves-amount']);
  const verdicts = outcomes.filter((one) => one.requirement === 'cards.transfer.moves-amount');
  expect(verdicts.map(({ verdict }) => verdict)).toContain('blocked');
  expect(transfers).toBeLessThan(13);
});
