/** The proof: every fault is condemned by the right requirements, no variant is accused. */
import { test } from 'vitest';
import { expectToHold } from './expected.ts';
import { selfcheck } from './selfcheck.ts';

/** Time limit in milliseconds, for about three thousand runs. */
const LIMIT_MS = 2_400_000;

test(
  'every fault is condemned, every variant is left alone',
  async () => expectToHold(await selfcheck(() => {})),
  LIMIT_MS,
);
