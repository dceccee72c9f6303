/** Bodies of success: present or absent as documented, JSON, and of the documented shape (readings 3 to 5). */
import { z } from 'zod';
import type { Operation } from '../../contracts/operation.ts';
import { entriesMember } from '../../contracts/requirements/every-operation.ts';
import { type Answer, header, isObject, memberOf, succeeded } from '../answer.ts';
import type { ExchangeRule } from '../evidence/ledger.ts';
import { withoutNulls } from './nulls.ts';
import { lacksOffset, schemaError } from './schemas.ts';
import { membersOf, pointerTo, remembered, type Visit, walk } from './walk.ts';

/**
 * Rules for the success body of an operation. What a target that takes malformed requests answers them with is not judged:
 * it may give back what it was given.
 */
export function shapeRules(operation: Operation): ExchangeRule[] {
  const body = operation.success?.body;
  if (!body) return [];
  const rule = (name: string, judge: ExchangeRule['judge']): ExchangeRule => ({
    requirement: `${operation.id}.${name}`,
    operation: operation.id,
    judge: (answer, fixtures) => (succeeded(answer) ? judge(answer, fixtures) : undefined),
  });
  if (body === 'none') return [rule('shape', noBody)];
  const rules = [
    rule('shape', (answer) => shape(answer, body)),
    rule('media-type', mediaType),
    rule('byte-order-mark', byteOrderMark),
  ];
  if (body === 'not shown') return rules;
  const advise = (name: string, look: Visit) =>
    rule(name, (answer) => {
      if (!answer.json?.ok) return undefined;
      const message = adviceOn(answer, body, answer.json.value).get(look);
      return message ? { message } : 'kept';
    });
  const entriesAt = entriesMember(operation);
  return [
    ...rules,
    advise('null-members', nullMember),
    advise('member-names', nearlyDocumented),
    advise('time-offsets', missingOffset),
    ...(entriesAt ? [rule('entries-present', (answer) => entriesPresent(answer, entriesAt))] : []),
  ];
}

function noBody(answer: Answer) {
  if (answer.bytes.length === 0) return 'kept';
  return {
    message: `a body of ${answer.bytes.length} bytes comes where none is documented`,
    difference: { expected: 'no body', actual: `${answer.bytes.length} bytes` },
  };
}

function shape(answer: Answer, body: z.ZodType | 'not shown') {
  const { json } = answer;
  if (!json) return { message: 'the body is empty', difference: { expected: 'a JSON body', actual: 'no body' } };
  if (!json.ok)
    return { message: `the body is ${json.reason}`, difference: { expected: 'JSON in UTF-8', actual: json.reason } };
  if (body === 'not shown') return 'kept';
  const error = schemaError(body, answer.bytes.includes('null') ? withoutNulls(body, json.plain) : json.plain);
  if (!error) return 'kept';
  // What was sent with a wrong type on purpose may be echoed: that it is accepted at all is another requirement.
  if (answer.intent === 'malformed') return undefined;
  const pointer = error.instancePath || '/';
  return {
    message: `the body at ${pointer} ${error.message}`,
    difference: { expected: `${pointer} ${error.message}`, actual: shown(at(json.plain, error.instancePath)), pointer },
  };
}

function mediaType(answer: Answer) {
  if (!answer.json?.ok) return undefined;
  const declared = header(answer, 'content-type') ?? 'none';
  const type = declared.split(';')[0]!.trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json')) return 'kept';
  return {
    message: `a JSON body is declared as ${declared}`,
    difference: { expected: 'application/json', actual: declared },
  };
}

function byteOrderMark(answer: Answer) {
  if (!answer.json?.ok) return undefined;
  return answer.json.byteOrderMark
    ? { message: 'the body begins with a byte order mark (RFC 8259 section 8.1)' }
    : 'kept';
}

function entriesPresent(answer: Answer, name: string) {
  if (!answer.json?.ok || !isObject(answer.json.value)) return undefined;
  if (Array.isArray(memberOf(answer.json.value, name))) return 'kept';
  return { message: `the member ${name} is absent`, difference: { expected: `an array ${name}`, actual: 'absent' } };
}

/** What there is to advise on a body, found in one walk for all rules. */
function adviceOn(answer: Answer, body: z.ZodType, value: unknown): Map<Visit, string> {
  const advice = advised.get(answer) ?? walk(body, value, [nullMember, nearlyDocumented, missingOffset]);
  advised.set(answer, advice);
  return advice;
}

const advised = new WeakMap<Answer, Map<Visit, string>>();

const nullMember: Visit = (value, schema, place) =>
  isObject(value) && schema instanceof z.ZodObject
    ? membersOf(schema)
        .filter(([name, of]) => value[name] === null && of instanceof z.ZodOptional && !allowsNull(of))
        .map(([name]) => `the optional member ${pointerTo(place)}/${name} is null instead of absent`)[0]
    : undefined;

const allowsNull = (schema: z.ZodType) => schema.safeParse(null).success;

const nearlyDocumented: Visit = (value, schema, place) => {
  if (!isObject(value) || !(schema instanceof z.ZodObject)) return undefined;
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(schema.shape, name))
    .map((name) => [name, plainNames(schema).get(plainName(name))])
    .filter(([, documented]) => documented !== undefined)
    .map(([name, documented]) => `the member ${pointerTo(place)}/${name} is documented as ${documented}`)[0];
};

/** A name without case and separators. */
const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The documented names of an object, by what they are without case and separators. */
const plainNames = remembered(
  (schema: z.ZodObject) => new Map(membersOf(schema).map(([name]) => [plainName(name), name])),
);

const missingOffset: Visit = (value, schema, place) =>
  typeof value === 'string' && isDateTime(schema) && lacksOffset(value)
    ? `the date-time ${pointerTo(place)} has no offset`
    : undefined;

const isDateTime: (schema: z.ZodType) => boolean = remembered((schema) =>
  schema instanceof z.ZodUnion
    ? schema.options.some((option) => isDateTime(option as z.ZodType))
    : schema.meta()?.format === 'date-time',
);

/** The part of a value that a JSON Pointer names. */
function at(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      return Array.isArray(part) ? part[Number(name)] : memberOf(part, name);
    }, value);
}

/** A value as evidence: JSON text, cut. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
