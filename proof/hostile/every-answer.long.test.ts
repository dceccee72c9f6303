/** Targets that are hostile from the first answer on, met by a run in this process: against all its checks they are met by one that is a process. */
import { test } from 'vitest';
import { runHere } from '../../tests/tools/run-in-process.ts';
import { BROKEN } from './behaviours.ts';
import { endsInOrder } from './ends-in-order.ts';

test.each(Object.entries(BROKEN))('a target that %s from the first answer on ends the run in order', (_, behaviour) =>
  endsInOrder(behaviour, 'all', runHere),
);
