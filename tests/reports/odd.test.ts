/** What a run noticed that is odd, and that nobody judges. */
import { expect, test } from 'vitest';
import { markdown } from '../../reports/markdown.ts';
import { oddities } from '../../reports/odd.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { conformance, HOSTILE } from './record-builder.ts';

type Move = [operation: string, from: string, to: string];

const record = (observed: (readonly [operation: string, subject: string, value: string])[], moves: Move[] = []) =>
  conformance([], {
    observations: observed.map(([operation, subject, value]) => ({ id: subject, operation, subject, value })),
    run: { cardStates: { states: [], transitions: moves.map(([operation, from, to]) => ({ operation, from, to })) } },
  });
const noticed = (...given: Parameters<typeof record>) =>
  oddities(record(...given)).map(({ operation, noticed }) => `${operation} ${noticed}`);

test.each([
  ['cards.setPin', 'on a card that is lost', 'accepted', 'refused with status 409'],
  ['cards.unmarkFraud', 'status of the card afterwards', 'Closed', 'Active'],
  ['cards.transfer', 'a transfer of half a cent', 'accepted, moves 0.01', 'refused with status 400'],
  ['cards.list', 'an invented token', 'ignored', 'refused with status 400'],
  ['portal.login', 'session of an earlier login of the user', 'refused with status 401', 'accepted'],
])('of %s, %s, it is %s that is odd, not %s', (operation, subject, odd, plain) => {
  expect(noticed([[operation, subject, odd]])).toEqual([`${operation} ${subject}: ${odd}`]);
  expect(noticed([[operation, subject, plain]])).toEqual([]);
});

test('a getStatus that never changes is odd, where the record does', () => {
  const card = (index: number) => `the number of a card that is ${['Active', 'Lost'][index]}`;
  const numbers = (...values: string[]) =>
    noticed(values.map((value, index) => ['cards.getStatus', card(index), value] as const));
  expect(numbers('1', '1')).toEqual(['cards.getStatus answers 1 for cards that are Active, Lost']);
  expect(numbers('1', '5')).toEqual([]);
  expect(numbers('1')).toEqual([]);
});

test('what leads back from an end is odd, and what a reading changes', () => {
  const ends: Move[] = [
    ['cards.markLost', 'Active', 'Lost'],
    ['cards.unsuspend', 'Suspended', 'Active'],
    ['cards.get', 'Active', 'Active'],
  ];
  expect(noticed([], ends)).toEqual([]);
  const back: Move = ['cards.activate', 'Lost', 'Active'];
  expect(noticed([], [...ends, back])).toEqual(['cards.activate leads from Lost to Active']);
  expect(noticed([], [['cards.get', 'Active', 'Dormant']])).toEqual(['cards.get leads from Active to Dormant']);
});

test('what is odd stands together in terminal and summary, as text', () => {
  const view = viewOf(record([], [['cards.get', 'Active', HOSTILE]]));
  for (const text of [summaryText(view, { directory: 'reports' }), markdown(view)]) {
    expect(text).toMatch(/Worth a look.*leads from Active to/s);
    expect(text).not.toContain('\u001b');
  }
});
