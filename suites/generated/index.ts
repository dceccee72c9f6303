/** Checks of generated input. */
import type { Suite } from '../../helpers/check.ts';
import { generatedCipSuite } from './cip.ts';
import { generatedOrdersSuite } from './orders.ts';
import { generatedReadingSuite } from './reading.ts';
import { sequencesSuite } from './sequences.ts';

export const generatedSuites: readonly Suite[] = [
  generatedReadingSuite,
  generatedCipSuite,
  generatedOrdersSuite,
  sequencesSuite,
];
