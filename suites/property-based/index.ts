/** Lists the suites with generated input. */
import type { Suite } from '../../helpers/check.ts';
import { cardSequencesSuite } from './card-sequences.ts';
import { sessionSequencesSuite } from './session-sequences.ts';

export const generatedSuites: readonly Suite[] = [cardSequencesSuite, sessionSequencesSuite];
