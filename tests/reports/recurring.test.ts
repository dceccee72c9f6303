/** What nights add up to: suspicions that none confirms, and refusals of what is right. */
import { beforeEach, expect, test } from 'vitest';
import type { Conformance } from '../../contracts/record.ts';
import { readHistory, remember } from '../../reports/history.ts';
import { markdown } from '../../reports/markdown.ts';
import { oddities } from '../../reports/odd.ts';
import { page } from '../../reports/page/index.ts';
import { wilsonInterval } from '../../reports/recurring.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { answer, conformance, exchange, HOSTILE, judged, lacking } from './record-builder.ts';

const ID = 'cards.get.identifier';
const NAME = 'every card of the listing';

let dir: string;
beforeEach(() => {
  dir = temporaryDirectory();
});

type Run = Partial<Conformance['run']>;

/** What is noticed after some nights, each with what it suspected and read. */
function noticedAfter(nights: readonly Run[], version = (_night: number) => '1', last: 'passed' | 'failed' = 'passed') {
  const records = nights.map((run, index) =>
    conformance([judged(ID, index === nights.length - 1 ? last : 'passed')], {
      target: { version: version(index) },
      run: { startedAt: new Date(Date.UTC(2025, 0, index + 1, 2)).toISOString(), ...run },
    }),
  );
  for (const [index, record] of records.entries()) {
    const refused = exchange(index + 1, { response: answer(500, null) });
    remember(record, dir, () => [exchange(99), refused]);
  }
  return oddities(records.at(-1)!, readHistory('sample', dir));
}

const quiet: Run = { suspected: [] };
const suspecting = (number: number): Run => ({
  suspected: [{ requirement: ID, check: NAME, exchanges: [`x0000${number}`] }],
});

test('what three of seven nights suspected comes first, with what showed it in each', () => {
  const [first] = noticedAfter([suspecting(1), quiet, suspecting(3), quiet, quiet, quiet, suspecting(7)]);
  expect(first).toMatchObject({
    operation: 'cards.get',
    noticed: `${ID} (${NAME}) seemed to be broken in 3 of the last 7 nights, and was not when it was tried again`,
    nights: [
      '2025-01-07 02:00 UTC: x00007 GET /cards/cards/c-7: 500',
      '2025-01-03 02:00 UTC: x00003 GET /cards/cards/c-3: 500',
      '2025-01-01 02:00 UTC: x00001 GET /cards/cards/c-1: 500',
    ],
  });
});

test.each([
  ['two nights', [suspecting(1), quiet, suspecting(3)]],
  ['three nights of eight', [suspecting(1), ...Array.from({ length: 5 }, () => quiet), suspecting(7), suspecting(8)]],
  [
    'another check each time',
    [1, 2, 3].map((night) => ({ suspected: [{ requirement: ID, check: `${night}`, exchanges: [] }] })),
  ],
])('what is suspected less often is not named: %s', (_, nights) => {
  expect(noticedAfter(nights)).toEqual([]);
});

test('what failed at last is no suspicion any more', () => {
  const nights = [suspecting(1), suspecting(2), suspecting(3), quiet];
  expect(noticedAfter(nights)).toHaveLength(1);
  expect(noticedAfter(nights, () => '1', 'failed')).toEqual([]);
});

const reading = (asked: number, refused: number): Run => ({ readings: [{ operation: 'cards.list', asked, refused }] });

test('refusals of what is right are told as a rate with its interval over all nights', () => {
  const [first] = noticedAfter([reading(15, 1), reading(12, 0), reading(13, 2)]);
  expect(first).toMatchObject({
    operation: 'cards.list',
    noticed:
      'refused 3 of 40 right readings in quiet in 3 nights, and accepted them when they were repeated: 7.5 % (95 % interval 2.6 to 20 %)',
  });
});

test.each([
  ['two refusals', [reading(20, 1), reading(20, 1)]],
  ['refusals of one night, such as of an outage', [reading(20, 3), reading(20, 0)]],
  ['so few of many that it may be the network', [reading(400, 2), reading(400, 1)]],
  ['no refusal', [reading(20, 0), reading(20, 0)]],
])('what may be an accident is not named: %s', (_, nights) => {
  expect(noticedAfter(nights)).toEqual([]);
});

test('what another version of the target refused is not held against this one', () => {
  expect(noticedAfter([reading(10, 5), reading(10, 5), reading(10, 0)], (night) => (night < 2 ? '1' : '2'))).toEqual(
    [],
  );
});

// From Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the interval of %i of %i', (shown, asked, low, high) => {
  const interval = wilsonInterval(shown, asked);
  expect(interval[0]).toBeCloseTo(low, 4);
  expect(interval[1]).toBeCloseTo(high, 4);
});

test('every report says it, and keeps text of the target text', () => {
  const record = conformance([judged(ID, 'passed')], { run: suspecting(1) });
  const url = `https://api.example/cards/${HOSTILE}`;
  const shown = exchange(1, { request: { method: 'GET', url, headers: {}, body: null } });
  for (const day of [1, 2, 3])
    remember(
      { ...record, run: { ...record.run, startedAt: new Date(Date.UTC(2025, 0, day)).toISOString() } },
      dir,
      () => [shown],
    );
  const view = viewOf(record, { history: readHistory('sample', dir) });
  const said = ['seemed to be broken in 3 of the last 3 nights', '2025-01-02 00:00 UTC: x00001 GET /cards/'];
  for (const text of [summaryText(view, { directory: 'reports' }), markdown(view), page(view, [])])
    expect(lacking(text, said)).toEqual([]);
  expect(page(view, [])).not.toContain('<script>alert');
});
