import { expect, test } from 'vitest';
import { requirements } from '../../../contracts/requirements/index.ts';
import { inShard } from '../../../helpers/configuration/scope.ts';

/** The shards, of so many, that some of the requirements are in. */
const shardsOf = (count: number, some: typeof requirements) =>
  Array.from({ length: count }, (_, i) => i + 1).filter((index) => some.some((one) => inShard({ index, count }, one)));

const own = requirements.filter(({ everyExchange }) => !everyExchange);

test.each([1, 2, 3, 4, 7, 50])('over %d shards no requirement is lost or done twice', (count) => {
  for (const requirement of own) expect(shardsOf(count, [requirement]), requirement.id).toHaveLength(1);
});

test('what every exchange shows is judged in each shard', () => {
  for (const requirement of requirements.filter((one) => !own.includes(one)))
    expect(shardsOf(3, [requirement])).toEqual([1, 2, 3]);
});

test('what changes cards is in one shard, so that pools are shared by nobody', () => {
  const changing = own.filter(({ id, risk }) => risk !== 'safe' && id.startsWith('cards.'));
  for (const count of [2, 3, 5]) expect(shardsOf(count, changing)).toHaveLength(1);
});
