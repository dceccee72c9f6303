/** A target may answer a listing with as many entries as an answer may hold: the laws of listings go through them once. */
import { expect, test } from 'vitest';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';

/** So short that thousands of them fit into an answer. */
const results = Array.from({ length: 1_000 }, (_, index) => ({
  identifier: `i${index}`,
  customerIdentifier: `c${index}`,
}));

test('a listing of a thousand cards is judged', async () => {
  const { outcomes } = await conductAgainst(
    {
      middleware: [
        (answer, { operation }) =>
          operation === 'cards.list' && answer.status === 200 ? { ...answer, body: { results } } : undefined,
      ],
    },
    ['cards.list'],
  );
  const failed = outcomes.filter(({ verdict }) => verdict === 'failed').map(({ requirement }) => requirement);
  expect(failed).toContain('cards.list.max-respected');
  expect(failed).toContain('cards.list.unknown-filter-value');
  expect(outcomes.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
});
