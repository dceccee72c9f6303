/** Lists the suites with generated input. */
import type { Suite } from '../../helpers/check.ts';
import { cardSequencesSuite } from './card-sequences.ts';
import { generatedCipSuite } from './cip.ts';
import { generatedOrdersSuite } from './orders.ts';
import { generatedReadingSuite } from './reading.ts';
import { sessionSequencesSuite } from './session-sequences.ts';

export const generatedSuites: readonly Suite[] = [
  generatedReadingSuite,
  generatedCipSuite,
  generatedOrdersSuite,
  cardSequencesSuite,
  sessionSequencesSuite,
];
