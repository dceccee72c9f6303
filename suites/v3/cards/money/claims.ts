/** What answers to transfers claim: a 200 may say that a transfer was refused (reading 27). */
import { type Answer, member, succeeded } from '../../../../helpers/answer.ts';
import { expectRefused } from '../../../../helpers/expect.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';

/** The members in which a success differs from a refusal with status 200. */
const claim = (answer: Answer) =>
  ['errorCode', 'status'].map((name) => JSON.stringify(member(answer, name) ?? '')).join();

/**
 * Whether an answer claims success: its status is 2xx, and its errorCode and status are those of a transfer that moved money.
 * @param success the answer to such a transfer; without it, only an errorCode marks a refusal
 */
export function isSuccess(answer: Answer, success: Answer | undefined): boolean {
  if (!succeeded(answer)) return false;
  return success ? claim(answer) === claim(success) : !member(answer, 'errorCode');
}

/**
 * Whether a transfer was answered with 200 but a body that says it was refused: by an errorCode or errorMessage, or a status other than that
 * of a success. A member that is absent says nothing.
 */
export function saysRefused(answer: Answer, success: Answer | undefined): boolean {
  if (!succeeded(answer)) return false;
  if (member(answer, 'errorCode') || member(answer, 'errorMessage')) return true;
  const status = member(answer, 'status');
  return typeof status === 'string' && status !== '' && success !== undefined && status !== member(success, 'status');
}

/**
 * Expects a request for a card that does not exist to be refused.
 * @throws Nonconformance when it is answered with success; Inconclusive for a transfer whose 2xx answer says that it was refused: reading 27
 * counts that as a refusal, reading 11 does not
 */
export function expectUnknownRefused(answer: Answer, what: string): Answer {
  if (answer.operation.id === 'cards.transfer' && saysRefused(answer, undefined))
    inconclusive(`${what} is answered with status ${answer.status}, and with an error in the body`);
  return expectRefused(answer, what);
}
