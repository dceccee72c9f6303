/** What is wrong with a request by the contract of its operation: what is absent, of another type, or outside a limit or list. */
import type { Operation, Parameter } from '../../contracts/operation.ts';
import { type Input, isObject, type QueryValue } from '../answer.ts';
import { violationsOf } from './schemas.ts';

/** The value of a parameter as its text says; undefined where that has not its type, or is beyond its maximum. */
export function typedValue({ type, maximum }: Parameter, text: string): QueryValue {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'string') return text;
  if (!/^-?\d{1,30}$/.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) return BigInt(text);
  return maximum !== undefined && value > maximum ? undefined : value;
}

/**
 * Each flaw of a request, as texts that are the same where two requests are wrong in the same way: `zip maximum`, `orderDetails ssn absent`.
 * Two wrong values of one kind are one flaw. What no contract says, such as that nothing has an identifier, is none.
 */
export function flawsOf(operation: Operation, input: Input): string[] {
  return [...new Set([...flawsOfQuery(operation, input), ...flawsOfBody(operation, input)])].toSorted();
}

function flawsOfQuery({ query }: Operation, { query: sent = {} }: Input): string[] {
  return query.flatMap((parameter) => {
    const value = sent[parameter.name];
    if (value === undefined) return parameter.required ? [`${parameter.name} absent`] : [];
    return typedValue(parameter, String(value)) === undefined ? [`${parameter.name} type`] : [];
  });
}

function flawsOfBody({ body }: Operation, { json, form, text }: Input): string[] {
  if (!body) return [];
  const sent = form ?? json;
  if (sent === undefined && text === undefined) return body.required ? ['body absent'] : [];
  if (!isObject(sent)) return ['body type'];
  const absent = body.requiredMembers.filter((name) => sent[name] === undefined);
  const violations = violationsOf(body.schema, inNumbers(sent)).map(({ instancePath, keyword, params }) => {
    const where = instancePath.split('/').filter((step) => step !== '' && !/^\d+$/.test(step));
    return keyword === 'required'
      ? `${[...where, params.missingProperty].join(' ')} absent`
      : `${where.join(' ')} ${keyword}`;
  });
  return [...absent.map((name) => `${name} absent`), ...violations];
}

/** A JSON value whose long integers are numbers, as validators take them. */
function inNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(inNumbers);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inNumbers(inner)]))
    : value;
}
