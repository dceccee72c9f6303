/** How much of what rotates has been tried, and when all will have been: in every report. */
import { beforeEach, expect, test } from 'vitest';
import type { Conformance, Rotated } from '../../contracts/record.ts';
import { breadthInWords, breadthOf, thoroughInWords } from '../../reports/breadth.ts';
import { readHistory, remember } from '../../reports/history.ts';
import { markdown } from '../../reports/markdown.ts';
import { matrix } from '../../reports/matrix.ts';
import { page } from '../../reports/page/index.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { conformance, judged } from './record-builder.ts';

let dir: string;
beforeEach(() => {
  dir = temporaryDirectory();
});

const names = (letters: string, forms = 10): Rotated => ({ subject: 'users.list: names', tried: [...letters], forms });
const cards = (letters: string): Rotated => ({ subject: 'cards.get: misnamed', tried: [...letters], forms: 4 });

const night = (day: number, rotated: Rotated[], catalogueDigest = 'd1'): Conformance =>
  conformance([judged('users.list.shape', 'passed')], {
    suite: { name: 'prepaid-card-conformance', version: '0.1.0', catalogueDigest },
    run: { startedAt: new Date(Date.UTC(2025, 0, day, 2)).toISOString(), rotated },
  });

/** How much had been tried at the end of the last of some nights. */
function after(...nights: Conformance[]) {
  for (const one of nights) remember(one, dir);
  return breadthOf(nights.at(-1)!, readHistory('sample', dir))!;
}

test('what earlier nights tried counts once, and the slowest subject says how long all will take', () => {
  const breadth = after(night(1, [names('abc'), cards('ab')]), night(2, [names('ade'), cards('cd')]));
  expect(breadth).toMatchObject({ forms: 14, now: 5, soFar: 9, nightsLeft: 2, nights: 2 });
  expect(breadth.operations).toEqual([
    { operation: 'users.list', forms: 10, now: 3, soFar: 5, nightsLeft: 2 },
    { operation: 'cards.get', forms: 4, now: 2, soFar: 4, nightsLeft: 0 },
  ]);
  expect([...breadth.trend.values()]).toEqual([5 / 14, 9 / 14]);
  expect(breadthInWords(breadth)).toBe(
    '5 of 14 forms tried, 9 in the last 2 nights, all in about 2 more nights (last those of users.list)',
  );
  expect(thoroughInWords(breadth)).toBe('--thorough would try up to 9 more forms at once');
});

test('what the page says is what happens: all are tried after that number of nights', () => {
  const letters = [...'abcdefghij'];
  const nights = [0, 1, 2, 3, 4].map((index) =>
    night(index + 1, [names(letters.slice(2 * index, 2 * index + 2).join(''))]),
  );
  expect(nights.map((one) => after(one)).map(({ nightsLeft }) => nightsLeft)).toEqual([4, 3, 2, 1, 0]);
  expect(breadthInWords(after(nights.at(-1)!))).toBe('2 of 10 forms tried, 10 in the last 5 nights, which are all');
});

test.each([
  ['without a history', [night(1, [names('ab')])], '2 of 10 forms tried, all in about 4 more nights'],
  ['by a run that could try nothing', [night(1, [names('')])], 'None of 10 forms tried'],
  ['of which all were tried', [night(1, [cards('abcd')])], '4 of 4 forms tried, which are all'],
  [
    'of another catalogue',
    [night(1, [cards('ab')], 'd0'), night(2, [cards('c')])],
    '1 of 4 forms tried, all in about 3 more nights',
  ],
  [
    'with forms that are gone',
    [night(1, [cards('xyz')]), night(2, [cards('ab')])],
    '2 of 5 forms tried, 5 in the last 2 nights, which are all',
  ],
  [
    'that are drawn without end beside others',
    [night(1, [cards('ab'), { subject: 'lives', tried: ['--seed 1'], forms: 60 }])],
    '2 of 4 forms tried, all in about 1 more night',
  ],
])('forms %s', (_, nights, words) => {
  expect(breadthInWords(after(...nights))).toBe(words);
});

test('what only some nights come to takes longer, and counts in the others, too', () => {
  const breadth = after(night(1, [names('ab'), cards('ab')]), night(2, [names('cd')]));
  expect(breadth.operations).toEqual([
    { operation: 'users.list', forms: 10, now: 2, soFar: 4, nightsLeft: 3 },
    { operation: 'others', forms: 4, now: 0, soFar: 2, nightsLeft: 2 },
  ]);
});

test('what was due and never could be tried is counted as untried', () => {
  const left: Rotated = { subject: 'cards.get: misnamed', tried: [], forms: 4, left: ['a'] };
  expect(after(night(1, [left]))).toMatchObject({ forms: 4, now: 0, soFar: 0, nightsLeft: 4 });
});

test('of tables the pairs of factors are counted, and not the cells', () => {
  const repeats = (now: number, soFar: number, nightsLeft: number): Rotated => ({
    subject: 'orders that repeat otherInfo',
    tried: ['plain, load', 'load, plain'],
    forms: 56,
    pairs: { of: 106, now, soFar, nightsLeft },
  });
  const breadth = after(night(1, [cards('ab'), repeats(42, 42, 8)]), night(2, [cards('cd'), repeats(37, 67, 7)]));
  expect(breadth).toMatchObject({ forms: 4, now: 2, soFar: 4, pairs: { of: 106, now: 37, soFar: 67, nightsLeft: 7 } });
  expect(breadthInWords(breadth)).toBe(
    '2 of 4 forms tried, 4 in the last 2 nights, which are all; 37 of 106 pairs of factors tried, 67 so far, all in at least 7 more nights',
  );
  expect(thoroughInWords(breadth)).toBe('--thorough would try up to 2 more forms and 69 more pairs at once');
  const view = viewOf(night(2, [cards('cd'), repeats(37, 106, 0)]));
  expect(summaryText(view, { directory: 'r' })).toContain(
    '37 of 106 pairs of factors tried, 106 so far, which are all',
  );
  expect(page(view, [])).toMatch(
    /orders that repeat otherInfo<\/th><td class="number">106<\/td><td class="number">37</,
  );
});

test.each([
  [
    'false',
    '--thorough would try up to 11 more forms and 69 more pairs at once, 9 forms and 69 pairs of these with RUN_MAX_ORDERS=200',
  ],
  ['true', 'RUN_MAX_ORDERS=200 would let --thorough try up to 9 more forms and 69 more pairs'],
])('what larger limits would add is said; thorough: %s', (thorough, words) => {
  const limitedBy = 'RUN_MAX_ORDERS';
  const pairs = { of: 106, now: 37, soFar: 37, nightsLeft: 7 };
  const orders: Rotated[] = [
    { subject: 'orders that repeat otherInfo', tried: ['plain, load'], forms: 56, pairs, limitedBy },
    { subject: 'portal.orderCards: names', tried: ['a'], forms: 10, limitedBy },
  ];
  const record = night(1, [cards('ab'), ...orders]);
  record.run.options = { thorough };
  const view = viewOf(record);
  expect(thoroughInWords(view.breadth!)).toBe(words);
  for (const report of [summaryText(view, { directory: 'r' }), markdown(view), page(view, [])])
    expect(report).toContain(words);
});

test('a thorough run whose limits leave room for everything proposes nothing', () => {
  const record = night(1, [cards('ab')]);
  record.run.options = { thorough: 'true' };
  expect(thoroughInWords(breadthOf(record)!)).toBe('');
});

test('where nothing rotates nothing is said', () => {
  expect(breadthOf(night(1, []))).toBeUndefined();
  expect(summaryText(viewOf(night(1, [])), { directory: 'reports' })).not.toContain('forms');
});

test('every report says it, the page by operation and by night', () => {
  const nights = [night(1, [names('ab')]), night(2, [names('cde'), { ...cards('a'), subject: 'lives of cards' }])];
  const breadth = after(...nights);
  const view = viewOf(nights[1]!, { history: readHistory('sample', dir) });
  const words = '4 of 14 forms tried, 6 in the last 2 nights, all in about 6 more nights';
  expect(breadthInWords(breadth)).toBe(words);
  const reports = [summaryText(view, { directory: 'r' }), markdown(view), page(view, [])];
  for (const text of [...reports, matrix([{ conformance: nights[1]!, breadth }])]) expect(text).toContain(words);
  const [table = ''] = page(view, []).split('aria-label="Forms tried by operation"').slice(1);
  expect(table).toMatch(
    /users\.list<\/code><\/th><td class="number">10<\/td><td class="number">3<\/td><td class="number">5</,
  );
  expect(table).toContain('<code>others</code>');
  expect(page(view, [])).toMatch(/Forms tried so far[\s\S]*42 %[\s\S]*14 %/);
});
