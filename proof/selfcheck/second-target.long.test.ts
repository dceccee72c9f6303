/** Runs the suite against the second target, written from the documents alone, with all its freedoms in few packs. */
import { expect, test } from 'vitest';
import { accusedOf, judgeForms, packs } from './second-target.ts';

/** Freedoms of one pack. */
const PACKED = 32;

test('no freedom is accused, each among many others', async () => {
  expect(accusedOf(await judgeForms(packs(PACKED)))).toEqual([]);
});
