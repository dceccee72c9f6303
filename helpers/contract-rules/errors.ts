/** Judges the bodies of refusals (reading 12). */
import type { Operation } from '../../contracts/operation.ts';
import { errors } from '../../contracts/v3/errors.ts';
import { type Answer, isObject, succeeded } from '../answer.ts';
import { contradicts, type ExchangeRule, type Judgement } from '../evidence/ledger.ts';
import { outlineOf, withoutUnset } from './outline.ts';
import { schemaError, shownAt } from './schemas.ts';

export function errorRules(operation: Operation): ExchangeRule[] {
  if (operation.listedOnly) return [];
  /** Builds a rule for certain refusals. An invalid request that leads to no such one shows that it did not apply. */
  const rule = (
    name: string,
    what: string,
    isRelevant: (answer: Answer) => boolean,
    judge: (answer: Answer) => Judgement,
  ) => ({
    requirement: `${operation.id}.${name}`,
    operation: operation.id,
    judge: (answer: Answer): Judgement => {
      if (isRelevant(answer)) return judge(answer);
      return answer.intent === 'valid' || !showsErrorBody(answer) ? undefined : { lacks: what };
    },
  });
  if (operation.interface === 'v3')
    return [
      rule('error-shape', 'a 400', (answer) => answer.status === 400 && !mayBeOfServer(answer), arrayOfErrors),
      rule(
        'error-shape-other',
        'another refusal than 400 with a JSON body',
        (answer) => isOtherRefusal(answer) && answer.json?.ok === true,
        arrayOfErrors,
      ),
      rule(
        'error-not-empty',
        'a refusal with a JSON body',
        (answer) => isRefusal(answer) && answer.json?.ok === true,
        notEmpty,
      ),
    ];
  if (operation.interface === 'v1') {
    const promised = operation.errors.includes(401) ? [400, 401] : [400];
    return [
      rule(
        'error-shape',
        `a ${promised.join(' or ')} with a body`,
        (answer) => promised.includes(answer.status) && answer.json !== undefined && !mayBeOfServer(answer),
        jsonObject,
      ),
      rule('error-json', 'a refusal', isRefusal, (answer) =>
        answer.json?.ok
          ? 'kept'
          : { message: `a refusal has ${answer.json ? `a body that is ${answer.json.reason}` : 'no body'}` },
      ),
      rule(
        'error-object',
        'a refusal with a JSON body',
        (answer) => isRefusal(answer) && answer.json?.ok === true,
        jsonObject,
      ),
    ];
  }
  return [];
}

/** Whether a web server or a firewall may have refused the request before the operation, for a character in its address. */
const mayBeOfServer = ({ input }: Answer) =>
  Object.values(input.path ?? {}).some((part) => /[%;*:?<>&[\]]/.test(part)) ||
  Object.values(input.query ?? {}).some((value) => String(value).includes('\0'));

/** Every 4xx, and 500. Other 5xx and redirects show nothing about the implementation's error bodies. */
const isRefusal = (answer: Answer) => (answer.status >= 400 && answer.status < 500) || answer.status === 500;
const showsErrorBody = (answer: Answer) => succeeded(answer) || isRefusal(answer);
const isOtherRefusal = (answer: Answer) => isRefusal(answer) && answer.status !== 400;

function arrayOfErrors(answer: Answer): Judgement {
  const { json } = answer;
  const expected = 'an array of objects whose errorCode, errorMessage and fieldName are strings';
  if (!json) return contradicts(`status ${answer.status} has no body`, expected, 'no body');
  if (!json.ok) return contradicts(`the body of status ${answer.status} is ${json.reason}`, expected, json.reason);
  const error = schemaError(errors, withoutUnset(outlineOf(errors), json.plain));
  if (!error) return 'kept';
  const pointer = error.instancePath || '/';
  return contradicts(
    `the body of status ${answer.status} at ${pointer} ${error.message}`,
    expected,
    shownAt(json.plain, error.instancePath),
    pointer,
  );
}

function jsonObject({ status, json }: Answer): Judgement {
  if (json?.ok && isObject(json.plain)) return 'kept';
  const actual = json?.ok ? 'JSON that is not an object' : (json?.reason ?? 'no body');
  return contradicts(`the body of status ${status} is not a JSON object`, 'a JSON object', actual);
}

function notEmpty(answer: Answer): Judgement {
  if (!answer.json?.ok || !Array.isArray(answer.json.plain)) return undefined;
  return answer.json.plain.length > 0 ? 'kept' : { message: 'the array of errors is empty' };
}
