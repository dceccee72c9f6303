/** Targets that are hostile once they have given a token and a session, so that all checks run into it. */
import { test } from 'vitest';
import { BROKEN, TWISTED } from './behaviours.ts';
import { endsInOrder } from './ends-in-order.ts';

test.each(Object.entries({ ...BROKEN, ...TWISTED }))('a target that %s ends the run in order', (_, behaviour) =>
  endsInOrder(behaviour, 'after login'),
);
