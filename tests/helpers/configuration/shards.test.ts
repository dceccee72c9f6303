import { expect, test } from 'vitest';
import { requirements } from '../../../contracts/requirements/index.ts';
import { inShard } from '../../../helpers/configuration/scope.ts';

test.each([1, 2, 3, 4, 7, 50])('over %d shards no requirement is lost or done twice', (count) => {
  for (const requirement of requirements.filter(({ everyExchange }) => !everyExchange)) {
    const shards = Array.from({ length: count }, (_, i) => i + 1).filter((index) =>
      inShard({ index, count }, requirement),
    );
    expect(shards, requirement.id).toHaveLength(1);
  }
});

test('what every exchange shows is judged in each shard', () => {
  for (const requirement of requirements.filter(({ everyExchange }) => everyExchange))
    expect([1, 2, 3].every((index) => inShard({ index, count: 3 }, requirement))).toBe(true);
});

test('what changes cards is in one shard, so that pools are shared by nobody', () => {
  const changing = requirements.filter(
    ({ id, risk, everyExchange }) => risk !== 'safe' && id.startsWith('cards.') && !everyExchange,
  );
  for (const count of [2, 3, 5]) {
    const used = Array.from({ length: count }, (_, i) => i + 1).filter((index) =>
      changing.some((requirement) => inShard({ index, count }, requirement)),
    );
    expect(used).toHaveLength(1);
  }
});
