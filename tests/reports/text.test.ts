import { describe, expect, test } from 'vitest';
import { code, table } from '../../reports/markdown-text.ts';
import { count, cut, duration, some, visible } from '../../reports/text.ts';
import { HOSTILE } from './record-builder.ts';

describe('visible text', () => {
  test.each([
    ['\u001b[31mred', '\\u001b[31mred'],
    ['a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['\u202eexe', '\\u202eexe'],
    ['\u009b31m \u2028 \ufffe', '\\u009b31m \\u2028 \\ufffe'],
    ['\ud800', '\\ud800'],
    ['##[error]x ##vso[task]', '\\u0023#[error]x \\u0023#vso[task]'],
    ['::error::x', '\\u003a:error::x'],
    ['  ::stop-commands::x', '  \\u003a:stop-commands::x'],
    ['a::b', 'a::b'],
    ['grüße 卡 😀 #1', 'grüße 卡 😀 #1'],
  ])('of %j', (text, expected) => expect(visible(text)).toBe(expected));
});

test('text is cut between characters', () => {
  expect(cut('abc', 3)).toBe('abc');
  expect(cut('abcd', 3)).toBe('abc …');
  expect(cut('ab😀d', 3)).toBe('ab …');
});

test('numbers are in words', () => {
  expect([count(1, 'request'), count(0, 'request')]).toEqual(['1 request', '0 requests']);
  expect([some(['a', 'b'], 2), some(['a', 'b', 'c'], 2)]).toEqual(['a, b', 'a, b and 1 more']);
  expect([duration(840), duration(125_000)]).toEqual(['0.8 s', '2 min 5 s']);
});

describe('code in Markdown', () => {
  test.each([
    ['plain', '` plain `'],
    ['`tick`', '`` `tick` ``'],
    ['a``b', '``` a``b ```'],
    ['a|b \\| c', '` a\\u007cb \\\\u007c c `'],
    ['', ''],
    [' ', ''],
  ])('of %j', (text, expected) => expect(code(text)).toBe(expected));

  test('of hostile text is one span on one line', () => {
    const span = code(HOSTILE);
    const [fence = ''] = /^`+/.exec(span) ?? [];
    expect(span.split(fence).map((part) => part.includes('\n'))).toEqual([false, false, false]);
    expect(span).not.toContain('|');
  });
});

test('a table counts the rows it leaves out', () => {
  expect(table(['A'], [['1'], ['2'], ['3']], 2)).toEqual([
    '| A |',
    '| --- |',
    '| 1 |',
    '| 2 |',
    '',
    '… and 1 more.',
    '',
  ]);
});
