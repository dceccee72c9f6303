import fc from 'fast-check';
import { expect, test } from 'vitest';
import { body } from '../../../reports/page/body.ts';

const shown = (text: string, ...pointers: string[]) => String(body(text, new Set(pointers)));
const ENTITIES: Record<string, string> = {
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};
const unescaped = (markup: string) => markup.replace(/&#?\w+;/g, (entity) => ENTITIES[entity]!);

test('JSON stands on indented lines, its literals as they came', () => {
  const text = '{"a":1.0,"a":9007199254740993,"b":{},"c":[true,null]}';
  const lines = '{\n  "a": 1.0,\n  "a": 9007199254740993,\n  "b": {},\n  "c": [\n    true,\n    null\n  ]\n}';
  expect(unescaped(shown(text))).toBe(lines);
});

test('the pointed part is marked, also deep in a long array', () => {
  const text = JSON.stringify({ results: Array.from({ length: 40 }, (_, n) => ({ 'a/b': n })), more: 'x' });
  const markup = unescaped(shown(text, '/results/30/a~1b'));
  expect(markup).toContain('<mark>"a/b"</mark>: <mark>30</mark>');
  expect(markup).not.toContain('29');
  expect(markup).toMatch(/… 37 more[^"]*"more": "x"/);
  expect(shown('[1,[2,3]]', '/1/0')).toContain('<mark>2</mark>');
});

test('nesting without end, JSON that is cut and other text are shown as far as there is room', () => {
  expect(shown('['.repeat(100_000)).length).toBeLessThan(20_000);
  expect(shown('{"a":"cut of')).toContain('&quot;cut of');
  expect(shown('x'.repeat(10_000))).toContain('7000 more characters');
});

test('short JSON loses nothing', () => {
  const short = fc.json({ maxDepth: 3 }).filter((text) => text.length < 300);
  fc.assert(
    fc.property(short, (text) => {
      const value: unknown = JSON.parse(text, (_, one) => (Array.isArray(one) ? one.slice(0, 2) : one));
      expect(JSON.parse(unescaped(shown(JSON.stringify(value))))).toEqual(value);
    }),
  );
});
