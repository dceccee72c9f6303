/** What is hostile from the first answer on in the long tests is so only after the login here: all checks run into it. */
import { test } from 'vitest';
import { runHere } from '../../tests/tools/run-in-process.ts';
import { PLAIN } from './behaviours.ts';
import { endsInOrder } from './ends-in-order.ts';

test.each(Object.entries(PLAIN))('a target that %s ends the run in order', (_, behaviour) =>
  endsInOrder(behaviour, 'after login', runHere),
);
