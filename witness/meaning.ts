/** What a request that somebody else made was meant to be, as far as the contract tells. */
import type { Operation, Parameter } from '../contracts/operation.ts';
import { type Input, type Intent, isObject, type QueryValue, tokenIn, type Wrong } from '../helpers/answer.ts';
import { readJson } from '../helpers/json.ts';
import type { Addressed } from './addressed.ts';
import { isMasked, withoutMasked } from './left-out.ts';
import { headerIn, type Recorded } from './recorded.ts';

/** A request as monitors see it. */
export interface Meaning {
  input: Input;
  intent: Intent;
  wrong?: Wrong | undefined;
  sessionId?: string | undefined;
  token?: string | undefined;
}

/** What is wrong with a request without a credential. */
export const NO_TOKEN = 'no token';
export const NO_SESSION = 'no sessionId';

/** The content and the credentials of a request, and what it was meant to be: valid requests may be refused, for reasons that a recording does not show. */
export function meaningOf({ operation, path }: Addressed, recorded: Recorded): Meaning {
  const { own, request } = recorded;
  const query = [...(URL.parse(recorded.url)?.searchParams ?? [])];
  const sessionId = query.find(([name]) => name === 'sessionId')?.[1];
  const authorization = headerIn(request.headers, 'authorization');
  const isOfSession = operation.authorisation === 'session';
  const { input, isWellFormed } = contentOf(
    operation,
    isOfSession ? query.filter(([name]) => name !== 'sessionId') : query,
    recorded,
  );
  const whole: Input = { ...(Object.keys(path).length > 0 ? { path } : {}), ...input };
  const content = { input: own ? whole : (withoutMasked(whole) as Input) };
  if (own) {
    const { intent, wrong, credential } = own;
    const isNumbered = isOfSession ? sessionId : tokenIn(authorization);
    const known = isNumbered ? { [isOfSession ? 'sessionId' : 'token']: credential } : {};
    return { ...content, intent, wrong, ...known };
  }
  const token = tokenIn(authorization);
  const credential = isOfSession ? sessionId : operation.authorisation === 'bearer' ? authorization : 'none is needed';
  const isHidden = request.areHeadersLeftOut && !isOfSession;
  if (!credential && !isHidden)
    return { ...content, intent: 'unauthorised', wrong: { what: isOfSession ? NO_SESSION : NO_TOKEN } };
  const seen = {
    ...(sessionId && !isMasked(sessionId) && { sessionId }),
    ...(token && !isMasked(token) && { token }),
  };
  if (isWellFormed) return { ...content, ...seen, intent: 'refusable' };
  const isEmpty = operation.body?.required && !request.body?.length && !request.isBodyLeftOut;
  return { ...content, ...seen, intent: 'malformed', ...(isEmpty && { wrong: { what: 'no body' } }) };
}

/** The content of a request by the types of its contract, and whether it keeps to that. */
function contentOf(
  operation: Operation,
  query: readonly (readonly [string, string])[],
  { request: { headers, body, isBodyLeftOut } }: Recorded,
): { input: Input; isWellFormed: boolean } {
  let isWellFormed = operation.query.every(({ name, required }) => !required || query.some(([sent]) => sent === name));
  const values = query.map(([name, text]): [string, QueryValue] => {
    const parameter = operation.query.find((one) => one.name === name);
    const value = parameter ? typedValue(parameter, text) : text;
    if (value === undefined) isWellFormed = false;
    return [name, value ?? text];
  });
  // Of a parameter that is sent twice, either may count.
  if (new Set(values.map(([name]) => name)).size < values.length) isWellFormed = false;
  const input: Input = values.length > 0 ? { query: Object.fromEntries(values) } : {};
  // Of a body that is not known the best is supposed.
  if (isBodyLeftOut) return { input, isWellFormed };
  if (!body?.length) return { input, isWellFormed: isWellFormed && !operation.body?.required };
  const type = headerIn(headers, 'content-type') ?? '';
  const isForm = type.includes('x-www-form-urlencoded');
  const content = isForm
    ? { form: Object.fromEntries(new URLSearchParams(body.toString())) }
    : /json/i.test(type) || operation.body?.mediaType === 'application/json'
      ? jsonOf(body)
      : { text: body.toString() };
  const isDeclared = type !== '' || Object.keys(headers).length > 0;
  const isAsDeclared = operation.body === undefined || !isDeclared || type.includes(operation.body.mediaType);
  return {
    input: { ...input, ...content },
    isWellFormed: isWellFormed && isAsDeclared && isOfShape(operation, content),
  };
}

function jsonOf(body: Buffer): Input {
  const json = readJson(body);
  return json.ok ? { json: json.value } : { text: body.toString() };
}

function isOfShape({ body }: Operation, { json, form, text }: Input): boolean {
  if (!body || text !== undefined) return !body;
  const value = form ?? json;
  return isObject(value) && body.requiredMembers.every((name) => name in value) && body.schema.safeParse(value).success;
}

/** The value of a parameter; undefined where it has not its type. */
function typedValue({ type, maximum }: Parameter, text: string): QueryValue {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'string') return text;
  if (!/^-?\d{1,30}$/.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) return BigInt(text);
  return maximum !== undefined && value > maximum ? undefined : value;
}
