import { expect, test } from 'vitest';
import { markKnownFailures } from '../../run/known-failures.ts';
import { check, requirement } from '../reports/record-builder.ts';

const NOW = new Date('2026-05-10T02:00:00Z');
const EXPECTED = [
  { id: 'cards', reason: 'some', expires: '2026-05-09' },
  { id: 'cards.get', reason: 'all' },
];

test.each([
  ['first', EXPECTED],
  ['last', EXPECTED.toReversed()],
])(
  'a failure that one expectation knows and another, past its date, does not is expired: the latter stands %s',
  (_, expected) => {
    const results = [requirement('cards.get.shape', [check('failed')])];
    markKnownFailures(results, expected, NOW, true);
    expect(results[0]!.known).toEqual({ reason: 'some', expires: '2026-05-09', state: 'expired' });
  },
);
