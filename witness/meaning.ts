/** What a request that somebody else made was meant to be, as far as the contract tells. */
import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../contracts/operation.ts';
import { type Input, type Intent, type QueryValue, tokenIn, type Wrong } from '../helpers/answer.ts';
import { flawsOf, typedValue } from '../helpers/contract-rules/flaws.ts';
import { readJson } from '../helpers/json.ts';
import type { Addressed } from './addressed.ts';
import { isMasked, withoutMasked } from './left-out.ts';
import { headerIn, type Recorded } from './recorded.ts';

/** A request as monitors see it. */
export interface Meaning {
  input: Input;
  /** Whether values of it were masked, and so are not in the input. */
  isMasked: boolean;
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
  const { input: sent, isWellFormed } = contentOf(
    operation,
    isOfSession ? query.filter(([name]) => name !== 'sessionId') : query,
    recorded,
  );
  const whole: Input = { ...(Object.keys(path).length > 0 ? { path } : {}), ...sent };
  const input = own ? whole : (withoutMasked(whole) as Input);
  const content = { input, isMasked: !isDeepStrictEqual(input, whole) };
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
  const values = query.map(([name, text]): [string, QueryValue] => {
    const parameter = operation.query.find((one) => one.name === name);
    return [name, (parameter && typedValue(parameter, text)) ?? text];
  });
  // Of a parameter that is sent twice, either may count.
  const isClear = new Set(values.map(([name]) => name)).size === values.length;
  const input: Input = values.length > 0 ? { query: Object.fromEntries(values) } : {};
  // Of a body that is not known the best is supposed.
  const { body: _, ...withoutBody } = operation;
  if (isBodyLeftOut) return { input, isWellFormed: isClear && flawsOf(withoutBody, input).length === 0 };
  if (!body?.length) return { input, isWellFormed: isClear && flawsOf(operation, input).length === 0 };
  const type = headerIn(headers, 'content-type') ?? '';
  const isForm = type.includes('x-www-form-urlencoded');
  const content = isForm
    ? { form: Object.fromEntries(new URLSearchParams(body.toString())) }
    : /json/i.test(type) || operation.body?.mediaType === 'application/json'
      ? jsonOf(body)
      : { text: body.toString() };
  const isDeclared = type !== '' || Object.keys(headers).length > 0;
  const isAsDeclared = operation.body === undefined || !isDeclared || type.includes(operation.body.mediaType);
  const whole = { ...input, ...content };
  return { input: whole, isWellFormed: isClear && isAsDeclared && flawsOf(operation, whole).length === 0 };
}

function jsonOf(body: Buffer): Input {
  const json = readJson(body);
  return json.ok ? { json: json.value } : { text: body.toString() };
}
