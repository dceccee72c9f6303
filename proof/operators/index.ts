/** Faults that any implementation can have, wherever they fit. */
import { operations } from '../../contracts/operations.ts';
import { answerFaults } from './answers.ts';
import { effectFaults } from './effects.ts';
import { inputFaults } from './inputs.ts';
import type { OperatorFault } from './operator.ts';

export const operatorFaults: readonly OperatorFault[] = operations
  .filter(({ id }) => id !== 'token.authorize')
  .flatMap((operation) => [...inputFaults(operation), ...answerFaults(operation), ...effectFaults(operation)]);
