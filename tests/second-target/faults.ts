import { boundaryFaults } from './faults/boundaries.ts';
import { effectFaults } from './faults/effects.ts';
import { elementFaults } from './faults/elements.ts';
import type { Fault } from './faults/fault.ts';
import { guardFaults } from './faults/guards.ts';
import { inputFaults } from './faults/inputs.ts';
import { memoryFaults } from './faults/memory.ts';
import { plainFaults } from './faults/plain.ts';
import { shownFaults } from './faults/shown.ts';
import { simultaneityFaults } from './faults/simultaneity.ts';
import { sporadicFaults } from './faults/sporadic.ts';
import { statementFaults } from './faults/statements.ts';
import { stateFaults } from './faults/states.ts';
import { timeFaults } from './faults/time.ts';

export type { Fault } from './faults/fault.ts';

/** All faults: ways to break a sentence of the documents. */
export const faults: readonly Fault[] = [
  ...plainFaults,
  ...inputFaults,
  ...guardFaults,
  ...simultaneityFaults,
  ...effectFaults,
  ...elementFaults,
  ...memoryFaults,
  ...stateFaults,
  ...timeFaults,
  ...boundaryFaults,
  ...sporadicFaults,
  ...statementFaults,
  ...shownFaults,
];
