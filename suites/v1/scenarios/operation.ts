/** Whether there is an operation at all. */
import { type Answer, describe, type Input, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/context.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';

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

/**
 * "A request by a user not entitled to the operation gets 401": which operations the user of the run is entitled to is not known.
 * @throws Inconclusive when the refusal may say that it is not
 */
export function requireEntitled({ status, operation }: Answer): void {
  if (status === 401 || status === 403)
    inconclusive(`${operation.id} answers status ${status}: the user of the login may not be entitled to it`);
}
