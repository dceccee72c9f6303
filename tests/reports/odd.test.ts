/** What a run noticed that is odd, and that nobody judges. */
import { describe, expect, test } from 'vitest';
import type { Observation } from '../../contracts/record.ts';
import { markdown } from '../../reports/markdown.ts';
import { oddities } from '../../reports/odd.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { check, conformance, HOSTILE, requirement } from './record-builder.ts';

const observation = (operation: string, subject: string, value: string): Observation => ({
  id: `${operation}: ${subject}`,
  operation,
  subject,
  value,
});
const move = (operation: string, from: string, to: string) => ({ operation, from, to });
const record = (observations: Observation[], transitions: ReturnType<typeof move>[] = []) =>
  conformance([requirement('token.issue.status', [check('passed')])], {
    observations,
    run: { cardStates: { states: [], transitions } },
  });
const noticed = (...given: Parameters<typeof record>) =>
  oddities(record(...given)).map(({ operation, noticed }) => `${operation} ${noticed}`);

describe('worth a look', () => {
  test.each([
    ['cards.setPin', 'on a card that is lost', 'accepted', 'refused with status 409'],
    ['cards.unmarkFraud', 'status of the card afterwards', 'Closed', 'Active'],
    ['cards.transfer', 'a transfer of half a cent', 'accepted, moves 0.01', 'refused with status 400'],
    ['cards.list', 'an invented token', 'ignored', 'refused with status 400'],
    ['portal.login', 'session of an earlier login of the user', 'refused with status 401', 'accepted'],
  ])('%s, %s: %s, not %s', (operation, subject, odd, plain) => {
    expect(noticed([observation(operation, subject, odd)])).toEqual([`${operation} ${subject}: ${odd}`]);
    expect(noticed([observation(operation, subject, plain)])).toEqual([]);
  });

  test('getStatus that never changes, though the record does', () => {
    const numbers = (...values: string[]) =>
      values.map((value, index) =>
        observation('cards.getStatus', `the number of a card that is ${['Active', 'Lost'][index]}`, value),
      );
    expect(noticed(numbers('1', '1'))).toEqual(['cards.getStatus answers 1 for cards that are Active, Lost']);
    expect(noticed(numbers('1', '5'))).toEqual([]);
    expect(noticed(numbers('1'))).toEqual([]);
  });

  test('what leads back from an end, and what a reading changes', () => {
    const ends = [move('cards.markLost', 'Active', 'Lost'), move('cards.unsuspend', 'Suspended', 'Active')];
    expect(noticed([], ends)).toEqual([]);
    expect(noticed([], [...ends, move('cards.activate', 'Lost', 'Active')])).toEqual([
      'cards.activate leads from Lost to Active',
    ]);
    expect(noticed([], [move('cards.get', 'Active', 'Dormant'), move('cards.get', 'Active', 'Active')])).toEqual([
      'cards.get leads from Active to Dormant',
    ]);
  });

  test('stands together in terminal and summary, as text', () => {
    const view = viewOf(record([], [move('cards.get', 'Active', HOSTILE)]));
    for (const text of [summaryText(view, { directory: 'reports' }), markdown(view)]) {
      expect(text).toContain('Worth a look');
      expect(text).toContain('leads from Active to');
      expect(text).not.toContain('\u001b');
    }
  });
});
