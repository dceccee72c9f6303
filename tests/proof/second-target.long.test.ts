/** The suite against an implementation that was written from the documents alone, with every freedom that it has. */
import { expect, test } from 'vitest';
import { judgeForms, packs } from './second-target.ts';

/** Milliseconds; some ninety runs, most of which wait. */
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
