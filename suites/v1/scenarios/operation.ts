/** Whether there is an operation at all. */
import { type Answer, describe, type Input, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/context.ts';
import { fail } from '../../../helpers/verdict.ts';

/**
 * What answers a right request and one that lacks everything alike, by a status that says that nothing is there, is not the operation.
 * @param lacking the request that lacks everything
 * @throws Nonconformance
 */
export async function expectOperation(t: Context, right: Answer, lacking: Input): Promise<void> {
  if (succeeded(right) || ![404, 405, 501].includes(right.status)) return;
  const { status } = await t.call(right.operation.id, lacking, { intent: 'malformed' });
  if (status === right.status)
    fail(`${right.operation.id} answers status ${status}, also to a request that lacks everything`, {
      expected: 'an operation',
      actual: describe(right),
    });
}
