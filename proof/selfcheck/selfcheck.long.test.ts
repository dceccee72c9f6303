/** What of the proof a change can wait for; `selfcheck.nightly.test.ts` is the whole. */
import { test } from 'vitest';
import { expectToHold } from './expected.ts';
import { selfcheck } from './selfcheck.ts';

test('each must requirement is failed by a fault, and variants are left alone', async () =>
  expectToHold(await selfcheck(() => {}, { sample: true })));
