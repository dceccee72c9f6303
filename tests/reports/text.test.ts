import { expect, test } from 'vitest';
import { code, plain, table } from '../../reports/markdown-text.ts';
import { cut, duration, inLines, visible } from '../../reports/text.ts';
import { HOSTILE } from './record-builder.ts';

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
])('%j is made visible', (text, expected) => expect(visible(text)).toBe(expected));

test('text is cut between characters', () => {
  expect(['abc', 'abcd', 'ab😀d'].map((text) => cut(text, 3))).toEqual(['abc', 'abc …', 'ab …']);
});

test('a duration is in words', () => expect([840, 125_000].map(duration)).toEqual(['0.8 s', '2 min 5 s']));

test.each([
  ['plain', '` plain `'],
  ['`tick`', '`` `tick` ``'],
  ['a``b', '``` a``b ```'],
  ['a|b \\| c', '` a\\u007cb \\\\u007c c `'],
  ['', ''],
  [' ', ''],
])('code in Markdown of %j', (text, expected) => expect(code(text)).toBe(expected));

test('code in Markdown of hostile text is one span on one line', () => {
  const span = code(HOSTILE);
  const [fence = ''] = /^`+/.exec(span) ?? [];
  expect(span.split(fence).map((part) => part.includes('\n'))).toEqual([false, false, false]);
  expect(span).not.toContain('|');
});

const PLAIN = ['expires_in is 3900 seconds', '"ten" at /balance', 'status 200 (130 bytes)', '{"error":"no_client"}'];
test.each(PLAIN)('plain text stays as it is in Markdown: %s', (text) => expect(plain(text)).toBe(text));

const MARKUP = [
  '@someone',
  '#12',
  'https://evil.example',
  '- item',
  '1. item',
  '_em_',
  ':smile:',
  'a|b',
  '$x$',
  '&lt;',
];
test.each(MARKUP)('text that could be markup is a span of code: %s', (text) => {
  expect(plain(text)).toMatch(/^` .* `$/);
});

test('a table counts the rows it leaves out', () => {
  const rows = [['1'], ['2'], ['3']];
  expect(table(['A'], rows, 2).join('\n')).toBe('| A |\n| --- |\n| 1 |\n| 2 |\n\n… and 1 more.\n');
});

test('a long line goes on below its text, and begins with no command of a build server', () => {
  expect(inLines('  finding   one two three four five', 3)).toEqual([
    '  finding   one two',
    '            three four five',
  ]);
  expect(inLines('Could not be tried: one two', 5)).toEqual(['Could not be tried: one', '                    two']);
  expect(inLines('one two', 2)).toEqual(['one two']);
  expect(inLines('a b ::error::c', 2)).toEqual(['a b', '\\u003a:error::c']);
});
