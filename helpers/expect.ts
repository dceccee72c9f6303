/** What checks say of an answer. Each throws a verdict, or returns what it was given. */
import { type Answer, describe, succeeded } from './answer.ts';
import { fail, inconclusive } from './verdict.ts';

/** The request is accepted. @throws Nonconformance otherwise */
export function accepted(answer: Answer, what = 'a valid request'): Answer {
  if (succeeded(answer)) return answer;
  return fail(`${what} is refused`, { expected: 'success', actual: describe(answer) });
}

/** A request that a check builds on is accepted. @throws Inconclusive otherwise */
export function base(answer: Answer, what = 'a base request'): Answer {
  if (succeeded(answer)) return answer;
  return inconclusive(`${what} is refused: ${answer.operation.id} answers ${describe(answer)}`);
}

/** The request is refused, with any status that is no success. @throws Nonconformance otherwise */
export function refused(answer: Answer, what: string): Answer {
  if (!succeeded(answer)) return answer;
  return fail(`${what} is accepted`, { expected: 'a refusal', actual: describe(answer) });
}

/** The request is refused with one of these statuses. @throws Nonconformance otherwise */
export function refusedWith(answer: Answer, statuses: readonly number[], what: string): Answer {
  refused(answer, what);
  if (statuses.includes(answer.status)) return answer;
  return fail(`${what} is refused with status ${answer.status}`, {
    expected: statuses.join(' or '),
    actual: String(answer.status),
  });
}

/** The refusal that the contract lists: 400 where the operation lists it, else any (reading 6). */
export function refusedAsListed(answer: Answer, what: string): Answer {
  return answer.operation.errors.includes(400) ? refusedWith(answer, [400], what) : refused(answer, what);
}
