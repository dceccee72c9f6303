/** The suite against an implementation that was written from the documents alone: a part of its forms, the same each time. */
import { expect, test } from 'vitest';
import { freedoms } from '../second-target/freedoms.ts';
import { combinations, contested, judgeForms } from './second-target.ts';

/** Of so many freedoms one is had alone. */
const FREEDOMS_APART = 20;
/** Random combinations of five to ten freedoms. */
const COMBINATIONS = 10;
/** Milliseconds; some hundred runs. */
const LIMIT_MS = 1_800_000;

test(
  'no freedom is accused, alone or beside others',
  async () => {
    const alone = freedoms
      .filter(({ id }) => !Object.hasOwn(contested, id))
      .filter((_, index) => index % FREEDOMS_APART === 0)
      .map(({ id }) => ({ freedoms: [id], faults: [] }));
    const judged = await judgeForms([...alone, ...combinations(COMBINATIONS)]);
    const accused = judged.filter(({ failed, broke }) => failed.length > 0 || broke !== undefined);
    expect(accused.map(({ freedoms, failed, broke }) => ({ freedoms, failed, broke }))).toEqual([]);
  },
  LIMIT_MS,
);
