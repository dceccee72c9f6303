import { expect, test } from 'vitest';
import { claims, matches } from '../../../contracts/pattern.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { inShard } from '../../../helpers/configuration/scope.ts';

const IDS =
  'cards.get cards.get.shape cards.get.shapes cards.getBalance.shape users.get portal.cards.get cardsXget'.split(' ');

test.each([
  ['cards.get', 'cards.get cards.get.shape cards.get.shapes'],
  ['cards.get.', 'cards.get cards.get.shape cards.get.shapes'],
  ['cards', 'cards.get cards.get.shape cards.get.shapes cards.getBalance.shape'],
  ['Cards.get', ''],
  ['', ''],
  ['*', IDS.join(' ')],
  ['cards.*', 'cards.get cards.get.shape cards.get.shapes cards.getBalance.shape'],
  ['*.shape', 'cards.get.shape cards.getBalance.shape'],
  ['*.get', 'cards.get cards.get.shape cards.get.shapes users.get portal.cards.get'],
  ['cards.*.shape', 'cards.get.shape cards.getBalance.shape'],
  ['cards.get*', 'cards.get cards.get.shape cards.get.shapes cards.getBalance.shape'],
  ['*Balance*', 'cards.getBalance.shape'],
])('the pattern "%s" selects "%s" and nothing else', (pattern, selected) => {
  expect(IDS.filter((id) => matches(pattern, id)).join(' ')).toBe(selected);
});

test('a star stands for characters that are there, and many of them are matched without backtracking', () => {
  expect(matches('cards.*.shape', 'cards.shape')).toBe(false);
  expect(matches('cards.*', 'cards')).toBe(false);
  expect(matches(`${'*a'.repeat(40)}b`, 'a'.repeat(2000))).toBe(false);
});

test.each<[string[], string, boolean]>([
  [[], 'cards.setPin', true],
  [['cards'], 'cards.setPin', true],
  [['cards'], 'users.list', false],
  [['-cards.setPin', '-portal.orderCards'], 'cards.get', true],
  [['-cards.setPin', '-portal.orderCards'], 'cards.setPin', false],
  [['cards', '-cards.setPin'], 'cards.get', true],
  [['cards', '-cards.setPin'], 'cards.setPin', false],
  [['cards', '-cards.setPin'], 'users.list', false],
  [['-cards.get'], 'cards.getBalance', true],
  [['-portal'], 'portal.login', false],
])('a target that claims %j claims %s: %s', (patterns, id, expected) => {
  expect(claims(patterns, id)).toBe(expected);
});

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
