import { expect, test } from 'vitest';
import type { RequirementResult, Verdict } from '../../contracts/record.ts';
import { comparisonInWords, comparisonMarkdown, comparisonPage, comparisonText } from '../../reports/compare-views.ts';
import {
  compareRuns,
  conformance,
  everyVerdict,
  exchange,
  failing,
  HOSTILE,
  judged,
  outsideCode,
  recordOf,
  requirement,
} from './record-builder.ts';

const run = (...given: Parameters<typeof conformance>) => recordOf(conformance(...given));
const observing = (values: Record<string, string>, over: { selection?: string; seed?: number } = {}) =>
  run([], {
    run: over,
    observations: Object.entries(values).map(([id, value]) => ({ id, operation: 'cards.get', subject: 's', value })),
  });

const ID = 'cards.get.identifier';
const of = (verdict: Verdict, message = 'why', over: Partial<RequirementResult> = {}) =>
  judged(ID, verdict, { message }, over);
const outOfScope = of('skipped', 'no URL', { inScope: false });
const should = { level: 'should' } as const;

test('two runs of the same target are unchanged, whatever identifiers, times and order', () => {
  const failure = (card: string) => failing('cards.transfer.target', `card ${card} came`);
  const before = run([...everyVerdict(), failure('c-1001')], { run: { seed: 1, startedAt: '2025-01-01T03:00:00Z' } });
  const after = run([failure('c-7')].concat(everyVerdict().reverse()), { run: { seed: 2, durationMs: 5 } });
  const comparison = compareRuns(before, after);
  expect(comparison).toMatchObject({
    unchanged: true,
    regressions: [],
    appeared: [],
    vanished: [],
    observations: [],
  });
  expect(comparisonInWords(comparison)).toBe('Unchanged: no requirement and no observation differs.');
});

const lists = ['newlyFailing', 'fixed', 'newlyNotSeen', 'newlySeen', 'stillFailing', 'failingDifferently'] as const;
test.each<[string, RequirementResult, RequirementResult, (typeof lists)[number] | undefined, boolean]>([
  ['passed, now failed', of('passed'), of('failed'), 'newlyFailing', true],
  ['skipped, now failed', of('skipped'), of('failed'), 'newlyFailing', false],
  ['failed, now passed', of('failed'), of('passed'), 'fixed', false],
  ['passed, now skipped', of('passed'), of('skipped'), 'newlyNotSeen', true],
  ['passed, now blocked', of('passed'), of('blocked'), 'newlyNotSeen', true],
  ['passed, now out of scope', of('passed'), outOfScope, 'newlyNotSeen', true],
  ['failed, now blocked', of('failed'), of('blocked'), 'newlyNotSeen', false],
  ['blocked, now passed', of('blocked'), of('passed'), 'newlySeen', false],
  ['out of scope, now passed', outOfScope, of('passed'), 'newlySeen', false],
  ['failed as before', of('failed', 'card c-1'), of('failed', 'card c-2'), 'stillFailing', false],
  ['failed in another way', of('failed', 'answered 200'), of('failed', 'answered 500'), 'failingDifferently', false],
  ['skipped, now blocked', of('skipped'), of('blocked'), undefined, false],
  ['a should, now failed', of('passed', '', should), of('failed', '', should), 'newlyFailing', false],
])('a requirement: %s', (_, then, now, expected, regresses) => {
  const comparison = compareRuns(run([then]), run([now]));
  expect(lists.filter((list) => comparison[list].length > 0)).toEqual(expected ? [expected] : []);
  expect(comparison.regressions).toEqual(regresses ? [ID] : []);
  expect(comparison.unchanged).toBe(expected === undefined || expected === 'stillFailing');
});

test('ids that only one catalogue has are no change of the target', () => {
  const [before, after] = [run([judged('cards.get.old', 'passed')]), run([judged('cards.get.new', 'failed')])];
  const ids = { appeared: ['cards.get.new'], vanished: ['cards.get.old'] };
  expect(compareRuns(before, after)).toMatchObject({ ...ids, unchanged: true, regressions: [] });
});

test('observations that changed, appeared or vanished are named, where the runs tried the same', () => {
  const before = { a: '1', b: '2', c: '3' };
  const after = { a: '1', b: '4', d: '5' };
  const comparison = compareRuns(observing(before), observing(after));
  const changes = comparison.observations.map(({ id, before, after }) => `${id}: ${before}, ${after}`);
  expect(changes).toEqual(['b: 2, 4', 'c: 3, null', 'd: null, 5']);
  expect(comparison.unchanged).toBe(false);
  const otherSeed = compareRuns(observing(before), observing(after, { seed: 2 }));
  expect(otherSeed.observations).toMatchObject([{ id: 'b', before: '2', after: '4' }]);
  const selected = observing({ a: '1' }, { selection: 'only users.get' });
  expect(compareRuns(observing(before), selected).unchanged).toBe(true);
});

const ofSeed = (seed: number, ...messages: string[]) => run([failing(ID, ...messages)], { run: { seed } });

test('with another seed, what fails in one of the same ways fails as before', () => {
  const before = ofSeed(1, 'accepted', 'by proxy');
  const comparison = compareRuns(before, ofSeed(2, 'accepted', 'by token'));
  expect(comparison).toMatchObject({ unchanged: true, stillFailing: [{ id: ID }] });
  expect(compareRuns(before, ofSeed(1, 'accepted', 'by token')).failingDifferently).toHaveLength(1);
});

const FAILED = 'Changed: 1 newly failing. 1 must requirement passed before and no longer does.';
const FAILED_BY_OTHERS = FAILED.replace('newly failing', 'failing by what was not tried before');
const FIXED = 'Changed: 1 fixed.';
const PASSED_BY_OTHERS = 'Changed: 1 passing, but not tried again by what failed.';
/** A run that tried forms, of which those that are marked failed. */
const trying = (forms: string, plainlyFailed: string[] = []) => {
  const names = forms.split(' ');
  const suspected = names.filter((name) => name.endsWith('!')).map((name) => ({ form: name[0]!, failed: [ID] }));
  const rotated = [{ subject: 'letters', tried: names.map((name) => name[0]!), forms: 9, suspected }];
  const isFailing = suspected.length + plainlyFailed.length > 0;
  return run([of(isFailing ? 'failed' : 'passed')], { run: { rotated, plainlyFailed } });
};
test.each([
  ['a form that passed fails', trying('a b'), trying('b! c'), FAILED],
  ['another form fails', trying('a'), trying('b!'), FAILED_BY_OTHERS],
  ['whatever is sent fails', trying('a'), trying('b!', [ID]), FAILED],
  ['a run that did not tell what it tried', run([of('passed')]), trying('b!'), FAILED_BY_OTHERS],
  ['a form that failed passes', trying('a! b'), trying('a'), FIXED],
  ['another form passes', trying('a!'), trying('b'), PASSED_BY_OTHERS],
  ['whatever failed passes', trying('a!', [ID]), trying('b'), FIXED],
])('the same forms with another verdict are told from others: %s', (_, before, after, words) => {
  expect(comparisonInWords(compareRuns(before, after))).toBe(words);
});

test('a check that the earlier run did not have shows nothing that is known to be new', () => {
  const now = run([requirement(ID, [{ ...of('failed').checks[0]!, name: 'another check' }])]);
  expect(compareRuns(run([of('passed')]), now)).toMatchObject({
    newlyFailing: [{ isTriedInBoth: false }],
    regressions: [ID],
  });
});

const taking = (durations: number[]) =>
  recordOf(conformance([]), [
    ...durations.map((durationMs, index) => exchange(index, { durationMs })),
    exchange(999, { durationMs: 9999, response: null }),
  ]);
const about = (milliseconds: number, samples: number) =>
  taking(Array.from({ length: samples }, (_, index) => milliseconds + (index % 3)));

test.each([
  ['much slower', about(100, 20), about(300, 20), 1],
  ['much faster', about(300, 20), about(100, 20), 1],
  ['too few samples before', about(100, 19), about(300, 20), 0],
  ['too few samples now', about(100, 20), about(300, 19), 0],
  ['little slower', about(100, 20), about(120, 20), 0],
  ['slower by very little', about(2, 20), about(10, 20), 0],
])('latency of another run: %s', (_, before, now, changes) => {
  const { unchanged, latencies } = compareRuns(before, now);
  expect([unchanged, latencies.length]).toEqual([true, changes]);
});

test('latency is given as median, 95th percentile and maximum of the answers', () => {
  const many = (factor: number) => taking(Array.from({ length: 100 }, (_, index) => (index + 1) * factor));
  const before = { samples: 100, median: 50, p95: 95, maximum: 100 };
  const after = { samples: 100, median: 500, p95: 950, maximum: 1000 };
  expect(compareRuns(many(1), many(10)).latencies).toEqual([{ operation: 'cards.get', before, after }]);
});

test('every form of a comparison says the same, and keeps text of the target text', () => {
  const before = [of('passed'), judged('cards.list.shape', 'failed'), judged('cards.close.state', 'passed')];
  const unseen = requirement('cards.close.state', [], { reason: HOSTILE });
  const after = run([of('failed', HOSTILE), judged('cards.list.shape', 'passed'), unseen], {
    target: { name: HOSTILE },
    observations: [{ id: 'users.list.max-0', operation: 'users.list', subject: 'max=0', value: HOSTILE }],
  });
  const comparison = compareRuns(run(before), after);
  const [text, markdown, page] = [comparisonText, comparisonMarkdown, comparisonPage].map((form) => form(comparison));
  for (const form of [text!, markdown!, page!]) {
    expect(form).toContain('1 newly failing, 1 newly not seen, 1 fixed, 1 observed otherwise');
    expect(form).toContain('2 must requirements passed before');
    expect(form).toMatch(/cards\.close\.state.*cards\.list\.shape/s);
  }
  expect(page).not.toMatch(/<(?:script|img)/);
  for (const form of [text, page]) expect(form!.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
  expect(outsideCode(markdown!)).not.toMatch(/script|evil|[<>\]]/);
});
