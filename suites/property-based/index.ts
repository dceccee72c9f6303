/** Lists the suites with generated input. */
import type { Suite } from '../../helpers/check.ts';
import { cardSequencesSuite } from './card-sequences.ts';

export const generatedSuites: readonly Suite[] = [cardSequencesSuite];
