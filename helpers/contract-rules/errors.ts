/** Bodies of refusals (reading 12). */
import type { Operation } from '../../contracts/operation.ts';
import { errors } from '../../contracts/v3/errors.ts';
import { type Answer, succeeded } from '../answer.ts';
import type { ExchangeRule } from '../evidence/ledger.ts';
import { withoutNulls } from './nulls.ts';
import { schemaError } from './schemas.ts';

export function errorRules(operation: Operation): ExchangeRule[] {
  if (operation.listedOnly) return [];
  const rule = (name: string, judge: ExchangeRule['judge']): ExchangeRule => ({
    requirement: `${operation.id}.${name}`,
    operation: operation.id,
    judge: (answer, fixtures) => (succeeded(answer) ? undefined : judge(answer, fixtures)),
  });
  if (operation.interface === 'v3')
    return [
      rule('error-shape', (answer) => (answer.status === 400 ? arrayOfErrors(answer) : undefined)),
      rule('error-shape-other', (answer) =>
        isOtherRefusal(answer) && answer.json?.ok ? arrayOfErrors(answer) : undefined,
      ),
      rule('error-not-empty', notEmpty),
    ];
  if (operation.interface === 'v1')
    return [
      rule('error-json', (answer) =>
        isRefusal(answer)
          ? answer.json?.ok
            ? 'kept'
            : { message: `a refusal has ${answer.json ? `a body that is ${answer.json.reason}` : 'no body'}` }
          : undefined,
      ),
      rule('error-object', (answer) => {
        if (!isRefusal(answer) || !answer.json?.ok) return undefined;
        const { plain } = answer.json;
        const isObject = typeof plain === 'object' && plain !== null && !Array.isArray(plain);
        return isObject ? 'kept' : { message: 'the JSON body of a refusal is no object' };
      }),
    ];
  return [];
}

/** Every 4xx, and 500; the other 5xx and redirects say nothing of the implementation's error bodies. */
const isRefusal = (answer: Answer) => (answer.status >= 400 && answer.status < 500) || answer.status === 500;
const isOtherRefusal = (answer: Answer) => isRefusal(answer) && answer.status !== 400;

function arrayOfErrors(answer: Answer) {
  const { json } = answer;
  const expected = 'an array of objects whose errorCode, errorMessage and fieldName are strings';
  if (!json) return { message: `status ${answer.status} has no body`, difference: { expected, actual: 'no body' } };
  if (!json.ok)
    return {
      message: `the body of status ${answer.status} is ${json.reason}`,
      difference: { expected, actual: json.reason },
    };
  const error = schemaError(errors, withoutNulls(errors, json.plain));
  if (!error) return 'kept';
  const pointer = error.instancePath || '/';
  return {
    message: `the body of status ${answer.status} at ${pointer} ${error.message}`,
    difference: { expected, actual: `${pointer} ${error.message}`, pointer },
  };
}

function notEmpty(answer: Answer) {
  if (!isRefusal(answer) || !answer.json?.ok || !Array.isArray(answer.json.plain)) return undefined;
  return answer.json.plain.length > 0 ? 'kept' : { message: 'the array of errors is empty' };
}
