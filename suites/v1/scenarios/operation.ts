/** Judges whether an operation exists, and whether a refusal really withholds what was asked for. */
import { writeJson } from '../../../files/json.ts';
import { type Answer, describe, type Input, member, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/context.ts';
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
  fail(`${id} answers a valid request with status ${right.status}, as it does an empty one and one without a session`, {
    expected: 'an operation',
    actual: describe(right),
    in: right,
  });
}

/**
 * Expects the refusal of a listing not to carry the items that were asked for.
 * @param good the answer to the same request from an entitled user
 * @throws Nonconformance
 */
export function expectNothingShown(refusal: Answer, good: Answer, what: string): void {
  const asked = new Set(succeeded(good) ? itemsOf(good) : []);
  const shown = itemsOf(refusal).filter((item) => asked.has(item));
  if (shown.length === 0) return;
  fail(`${what} is refused with status ${refusal.status}, but the answer shows what was asked for`, {
    expected: 'an error',
    actual: `${shown.length} items`,
    pointer: '/items',
    in: refusal,
  });
}

/** The items of a listing as JSON, to compare. */
function itemsOf(answer: Answer): string[] {
  const items = member(answer, 'items');
  return Array.isArray(items) ? items.map((item) => writeJson(item)) : [];
}
