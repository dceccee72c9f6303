/** Targets that are hostile once they have given a token and a session, so that all checks run into it. */
import { test } from 'vitest';
import { runHere } from '../../tests/tools/run-in-process.ts';
import { HEAVY, TWISTED } from './behaviours.ts';
import { endsInOrder } from './ends-in-order.ts';

test.each(Object.entries(HEAVY))('a target that %s ends the run in order', (_, behaviour) =>
  endsInOrder(behaviour, 'after login'),
);

test.each(Object.entries(TWISTED))('a target that %s ends the run in this process in order', (_, behaviour) =>
  endsInOrder(behaviour, 'after login', runHere),
);
