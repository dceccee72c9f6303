/** What any implementation can have wrong, in the second target; the long tests have the same in the sandbox. */
import { expect, test } from 'vitest';
import { operatorFaults } from './index.ts';
import { proveOperator } from './prove.ts';

test.for(operatorFaults)('$name', async (fault, { skip }) => {
  const proof = await proveOperator('second target', fault);
  if (proof === undefined) return skip('the second target gives no answer that it changes');
  expect(proof.missed).toEqual([]);
});
