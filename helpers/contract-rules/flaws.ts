/** What is wrong with a request by the contract of its operation: what is absent, of another type, or outside a limit or list. */
import type { Operation, Parameter } from '../../contracts/operation.ts';
import { type Input, isObject, type QueryValue } from '../answer.ts';
import { plainName } from './outline.ts';
import { valueAt, violationsOf } from './schemas.ts';

const INTEGER = /^-?\d{1,30}$/;
/** Texts that are no integers however they are read: of other letters than those of an exponent, or with a fraction. */
const NO_INTEGER = /^(?!0x[\da-f]+$).*([a-df-z]|\.\d*[1-9])/i;
/** Other texts that are commonly read as true or false. */
const LIKE_BOOLEAN = /^(true|false|yes|no|on|off|[01ynft])?$/i;

/** The value of a parameter as its text says; undefined where that has not its type, or is beyond its maximum. */
export function typedValue({ type, maximum }: Parameter, text: string): QueryValue {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'string') return text;
  if (!INTEGER.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) return BigInt(text);
  return maximum !== undefined && value > maximum ? undefined : value;
}

/**
 * Each flaw of a request, as texts that are the same where two requests are wrong in the same way: `zip maximum`, `orderDetails ssn absent`.
 * Two wrong values of one kind are one flaw; one that lenient readers take for a right one is a flaw of its own, a `spelling`. What no contract
 * says, such as that nothing has an identifier, is none.
 */
export function flawsOf(operation: Operation, input: Input): string[] {
  return [...new Set([...flawsOfQuery(operation, input), ...flawsOfBody(operation, input)])].toSorted();
}

/** Whether a member may be there under another spelling of its name, or in another part of the request. */
const isElsewhere = (name: string, { query, json, form }: Input): boolean =>
  [query, json, form].some(
    (part) =>
      isObject(part) &&
      Object.entries(part).some(([sent, value]) => value !== undefined && plainName(sent) === plainName(name)),
  );

const absence = (name: string, input: Input): string => `${name} ${isElsewhere(name, input) ? 'spelling' : 'absent'}`;

function flawsOfQuery({ query }: Operation, input: Input): string[] {
  return query.flatMap((parameter) => {
    const value = input.query?.[parameter.name];
    if (value === undefined) return parameter.required ? [absence(parameter.name, input)] : [];
    const text = String(value);
    return typedValue(parameter, text) === undefined ? [`${parameter.name} ${kindOfFlaw(parameter, text)}`] : [];
  });
}

function kindOfFlaw({ type }: Parameter, text: string): string {
  if (type === 'boolean') return LIKE_BOOLEAN.test(text) ? 'spelling' : 'type';
  if (INTEGER.test(text)) return 'maximum';
  return NO_INTEGER.test(text) ? 'type' : 'spelling';
}

function flawsOfBody({ body }: Operation, input: Input): string[] {
  if (!body) return [];
  const sent = input.form ?? input.json;
  if (sent === undefined && input.text === undefined) return body.required ? ['body absent'] : [];
  if (!isObject(sent)) return ['body type'];
  const absent = body.requiredMembers.filter((name) => sent[name] === undefined).map((name) => absence(name, input));
  const value = inNumbers(sent);
  const violations = violationsOf(body.schema, value).map(({ instancePath, keyword, params }) => {
    const where = instancePath.split('/').filter((step) => step !== '' && !/^\d+$/.test(step));
    const of = valueAt(value, instancePath);
    if (keyword === 'required') return [...where, absence(params.missingProperty, { json: of })].join(' ');
    const isSpelling = keyword === 'enum' && isLikeListed(String(of), params.allowedValues);
    return [...where, isSpelling ? 'spelling' : keyword].join(' ');
  });
  return [...absent, ...violations];
}

/** Whether a value differs from a listed one in case and separators alone, or goes on with the letters that a list may have cut off. */
const isLikeListed = (value: string, listed: readonly unknown[]): boolean =>
  listed.some((one) => {
    const text = String(one);
    return (
      plainName(value) === plainName(text) || (value.startsWith(text) && /^[a-z]+$/i.test(value.slice(text.length)))
    );
  });

/** A JSON value whose long integers are numbers, as validators take them. */
function inNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(inNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inNumbers(inner)]));
}
