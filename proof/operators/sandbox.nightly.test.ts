/** What any implementation can have wrong, in the sandbox; the long tests have the same in the second target. */
import { expect, test } from 'vitest';
import { operatorFaults } from './index.ts';
import { proveOperator } from './prove.ts';

test.for(operatorFaults)('$name', async (fault, { skip }) => {
  const proof = await proveOperator('sandbox', fault);
  if (proof === undefined) return skip('the sandbox gives no answer that it changes');
  expect(proof.missed).toEqual([]);
});
