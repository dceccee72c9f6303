import { expect, test } from 'vitest';
import { faults } from '../second-target/faults.ts';
import { blindSpots, unseenFaults } from './unseen-faults.ts';

const ids = new Set(faults.map(({ id }) => id));

test('only faults that there are are explained', () => {
  expect([...unseenFaults.keys()].filter((id) => !ids.has(id))).toEqual([]);
});

test('every fault hides in a blind spot that has a name', () => {
  expect(faults.filter(({ blindSpot }) => blindSpots[blindSpot] === undefined)).toEqual([]);
});
