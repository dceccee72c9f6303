/** Requests and their answers as checks and rules see them: unredacted, and never written to disk. */
import type { Operation } from '../contracts/operation.ts';
import type { JsonRead, JsonRefused } from './json.ts';

/** The value of a query parameter; several give it several times, undefined leaves it out. */
export type QueryValue = string | number | bigint | boolean | readonly string[] | undefined;

/** The content of a request. Every value is sent as given, including wrong ones. */
export interface Input {
  path?: Record<string, string>;
  query?: Record<string, QueryValue>;
  json?: unknown;
  form?: Record<string, string | undefined>;
  /** A body that is declared as JSON and sent verbatim. */
  text?: string;
  /** Without a body: sends zero bytes, declared as JSON. */
  emptyJson?: boolean;
}

/**
 * What a request is meant to be, which decides how a refusal and a status 500 are judged.
 * - `valid`: well-formed, refers to existing things, in a state in which it succeeds
 * - `refusable`: well-formed, but left open by the documents, or forbidden by a state or rule
 * - `unusual`: well-formed, with a value on which the documents are silent: it may be refused, but never with status
 * 500
 * - `unknown`: well-formed, refers to something that does not exist; `foreign`: to something outside the credentials'
 * reach
 * - `malformed`: lacks something required, or breaks a type, limit or list of values
 * - `unauthorised`: without valid credentials
 */
export const INTENTS = ['valid', 'refusable', 'unusual', 'unknown', 'foreign', 'malformed', 'unauthorised'] as const;
export type Intent = (typeof INTENTS)[number];

/** Whether a request must be refused, whatever the target is like: it may be sent any number of times. */
export const mustBeRefused = (intent: Intent): boolean =>
  ['unknown', 'foreign', 'malformed', 'unauthorised'].includes(intent);

/** Whether a request has a bad credential: one that grants nothing, or asks for one with what is wrong. */
export const hasBadCredential = ({ operation, intent }: Pick<Answer, 'operation' | 'intent'>): boolean =>
  intent === 'unauthorised' || (operation.authorisation === 'none' && mustBeRefused(intent));

/** What is wrong with a request that must be refused: with its credential, what it names, or its body. */
export interface Wrong {
  /** In words that complete a sentence: `a token that is empty`, `an identifier continued by a digit`. */
  what: string;
  /** A firewall may refuse it, with 403, before the operation sees it. */
  isFiltered?: boolean | undefined;
  /** Its token is older than an hour. */
  hasExpired?: boolean | undefined;
}

/** Parts of an exchange that are not known, since a recording has not got them, or there was no room for them. */
export interface LeftOut {
  /** The body of the request. */
  request: boolean;
  /** Values of the request. */
  values?: boolean;
  /** All headers of the answer. */
  headers: boolean;
  /** The body of the answer, or part of it. */
  body: boolean;
}

export interface Answer {
  /** Id of the exchange in exchanges.ndjson. */
  exchange: string;
  operation: Operation;
  input: Input;
  intent: Intent;
  /** Absent where nothing is, or the intent alone tells it. */
  wrong?: Wrong | undefined;
  /** 0 where no answer tells whether the request was carried out: monitors alone meet such a one. */
  status: number;
  /** Keyed by lower-case name. */
  headers: Record<string, string | string[]>;
  /** After Content-Encoding is decoded; zero bytes for no body. */
  bytes: Buffer;
  /** The body parsed as JSON; undefined for zero bytes. */
  json: JsonRead | JsonRefused | undefined;
  /** What is not known of it: that it is absent here shows nothing. Undefined where all is known. */
  leftOut?: LeftOut | undefined;
  /** When the request was sent, by the local clock: milliseconds since the epoch, with fractions. */
  sentAt: number;
  answeredAt: number;
  sessionId?: string | undefined;
  /** The access token that it was sent with. */
  token?: string | undefined;
  /** Whether it was sent again after an answer that was lost or 503: what it asks for may have happened the first time. */
  isRepetition?: boolean | undefined;
  /** The id in changes.ndjson, for a request that may change the target. */
  change: string | undefined;
}

/** Whether there is an answer, and it accepts the request. */
export const succeeded = (answer: Pick<Answer, 'status'> | undefined): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300;

/** Whether the target declines the request. A redirect, for instance to a login page, counts. */
export const declined = ({ status }: Answer): boolean => status >= 300 && status < 500;

/** Whether the status says that the credential is why. */
export const isOfCredential = ({ status }: Pick<Answer, 'status'>): boolean => [401, 403].includes(status);

/** Whether a refusal shows that the target, or the thing asked for, is busy, and nothing else (readings 7 and 51). */
export const isBusy = (answer: Answer): boolean => answer.status === 409 || isThrottling(answer);

/** Whether an answer asks to come back later (reading 51): 429, or 403 or 503 with Retry-After. */
export const isThrottling = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean =>
  status === 429 || ([403, 503].includes(status) && headers['retry-after'] !== undefined);

/** The time, in milliseconds since the epoch, as answers have it. */
export const now = (): number => performance.timeOrigin + performance.now();

/** The body as a JSON value, with integers beyond 2^53 as bigint; undefined if there is none or it is not JSON. */
export const bodyOf = (answer: Answer): unknown => (answer.json?.ok ? answer.json.value : undefined);

/** A member of the body; undefined if the body is not an object or lacks the member. */
export function member(answer: Answer, name: string): unknown {
  return memberOf(bodyOf(answer), name);
}

/** The identifiers of what a request is about: that of its path, and the card that money goes to. */
export const identifiersIn = ({ path, json }: Input): string[] =>
  [path?.identifier, memberOf(json, 'targetCardIdentifier')].filter((one) => typeof one === 'string');

/** An own member of a JSON value; undefined if the value is not an object or lacks the member. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects in an answer's listing (`results` or `items`); a missing listing reads as empty. */
export function entries(answer: Answer): Record<string, unknown>[] {
  const list = member(answer, answer.operation.interface === 'v1' ? 'items' : 'results');
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** One header, with several values joined by commas; undefined if absent. @param name in lower case */
export function header(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The access token in an Authorization header (RFC 6750 section 2.1); undefined if it holds none. */
export const tokenIn = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];

/** An answer in a few words, for messages. */
export function describe(answer: Answer): string {
  const { json, bytes } = answer;
  const kind = !json ? 'no body' : json.ok ? 'a JSON body' : `a body that is ${json.reason}`;
  return `status ${answer.status} with ${kind} (${bytes.length} bytes)`;
}

/** Members of a JSON value at any depth, each with the name `of` the object around it; items of a list bear the list's name. */
export function* allMembers(
  value: unknown,
  name?: string,
  of?: string,
): Generator<{ name: string; of?: string; value: unknown }> {
  if (name !== undefined) yield { name, value, ...(of === undefined ? {} : { of }) };
  if (Array.isArray(value)) for (const item of value) yield* allMembers(item, name, of);
  else if (isObject(value)) for (const [inner, part] of Object.entries(value)) yield* allMembers(part, inner, name);
}

/** The shape of a JSON value: names and types of members, and the first item of each list; no values. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0])}]`;
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${name}: ${shapeOf(value[name])}`);
  return `{${members.join(', ')}}`;
}

/** A value as JSON, cut to so many characters; "absent" for undefined. */
export function shown(value: unknown, characters = 60): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > characters ? `${text.slice(0, characters)}...` : text;
}
