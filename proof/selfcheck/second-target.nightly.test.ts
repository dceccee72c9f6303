/** Runs the suite against the second target with each of its freedoms among few others, which might hide what accuses it. */
import { expect, test } from 'vitest';
import { accusedOf, judgeForms, packs } from './second-target.ts';

/** Time limit in milliseconds, for about seventy runs, most of which wait. */
const LIMIT_MS = 1_800_000;

test(
  'no freedom is accused, each among others',
  async () => expect(accusedOf(await judgeForms(packs()))).toEqual([]),
  LIMIT_MS,
);
