import { expect, test } from 'vitest';
import { markKnownFailures } from '../../run/known-failures.ts';
import { check, requirement } from '../reports/record-builder.ts';

const SOME = { id: 'cards', reason: 'some', expires: '2026-05-09' };
const ALL = { id: 'cards.get', reason: 'all' };

test.each([[[SOME, ALL]], [[ALL, SOME]]])(
  'a failure of which one expectation has passed its date is expired: %j',
  (known) => {
    const results = [requirement('cards.get.shape', [check('failed')])];
    markKnownFailures(results, known, new Date('2026-05-10T02:00:00Z'), true);
    expect(results[0]!.known).toEqual({ reason: 'some', expires: '2026-05-09', state: 'expired' });
  },
);
