/** Judges success bodies: present or absent as documented, JSON, and of the documented shape (readings 3 to 5). */
import type { z } from 'zod';
import type { Operation } from '../../contracts/operation.ts';
import { entriesMember } from '../../contracts/requirements/every-operation.ts';
import { type Answer, header, isObject, memberOf, succeeded } from '../answer.ts';
import { contradicts, type ExchangeRule, type Judgement } from '../evidence/ledger.ts';
import { type Advice, adviceOn } from './advice.ts';
import { type Outline, outlineOf, withoutUnset } from './outline.ts';
import { schemaError, schemaErrors, shownAt } from './schemas.ts';

/** The rules for an operation's success body. One that answers a malformed request may echo it, and is not judged. */
export function shapeRules(operation: Operation): ExchangeRule[] {
  const body = operation.success?.body;
  if (!body) return [];
  const rule = (name: string, judge: ExchangeRule['judge']): ExchangeRule => ({
    requirement: `${operation.id}.${name}`,
    operation: operation.id,
    judge: (answer, fixtures) => (succeeded(answer) ? judge(answer, fixtures) : undefined),
  });
  if (body === 'none') return [rule('shape', noBody)];
  const entriesAt = entriesMember(operation);
  const rules = [
    rule('shape', (answer) => shape(answer, body, entriesAt)),
    { ...rule('media-type', mediaType), reads: 'headers' as const },
    rule('byte-order-mark', byteOrderMark),
  ];
  if (body === 'not shown') return rules;
  const outline = outlineOf(body);
  const advise = (name: string, kind: keyof Advice) =>
    rule(name, (answer) => {
      if (!answer.json?.ok) return undefined;
      const message = advised(answer, outline, answer.json.value)[kind];
      return message ? { message } : 'kept';
    });
  return [
    ...rules,
    advise('null-members', 'nullMember'),
    advise('member-names', 'memberName'),
    advise('time-offsets', 'timeOffset'),
    ...(entriesAt ? [rule('entries-present', (answer) => entriesPresent(answer, entriesAt))] : []),
  ];
}

function noBody(answer: Answer) {
  if (answer.bytes.length === 0) return 'kept';
  return contradicts(
    `the body has ${answer.bytes.length} bytes, but none is documented`,
    'no body',
    `${answer.bytes.length} bytes`,
  );
}

function shape(answer: Answer, body: z.ZodType | 'not shown', entriesAt: string | undefined): Judgement {
  const { json } = answer;
  if (!json) return contradicts('the body is empty', 'a JSON body', 'no body');
  if (!json.ok) return contradicts(`the body is ${json.reason}`, 'JSON in UTF-8', json.reason);
  if (body === 'not shown') return 'kept';
  const mayHoldUnset = answer.bytes.includes('null') || answer.bytes.includes('""');
  const value = mayHoldUnset ? withoutUnset(outlineOf(body), json.plain) : json.plain;
  const first = schemaError(body, value);
  if (!first) return entriesAt ? entriesElsewhere(answer, body, entriesAt) : 'kept';
  // A deliberately wrong type may be echoed; whether it may be accepted at all is another requirement.
  if (answer.intent === 'malformed' && answer.input.json !== undefined) return undefined;
  return (answer.bytes.length > MOST_EXAMINED_BYTES ? [first] : schemaErrors(body, value, first)).map(
    ({ instancePath, message }) => {
      const pointer = instancePath || '/';
      return contradicts(
        `the body at ${pointer} ${message}`,
        message.replace(/^must be /, ''),
        shownAt(json.plain, instancePath),
        pointer,
      );
    },
  );
}

/** Size in bytes of a body in which every fault is looked for; in a larger one it is the first. */
const MOST_EXAMINED_BYTES = 256 * 1024;

function entriesElsewhere({ json }: Answer, body: z.ZodType, name: string) {
  const pointer = json?.ok ? misplacedEntries(outlineOf(body), name, json.plain) : undefined;
  if (pointer === undefined) return 'kept';
  return contradicts(`the entries are at ${pointer}, and ${name} is absent`, `an array ${name}`, 'entries', pointer);
}

function mediaType(answer: Answer) {
  if (!answer.json?.ok) return undefined;
  const declared = header(answer, 'content-type') ?? 'none';
  const type = declared.split(';')[0]!.trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json')) return 'kept';
  return contradicts(`a JSON body is declared as ${declared}`, 'application/json', declared);
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
  return contradicts(`the member ${name} is absent`, `an array ${name}`, 'absent');
}

/** The advice on an answer, computed once for all rules. */
function advised(answer: Answer, outline: Outline, value: unknown): Advice {
  const advice = advices.get(answer) ?? adviceOn(outline, value);
  advices.set(answer, advice);
  return advice;
}

const advices = new WeakMap<Answer, Advice>();

/** Number of documented members in one entry that cannot be there by chance. */
const CONCLUSIVE_MEMBERS = 3;

/** The JSON Pointer to entries that are not in the listing's member, but in an envelope or under another name. */
function misplacedEntries(listing: Outline, name: string, body: unknown): string | undefined {
  if (!isObject(body) || Object.hasOwn(body, name)) return undefined;
  const isEntry = entryTest(listing.members!.get(name)!.outline.items!);
  const isMisplaced = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isEntry);
  for (const [other, value] of Object.entries(body)) {
    if (isMisplaced(value)) return `/${other}`;
    if (isMisplaced(memberOf(value, name))) return `/${other}/${name}`;
  }
  return undefined;
}

/** Builds a test that recognises an entry by its type, and an object by its documented members. */
function entryTest({ members }: Outline): (value: unknown) => boolean {
  if (!members) return (value) => typeof value === 'string';
  const conclusive = Math.min(CONCLUSIVE_MEMBERS, members.size);
  return (value) => isObject(value) && Object.keys(value).filter((name) => members.has(name)).length >= conclusive;
}
