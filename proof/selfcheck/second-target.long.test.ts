/** Runs the suite against the second target, written from the documents alone, with a third of its freedoms; `second-target.nightly.test.ts` has all. */
import { expect, test } from 'vitest';
import { accusedOf, judgeForms, packs } from './second-target.ts';

/** Freedoms of one pack. */
const PACKED = 32;
/** Of so many packs one is judged. */
const OF_PACKS = 3;

test('no freedom is accused, each among many others', async () => {
  const sample = packs(PACKED).filter((_, index) => index % OF_PACKS === 0);
  expect(accusedOf(await judgeForms(sample))).toEqual([]);
});
