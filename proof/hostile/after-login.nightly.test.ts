/** What is hostile from the first answer on in the long tests is so only after the login here: all checks run into it. */
import { test } from 'vitest';
import { runHere } from '../../tests/tools/run-in-process.ts';
import { HEAVY, PLAIN } from './behaviours.ts';
import { endsInOrder } from './ends-in-order.ts';

test.each(Object.entries(HEAVY))('a target that %s ends the run in order', (_, behaviour) =>
  endsInOrder(behaviour, 'after login'),
);

test.each(Object.entries(PLAIN))('a target that %s ends the run in this process in order', (_, behaviour) =>
  endsInOrder(behaviour, 'after login', runHere),
);
