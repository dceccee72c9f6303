/** Each variant by itself: what stands beside it in a pack may use up the one occasion at which it would be accused. */
import { expect, test } from 'vitest';
import { variants } from '../variants/index.ts';
import { proveVariant } from './prove.ts';

/** Time limit of one variant in milliseconds; some wait for effects. */
const LIMIT_MS = 120_000;

test.each(variants)(
  '$name',
  async (variant) => {
    const { accused, blocked } = await proveVariant(variant);
    expect({ accused, blocked }).toEqual({ accused: [], blocked: [] });
  },
  LIMIT_MS,
);
