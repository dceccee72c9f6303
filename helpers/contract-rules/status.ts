/** Judges success statuses and status 500 (readings 2 and 9). */
import type { Operation } from '../../contracts/operation.ts';
import { type Answer, type Intent, succeeded } from '../answer.ts';
import { contradicts, type ExchangeRule } from '../evidence/ledger.ts';

/** Well-formed portal requests that may be refused anyway, for which a 500 only breaks a recommendation. */
const PORTAL_REFUSED_ANYWAY: readonly Intent[] = ['refusable', 'unknown', 'foreign', 'unauthorised'];

export function statusRules(operation: Operation): ExchangeRule[] {
  const success = operation.success;
  if (!success) return [];
  const rules: ExchangeRule[] = [
    {
      requirement: `${operation.id}.status`,
      operation: operation.id,
      reads: 'status',
      judge(answer) {
        if (succeeded(answer)) return answer.status === success.status ? 'kept' : wrongSuccess(answer, success.status);
        return isServerError(answer) ? serverError(answer) : undefined;
      },
    },
  ];
  if (operation.interface === 'v1')
    rules.push({
      requirement: `${operation.id}.server-error`,
      operation: operation.id,
      reads: 'status',
      judge(answer) {
        if (succeeded(answer) || answer.leftOut?.request || answer.intent === 'valid' || answer.intent === 'unusual')
          return undefined;
        return answer.status === 500 ? serverError(answer) : 'kept';
      },
    });
  return rules;
}

/** Whether a 500 to this request is a must failure (reading 9). */
function isServerError(answer: Answer): boolean {
  // Whether a request was well-formed whose body is not known, nobody can tell.
  if (answer.status !== 500 || answer.intent === 'malformed' || answer.leftOut?.request) return false;
  return answer.operation.interface !== 'v1' || !PORTAL_REFUSED_ANYWAY.includes(answer.intent);
}

const wrongSuccess = (answer: Answer, expected: number) =>
  contradicts(
    `success is answered with status ${answer.status} instead of ${expected}`,
    String(expected),
    String(answer.status),
  );

const serverError = (answer: Answer) =>
  contradicts(
    `a ${answer.intent === 'valid' ? 'valid' : 'well-formed'} request is answered with status 500`,
    answer.intent === 'valid' ? 'success' : 'a refusal below 500',
    '500',
  );
