/** Targets that are hostile from the first answer on. */
import { test } from 'vitest';
import { BROKEN } from './behaviours.ts';
import { endsInOrder } from './ends-in-order.ts';

test.each(Object.entries(BROKEN))('a target that %s ends the run in order', (_, behaviour) =>
  endsInOrder(behaviour, 'all'),
);
