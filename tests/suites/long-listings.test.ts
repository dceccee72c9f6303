/** A target may answer a listing with any number of entries: the laws of listings go through them once. */
import { expect, test } from 'vitest';
import type { AnswerFilter, OperationId } from '../../sandbox/index.ts';
import { conductAgainst } from '../proof/prove.ts';

const ENTRIES = Array.from({ length: 100_000 }, (_, index) => ({
  identifier: `entry-${index}`,
  customerIdentifier: `customer-${index}`,
}));

const flooding =
  (listing: OperationId): AnswerFilter =>
  (answer, { operation }) =>
    operation === listing && answer.status === 200
      ? { ...answer, body: { ...(answer.body as object), results: ENTRIES } }
      : undefined;

for (const [listing, condemned] of [
  ['users.list', 'users.list.never-more-than-50'],
  ['cards.list', 'cards.list.max-respected'],
] as const)
  test(`${listing} with a hundred thousand entries is judged`, async () => {
    const { outcomes } = await conductAgainst({ middleware: [flooding(listing)] }, [listing]);
    expect(outcomes.find(({ requirement }) => requirement === condemned)?.verdict).toBe('failed');
    expect(outcomes.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
  });
