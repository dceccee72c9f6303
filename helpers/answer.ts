/** What a request was and what came back, as checks and judges see it: not redacted, never written. */
import type { Operation } from '../contracts/operation.ts';
import type { JsonRead, JsonRefused } from './json.ts';

/** A value of a query parameter; undefined for one that is not sent. */
export type QueryValue = string | number | bigint | boolean | undefined;

/** What a request carries. Every value is sent as given: wrong ones too. */
export interface Input {
  path?: Record<string, string>;
  /** `undefined` for a parameter that is not sent. */
  query?: Record<string, QueryValue>;
  /** A JSON value. */
  json?: unknown;
  /** Members of a form. */
  form?: Record<string, string | undefined>;
  /** A body that is declared as JSON, and sent as it is. */
  text?: string;
  /** With no body: zero bytes, declared as JSON. */
  emptyJson?: boolean;
}

/**
 * What a request is meant to be; it decides how a refusal and a status 500 are judged.
 * - `valid`: well-formed, names what exists, in a state in which it succeeds
 * - `refusable`: well-formed, but the documents leave it open, or a state or rule forbids it
 * - `unusual`: well-formed, with a value of which the documents say nothing: it may be refused, never by status 500
 * - `unknown`: well-formed, names what does not exist; `foreign`: what is out of the credentials' reach
 * - `malformed`: lacks what is required, or is outside of a type, limit or list
 * - `unauthorised`: without good credentials
 */
export type Intent = 'valid' | 'refusable' | 'unusual' | 'unknown' | 'foreign' | 'malformed' | 'unauthorised';

/** A request and the answer to it. */
export interface Answer {
  /** Id of the exchange in exchanges.ndjson. */
  exchange: string;
  operation: Operation;
  input: Input;
  intent: Intent;
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | string[]>;
  /** After decoding of Content-Encoding; zero bytes for no body. */
  bytes: Buffer;
  /** The body read as JSON; undefined for zero bytes. */
  json: JsonRead | JsonRefused | undefined;
  /** Milliseconds since the epoch when the request was sent, by the local clock. */
  sentAt: number;
  /** Id in changes.ndjson, of a request that may change the target. */
  change: string | undefined;
}

/** Whether the status is one of success (RFC 9110 section 15.3). */
export const succeeded = (answer: Answer): boolean => answer.status >= 200 && answer.status < 300;

/** Whether the target declines: a redirection, to a login say, does so, too. */
export const declined = ({ status }: Answer): boolean => status >= 300 && status < 500;

/** Whether a refusal says that the target, or what is asked for, is busy: it says nothing of the request (readings 7 and 51). */
export const isBusy = (answer: Answer): boolean =>
  [409, 429].includes(answer.status) ||
  ([403, 503].includes(answer.status) && header(answer, 'retry-after') !== undefined);

/** The body as a JSON value, integers beyond 2^53 as bigint; undefined where there is none or it is not JSON. */
export const bodyOf = (answer: Answer): unknown => (answer.json?.ok ? answer.json.value : undefined);

/** A member of the body, undefined where the body is not an object or has none of that name. */
export function member(answer: Answer, name: string): unknown {
  return memberOf(bodyOf(answer), name);
}

/** An own member of a JSON value, undefined where it is not an object or has none of that name. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether a JSON value is an object: neither null nor an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of the listing that an answer holds under `results` or `items`; absent reads as empty. */
export function entries(answer: Answer): Record<string, unknown>[] {
  const list = member(answer, answer.operation.interface === 'v1' ? 'items' : 'results');
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** One header, its values joined by a comma; undefined where there is none. @param name in lower case */
export function header(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** An answer in a few words: for messages. */
export function describe(answer: Answer): string {
  const { json, bytes } = answer;
  const kind = !json ? 'no body' : json.ok ? 'a JSON body' : `a body that is ${json.reason}`;
  return `status ${answer.status} with ${kind} (${bytes.length} bytes)`;
}
