import { describe, expect, test } from 'vitest';
import { claims, matches } from '../../../helpers/configuration/pattern.ts';

describe('a pattern without a star', () => {
  test.each(['cards.get', 'cards.get.', 'cards', 'cards.'])('%s selects the id cards.get.shape', (pattern) => {
    expect(matches(pattern, 'cards.get.shape')).toBe(true);
  });

  test('selects the id that it is', () => {
    expect(matches('cards.get', 'cards.get')).toBe(true);
  });

  test.each(['cards.getBalance', 'cards.getBalance.shape', 'cards', 'portal.cards.get'])(
    'cards.get does not select %s',
    (id) => {
      expect(matches('cards.get', id)).toBe(false);
    },
  );

  test('is told by the case of letters, and its dots are dots', () => {
    expect(matches('Cards.get', 'cards.get')).toBe(false);
    expect(matches('cards.get', 'cardsXget')).toBe(false);
  });

  test('selects nothing when it is empty', () => {
    expect(matches('', 'cards.get')).toBe(false);
  });
});

describe('a star', () => {
  test.each([
    ['*', 'cards.get.shape'],
    ['cards.*', 'cards.get.shape'],
    ['*.shape', 'cards.get.shape'],
    ['cards.*.shape', 'cards.get.shape'],
    ['cards.get*', 'cards.getBalance.shape'],
    ['cards.*Balance', 'cards.getBalance.shape'],
    ['*get*', 'cards.get'],
    ['cards.get*', 'cards.get'],
  ])('%s selects %s', (pattern, id) => {
    expect(matches(pattern, id)).toBe(true);
  });

  test.each([
    ['cards.*', 'users.get'],
    ['*.shape', 'cards.get.shapes'],
    ['*.get', 'cards.getBalance'],
    ['cards.*.shape', 'cards.shape'],
    ['cards.*', 'cards'],
  ])('%s does not select %s', (pattern, id) => {
    expect(matches(pattern, id)).toBe(false);
  });

  test('many of them are matched without backtracking', () => {
    expect(matches(`${'*a'.repeat(40)}b`, 'a'.repeat(2000))).toBe(false);
  });
});

describe('what a target claims', () => {
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
  ])('%j: %s is claimed: %s', (patterns, id, expected) => {
    expect(claims(patterns, id)).toBe(expected);
  });
});
