import fc from 'fast-check';
import { expect, test } from 'vitest';
import { body } from '../../../reports/page/body.ts';

const shown = (text: string, ...pointers: string[]) => String(body(text, new Set(pointers)));
const unescaped = (markup: string) => markup.replaceAll('&quot;', '"').replace(/<\/?mark>/g, '');

test('JSON stands on indented lines, its literals as they came', () => {
  const text = '{"a":1.0,"a":9007199254740993,"b":{},"c":[true,null]}';
  expect(unescaped(shown(text))).toBe(
    '{\n  "a": 1.0,\n  "a": 9007199254740993,\n  "b": {},\n  "c": [\n    true,\n    null\n  ]\n}',
  );
});

test('the pointed part is marked, also deep in a long array', () => {
  const text = JSON.stringify({ results: Array.from({ length: 40 }, (_, n) => ({ 'a/b': n })), more: 'x' });
  const markup = shown(text, '/results/30/a~1b');
  expect(markup).toContain('<mark>&quot;a/b&quot;</mark>: <mark>30</mark>');
  expect(markup).not.toContain('29');
  expect(markup).toContain('… 37 more');
  expect(markup).toContain('&quot;more&quot;: &quot;x&quot;');
});

test('a scalar item is marked', () => {
  expect(shown('[1,[2,3]]', '/1/0')).toContain('<mark>2</mark>');
});

test('nesting without end and cut JSON are shown as far as there is room', () => {
  expect(shown('['.repeat(100_000)).length).toBeLessThan(20_000);
  expect(shown('{"a":"cut of')).toContain('&quot;cut of');
});

test('text that is no JSON is cut', () => {
  expect(shown('x'.repeat(10_000))).toContain('7000 more characters');
});

test('short JSON loses nothing', () => {
  const short = fc.jsonValue({ maxDepth: 3 }).filter((value) => JSON.stringify(value).length < 300);
  fc.assert(
    fc.property(short, (value) => {
      const compact = fewItems(value);
      const text = JSON.stringify(compact);
      const markup = shown(text)
        .replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
      expect(JSON.parse(markup.replace(/\\u(d[89a-f]..)/g, '\\u$1'))).toEqual(JSON.parse(text));
    }),
  );
});

/** Arrays of two items at most, and texts without what is made visible. */
function fewItems(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
  if (Array.isArray(value)) return value.slice(0, 2).map(fewItems);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [fewItems(name), fewItems(member)]));
}
