/** Judges whether an operation exists. */
import { type Answer, describe, type Input, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { fail } from '../../../helpers/verdict.ts';

/**
 * Expects an operation to exist. It does not if a valid request, an empty one and one without a session get the same 404, 405 or
 * 501; a 404 to one of them alone may be about what the request names.
 * @param lacking the empty request
 * @throws Nonconformance
 */
export async function expectOperation(t: Context, right: Answer, lacking: Input): Promise<void> {
  const { id } = right.operation;
  if (succeeded(right) || ![404, 405, 501].includes(right.status)) return;
  const others = [
    { intent: 'malformed' },
    { intent: 'unauthorised', authorisation: { sessionId: undefined } },
  ] as const;
  for (const options of others) {
    const { status } = await t.call(id, lacking, options);
    if (status !== right.status) return;
  }
  fail(
    `${id} answers a valid request with status ${right.status}, as it does an empty one and one without a session`,
    'an operation',
    describe(right),
    { in: right },
  );
}
