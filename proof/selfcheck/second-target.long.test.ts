/** Runs the suite against the second target, written from the documents alone, with each of its freedoms. */
import { expect, test } from 'vitest';
import { judgeForms, packs } from './second-target.ts';

/** Time limit in milliseconds, for about seventy runs, most of which wait. */
const LIMIT_MS = 1_800_000;

test(
  'no freedom is accused, each among others',
  async () => {
    const judged = await judgeForms(packs());
    const accused = judged.filter(({ failed, broke }) => failed.length > 0 || broke !== undefined);
    expect(accused.map(({ freedoms, turned, failed, broke }) => ({ freedoms, turned, failed, broke }))).toEqual([]);
  },
  LIMIT_MS,
);
