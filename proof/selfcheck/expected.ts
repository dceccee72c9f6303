/** What a selfcheck has to come to. */
import { expect } from 'vitest';
import { isLeftAlone } from './prove.ts';
import type { Selfcheck } from './selfcheck.ts';

/** Every fault is condemned by the right requirements, no variant is accused. */
export function expectToHold(result: Selfcheck): void {
  const survivors = [...result.faults, ...result.whole].filter(({ missed }) => missed.length > 0);
  const accused = result.variants.filter((variant) => !isLeftAlone(variant));
  expect({ void: result.void, broke: result.broke, unproved: result.unproved, survivors, accused }).toEqual({
    void: undefined,
    broke: [],
    unproved: [],
    survivors: [],
    accused: [],
  });
}
