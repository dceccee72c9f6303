/** What the answer to a request says of its operation: whether there is one, and whether a refusal is one. */
import { writeJson } from '../../../files/json.ts';
import { type Answer, describe, type Input, member, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/context.ts';
import { fail } from '../../../helpers/verdict.ts';

/**
 * What answers a right request, one that lacks everything and one without a session alike, by a status that says that nothing is there, is not the
 * operation. Where it is, what a request names may be gone, and what names nothing may be looked up, too.
 * @param lacking the request that lacks everything
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
  fail(`${id} answers status ${right.status}, also to a request that lacks everything`, {
    expected: 'an operation',
    actual: describe(right),
    in: right,
  });
}

/**
 * A refusal of a listing does not carry what was asked for.
 * @param good the answer to the same request by who is entitled to it
 * @throws Nonconformance
 */
export function expectNothingShown(refusal: Answer, good: Answer, what: string): void {
  const asked = new Set(succeeded(good) ? itemsOf(good) : []);
  const shown = itemsOf(refusal).filter((item) => asked.has(item));
  if (shown.length === 0) return;
  fail(`${what} is refused with status ${refusal.status}, and shown what it asks for`, {
    expected: 'an error',
    actual: `${shown.length} items`,
    pointer: '/items',
    in: refusal,
  });
}

/** The items of a listing, as texts to compare. */
function itemsOf(answer: Answer): string[] {
  const items = member(answer, 'items');
  return Array.isArray(items) ? items.map((item) => writeJson(item)) : [];
}
