/** Expectations on answers: `expect...` throws Nonconformance, `require...` Inconclusive; each returns the answer. */
import type { Retrial } from '../contracts/record.ts';
import { type Answer, describe, isOfCredential, succeeded } from './answer.ts';
import { fail, inconclusive } from './verdict.ts';

/** @throws Nonconformance when the request is refused */
export function expectSuccess(answer: Answer, what = 'a valid request'): Answer {
  if (succeeded(answer)) return answer;
  return fail(`${what} is refused`, 'success', describe(answer), { in: answer });
}

/** @throws Inconclusive when the request, on which a check builds, is refused */
export function requireAccepted(answer: Answer, what = 'a base request'): Answer {
  if (succeeded(answer)) return answer;
  return inconclusive(`${what} is refused: ${answer.operation.id} answers ${describe(answer)}`);
}

/** @throws Inconclusive when the request, on whose refusal a check builds, is accepted: that is a finding of its own */
export function requireRefused(answer: Answer, what: string): Answer {
  if (!succeeded(answer)) return answer;
  return inconclusive(`${what} is accepted: ${answer.operation.id} answers ${describe(answer)}`);
}

/** @throws Nonconformance when the request is accepted; any status other than a success refuses it */
export function expectRefused(answer: Answer, what: string): Answer {
  if (!succeeded(answer)) return answer;
  return fail(`${what} is accepted`, 'a refusal', describe(answer), { in: answer });
}

/**
 * @param retrial how the refusal was reproduced
 * @throws Nonconformance when the request is accepted, or refused with a status other than these
 */
export function expectStatus(answer: Answer, statuses: readonly number[], what: string, retrial?: Retrial): Answer {
  expectRefused(answer, what);
  if (statuses.includes(answer.status)) return answer;
  return fail(`${what} is refused with status ${answer.status}`, statuses.join(' or '), String(answer.status), {
    in: answer,
    retrial,
  });
}

/**
 * The status that a refusal is advised to have.
 * @throws Inconclusive where it is that of a bad credential: in the wake of bad ones a target may refuse everything so (reading 51)
 * @throws Nonconformance as {@link expectStatus} does
 */
export function expectAdvisedStatus(answer: Answer, status: number, what: string): Answer {
  if (isOfCredential(answer) && answer.status !== status)
    inconclusive(`${what} is refused with status ${answer.status}, as everything may be after bad credentials`);
  return expectStatus(answer, [status], what);
}

/** @throws Nonconformance when it is accepted, or where 400 is listed, refused with another status (reading 6) */
export function expectRefusedAsListed(answer: Answer, what: string, retrial?: Retrial): Answer {
  return answer.operation.errors.includes(400)
    ? expectStatus(answer, [400], what, retrial)
    : expectRefused(answer, what);
}
