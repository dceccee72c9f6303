/** The proof: every fault is condemned by the right requirements, no variant is accused. */
import { expect, test } from 'vitest';
import { isLeftAlone } from './prove.ts';
import { selfcheck } from './selfcheck.ts';

/** Time limit in milliseconds, for about two thousand runs. */
const LIMIT_MS = 2_400_000;

test(
  'every fault is condemned, every variant is left alone',
  async () => {
    const result = await selfcheck(() => {});
    const survivors = [...result.faults, ...result.whole].filter(({ missed }) => missed.length > 0);
    const accused = result.variants.filter((variant) => !isLeftAlone(variant));
    expect({ void: result.void, broke: result.broke, unproved: result.unproved, survivors, accused }).toEqual({
      void: undefined,
      broke: [],
      unproved: [],
      survivors: [],
      accused: [],
    });
  },
  LIMIT_MS,
);
