/** Each variant by itself: what stands beside it in a pack may use up the one occasion at which it would be accused. */
import { expect, test } from 'vitest';
import { variants } from '../variants/index.ts';
import { proveVariant } from './prove.ts';

test.each(variants)('$name', async (variant) => {
  const { accused, blocked } = await proveVariant(variant);
  expect({ accused, blocked }).toEqual({ accused: [], blocked: [] });
});
