/** Targets that are sound until they have given a token and a session, and twist answers then; what is broken after that is nightly. */
import { test } from 'vitest';
import { runHere } from '../../tests/tools/run-in-process.ts';
import { TWISTED } from './behaviours.ts';
import { endsInOrder } from './ends-in-order.ts';

test.each(Object.entries(TWISTED))('a target that %s ends the run in order', (_, behaviour) =>
  endsInOrder(behaviour, 'after login', runHere),
);
