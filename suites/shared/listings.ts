/** Judgements common to the listings of customers and of cards. */

import { type Answer, member, type QueryValue, succeeded } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/context.ts';
import { requireNotBusy } from '../../helpers/engine/acceptance.ts';
import { outcomeInWords } from '../../helpers/engine/observed.ts';
import { expectSuccess } from '../../helpers/expect.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';

/** Values of max between 1 and 50; as text, 9 is greater than 50. */
export const BETWEEN = [9, 49, 3, 48, 17, 26, 33, 40];
/** Number of these that each run tries. */
export const BETWEEN_PER_RUN = 2;

/** Number of entries in a listing; undefined for an answer that is not a listing. */
export function count(answer: Answer): number | undefined {
  const results = member(answer, 'results');
  if (!succeeded(answer) || !answer.json?.ok) return undefined;
  return Array.isArray(results) ? results.length : 0;
}

const tooMany = (given: number, allowed: number) => ({
  message: `the listing holds ${given} results`,
  difference: { expected: `at most ${allowed}`, actual: String(given), pointer: '/results' },
});

/** @throws Nonconformance when a listing holds more than `allowed` entries. @param how the request in words: `with max=51` */
export function expectAtMost(allowed: number, answer: Answer, how: string): void {
  const given = count(answer) ?? 0;
  if (given <= allowed) return;
  const { message, difference } = tooMany(given, allowed);
  fail(`${how} ${message}`, { ...difference, in: answer });
}

/** Makes a judge of every listing: it holds at most `allowed` entries. */
export function atMost(allowed: number) {
  return (answer: Answer) => {
    const given = count(answer);
    if (given === undefined) return undefined;
    return given <= allowed ? ('kept' as const) : tooMany(given, allowed);
  };
}

/** Makes a judge of every listing: it holds at most max entries, where max is from 1 to `limit`. */
export function atMostAsked(limit: number) {
  return (answer: Answer) => {
    const asked = answer.input.query?.max;
    const given = count(answer);
    if (given === undefined || typeof asked !== 'number' || asked < 1 || asked > limit) return undefined;
    return given <= asked ? ('kept' as const) : tooMany(given, asked);
  };
}

/** Records how a listing answers values of max on which the documents are silent. */
export async function observeOddMax(t: Context, operation: string, values: readonly number[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const max of values) {
    const answer = await t.call(operation, { query: { max } }, { intent: 'refusable' });
    t.observe(operation, `max=${max}`, `${outcomeInWords(answer)}${count(answer) === 0 ? ' with no results' : ''}`);
    answers.push(answer);
  }
  return answers;
}

/**
 * Expects a listing by one filter to be accepted (readings 47 and 48).
 * @param others further filters with known values: which filters go together is not shown
 * @throws Nonconformance when it is refused with every other filter beside it, too, but the listing without filters is accepted; Inconclusive otherwise
 */
export async function expectAcceptedByFilter(
  t: Context,
  answer: Answer,
  filter: string,
  others: Record<string, QueryValue>,
): Promise<Answer> {
  if (succeeded(answer)) return answer;
  const what = `the filter ${filter}`;
  requireNotBusy(answer, what);
  const list = (query: Record<string, QueryValue>) =>
    t.call(answer.operation.id, { query: { max: 50, ...query } }, { intent: 'refusable' });
  const single = Object.entries(others).map(([name, value]) => ({ [name]: value }));
  for (const beside of single.length > 1 ? [others, ...single] : single)
    if (succeeded(await list({ ...beside, ...answer.input.query })))
      inconclusive(`${what} is refused alone, and accepted beside ${Object.keys(beside).join(', ')}`);
  if (!succeeded(await list({})))
    inconclusive(`${what} is refused, and now the listing without filters is refused, too`);
  return expectSuccess(answer, what);
}
