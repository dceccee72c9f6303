/** The suite against an implementation that was written from the documents alone, in every form that it has. */
import { expect, test } from 'vitest';
import { freedoms } from '../second-target/freedoms.ts';
import { combinations, contested, judgeForms } from './second-target.ts';

/** Random combinations of five to ten freedoms. */
const COMBINATIONS = 200;
/** Milliseconds; several hundred runs. */
const LIMIT_MS = 2_400_000;

const accusedOf = (judged: Awaited<ReturnType<typeof judgeForms>>) =>
  judged
    .filter(({ failed, broke }) => failed.length > 0 || broke !== undefined)
    .map(({ freedoms, failed, broke }) => ({ freedoms, failed, broke }));

test(
  'no freedom is accused',
  async () => {
    const uncontested = freedoms.filter(({ id }) => !Object.hasOwn(contested, id));
    const judged = await judgeForms(uncontested.map(({ id }) => ({ freedoms: [id], faults: [] })));
    expect(accusedOf(judged)).toEqual([]);
  },
  LIMIT_MS,
);

test(
  'no combination of freedoms is accused',
  async () => {
    expect(accusedOf(await judgeForms(combinations(COMBINATIONS)))).toEqual([]);
  },
  LIMIT_MS,
);
