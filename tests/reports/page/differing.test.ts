import { expect, test } from 'vitest';
import { differing } from '../../../reports/page/differing.ts';

const marked = (expected: string, actual: string) => {
  const both = differing(expected, actual);
  return [String(both.expected), String(both.actual)];
};

test.each([
  ['status [401 or 403]', 'status [200]'],
  ['a balance of 99.[81] EUR', 'a balance of 99.[82] EUR'],
])('the part that differs is marked, word by word: %s, %s', (expected, actual) => {
  const texts = [expected, actual].map((text) => text.replaceAll(/[[\]]/g, '')) as [string, string];
  const marks = [expected, actual].map((text) => text.replace('[', '<mark>').replace(']', '</mark>'));
  expect(marked(...texts)).toEqual(marks);
});

test('what is absent has a sign of its own', () => {
  expect(marked('a b', 'a')[1]).toContain('<mark class="absent"');
  expect(marked('no-store', '')[1]).toContain('<mark class="absent"');
});

test('long texts are cut around the difference', () => {
  const same = 'same '.repeat(1000);
  const [, actual] = marked(`${same}x ${same}`, `${same}y ${same}`);
  expect(actual).toContain('<mark>y</mark>');
  expect(actual!.length).toBeLessThan(500);
});
