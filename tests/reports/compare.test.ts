import { describe, expect, test } from 'vitest';
import type { Exchange, RequirementResult } from '../../contracts/record.ts';
import { compare, earlierOf } from '../../reports/compare.ts';
import { comparisonInWords, comparisonMarkdown, comparisonPage, comparisonText } from '../../reports/compare-views.ts';
import type { RunRecord } from '../../reports/record.ts';
import { check, conformance, everyVerdict, exchange, HOSTILE, requirement } from './record-builder.ts';

function run(
  requirements: RequirementResult[],
  over: Parameters<typeof conformance>[1] = {},
  exchanges: Exchange[] = [],
): RunRecord {
  return {
    path: 'some/run',
    conformance: conformance(requirements, over),
    *exchanges() {
      yield* exchanges;
    },
    *changes() {},
  };
}

const compareRuns = (before: RunRecord, after: RunRecord) => compare(earlierOf(before), after);

const of = (verdict: Parameters<typeof check>[0], message = 'why', over: Partial<RequirementResult> = {}) =>
  requirement('cards.get.identifier', [check(verdict, { message })], over);
const outOfScope = of('skipped', 'no URL', { inScope: false });

test('two runs of the same target are unchanged, whatever identifiers, times and order', () => {
  const failure = (card: string) =>
    requirement('cards.transfer.target', [check('failed', { message: `card ${card} came` })]);
  const before = run([...everyVerdict(), failure('c-1001')], { run: { seed: 1, startedAt: '2025-01-01T03:00:00Z' } });
  const after = run([failure('c-7')].concat(everyVerdict().reverse()), { run: { seed: 2, durationMs: 5 } });
  const comparison = compareRuns(before, after);
  expect(comparison).toMatchObject({ unchanged: true, regressions: [], appeared: [], vanished: [], observations: [] });
  expect(comparisonInWords(comparison)).toBe('Unchanged: no requirement and no observation differs.');
});

describe('a requirement', () => {
  const lists = ['newlyFailing', 'fixed', 'newlyNotSeen', 'newlySeen', 'stillFailing', 'failingDifferently'] as const;
  test.each<[string, RequirementResult, RequirementResult, (typeof lists)[number] | undefined, boolean]>([
    ['passed, now failed', of('passed'), of('failed'), 'newlyFailing', true],
    ['skipped, now failed', of('skipped'), of('failed'), 'newlyFailing', false],
    ['failed, now passed', of('failed'), of('passed'), 'fixed', false],
    ['passed, now skipped', of('passed'), of('skipped'), 'newlyNotSeen', true],
    ['passed, now inconclusive', of('passed'), of('inconclusive'), 'newlyNotSeen', true],
    ['passed, now blocked', of('passed'), of('blocked'), 'newlyNotSeen', true],
    ['passed, now out of scope', of('passed'), outOfScope, 'newlyNotSeen', true],
    ['failed, now blocked', of('failed'), of('blocked'), 'newlyNotSeen', false],
    ['blocked, now passed', of('blocked'), of('passed'), 'newlySeen', false],
    ['out of scope, now passed', outOfScope, of('passed'), 'newlySeen', false],
    ['failed as before', of('failed', 'card c-1'), of('failed', 'card c-2'), 'stillFailing', false],
    ['failed in another way', of('failed', 'answered 200'), of('failed', 'answered 500'), 'failingDifferently', false],
    ['passed twice', of('passed'), of('passed'), undefined, false],
    ['skipped, now blocked', of('skipped'), of('blocked'), undefined, false],
    [
      'a should, passed, now failed',
      of('passed', '', { level: 'should' }),
      of('failed', '', { level: 'should' }),
      'newlyFailing',
      false,
    ],
  ])('%s', (_, then, now, expected, regresses) => {
    const comparison = compareRuns(run([then]), run([now]));
    expect(lists.filter((list) => comparison[list].length > 0)).toEqual(expected ? [expected] : []);
    expect(comparison.regressions).toEqual(regresses ? ['cards.get.identifier'] : []);
    expect(comparison.unchanged).toBe(expected === undefined || expected === 'stillFailing');
  });
});

test('ids that only one catalogue has are no change of the target', () => {
  const comparison = compareRuns(
    run([requirement('cards.get.old', [check('passed')])]),
    run([requirement('cards.get.new', [check('failed')])]),
  );
  expect(comparison).toMatchObject({
    appeared: ['cards.get.new'],
    vanished: ['cards.get.old'],
    unchanged: true,
    regressions: [],
  });
});

test('observations that changed, appeared or vanished are named', () => {
  const seen = (values: Record<string, string>, over: { selection?: string; seed?: number } = {}) =>
    run([], {
      run: { selection: 'all', seed: 1, ...over },
      observations: Object.entries(values).map(([id, value]) => ({ id, operation: 'cards.get', subject: 's', value })),
    });
  const comparison = compareRuns(seen({ a: '1', b: '2', c: '3' }), seen({ a: '1', b: '4', d: '5' }));
  expect(comparison.observations.map(({ id, before, after }) => [id, before, after])).toEqual([
    ['b', '2', '4'],
    ['c', '3', null],
    ['d', null, '5'],
  ]);
  expect(comparison.unchanged).toBe(false);
  expect(compareRuns(seen({ a: '1', b: '2' }), seen({ a: '1' }, { selection: 'only users.get' })).unchanged).toBe(true);
});

describe('with another seed other forms were tried', () => {
  const ofSeed = (seed: number, requirement: RequirementResult, observed: Record<string, string> = {}) =>
    run([requirement], {
      run: { seed },
      observations: Object.entries(observed).map(([id, value]) => ({
        id,
        operation: 'cards.get',
        subject: 's',
        value,
      })),
    });
  const failing = (...messages: string[]) =>
    requirement(
      'cards.get.identifier',
      messages.map((message) => check('failed', { message })),
    );

  test('what one of them observed alone is no change, another value is', () => {
    const { observations } = compareRuns(
      ofSeed(1, of('passed'), { a: '1', b: '2' }),
      ofSeed(2, of('passed'), { b: '3', c: '1' }),
    );
    expect(observations).toMatchObject([{ id: 'b', before: '2', after: '3' }]);
  });

  test('what fails in one of the same ways fails as before', () => {
    const comparison = compareRuns(
      ofSeed(1, failing('accepted', 'by proxy')),
      ofSeed(2, failing('accepted', 'by token')),
    );
    expect(comparison).toMatchObject({ unchanged: true, stillFailing: [{ id: 'cards.get.identifier' }] });
    const same = compareRuns(ofSeed(1, failing('accepted', 'by proxy')), ofSeed(1, failing('accepted', 'by token')));
    expect(same.failingDifferently).toHaveLength(1);
  });

  test('what is fixed may not have been tried again, which is said', () => {
    const inWords = (seed: number) =>
      comparisonInWords(compareRuns(ofSeed(1, failing('accepted')), ofSeed(seed, of('passed'))));
    expect(inWords(1)).toBe('Changed: 1 fixed.');
    expect(inWords(2)).toBe(
      'Changed: 1 fixed. Fixed requirements were tried with another seed; use --seed 1 to repeat what failed.',
    );
  });
});

describe('latency', () => {
  const taking = (milliseconds: number, samples: number) =>
    run(
      [],
      {},
      Array.from({ length: samples }, (_, i) => exchange(i + 1, { durationMs: milliseconds + (i % 3) })),
    );
  test.each([
    ['much slower', 100, 20, 300, 20, 1],
    ['much faster', 300, 20, 100, 20, 1],
    ['too few samples before', 100, 19, 300, 20, 0],
    ['too few samples now', 100, 20, 300, 19, 0],
    ['little slower', 100, 20, 120, 20, 0],
    ['slower by very little', 2, 20, 10, 20, 0],
  ])('%s', (_, before, samplesBefore, now, samplesNow, changes) => {
    const comparison = compareRuns(taking(before, samplesBefore), taking(now, samplesNow));
    expect(comparison.latencies).toHaveLength(changes);
    expect(comparison.unchanged).toBe(true);
  });
  test('is given as median, 95th percentile and maximum of the answers', () => {
    const unanswered = exchange(99, { durationMs: 9999, response: null });
    const many = (factor: number) => [
      ...Array.from({ length: 100 }, (_, i) => exchange(i, { durationMs: (i + 1) * factor })),
      unanswered,
    ];
    const [change] = compareRuns(run([], {}, many(1)), run([], {}, many(10))).latencies;
    expect(change).toEqual({
      operation: 'cards.get',
      before: { samples: 100, median: 50, p95: 95, maximum: 100 },
      after: { samples: 100, median: 500, p95: 950, maximum: 1000 },
    });
  });
});

describe('every form of a comparison', () => {
  const before = run([
    of('passed'),
    requirement('cards.list.shape', [check('failed')]),
    requirement('cards.close.state', [check('passed')]),
  ]);
  const after = run(
    [
      of('failed', HOSTILE),
      requirement('cards.list.shape', [check('passed')]),
      requirement('cards.close.state', [], { reason: HOSTILE }),
    ],
    {
      target: { name: HOSTILE },
      observations: [{ id: 'users.list.max-0', operation: 'users.list', subject: 'max=0', value: HOSTILE }],
    },
  );
  const comparison = compareRuns(before, after);

  test('says the same', () => {
    for (const text of [comparisonText(comparison), comparisonMarkdown(comparison), comparisonPage(comparison)]) {
      for (const part of [
        '1 newly failing, 1 newly not seen, 1 fixed, 1 observed otherwise',
        '2 must requirements passed before',
        'cards.list.shape',
        'cards.close.state',
      ]) {
        expect(text).toContain(part);
      }
    }
  });

  test('keeps text of the target text', () => {
    expect(comparisonPage(comparison)).not.toMatch(/<(?:script|img)/);
    expect(comparisonPage(comparison).replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(comparisonText(comparison).replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    const markup = comparisonMarkdown(comparison).replace(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, '');
    expect(markup).not.toMatch(/script|evil|[<>\]]/);
  });
});
