/** Refusals that disclose the data they deny: the status says no, but the operation has answered. */
import { writeJson } from '../../files/json.ts';
import { type Answer, bodyOf, isObject, member, memberOf, succeeded } from '../answer.ts';
import { identifiersOf } from '../cards/discovery.ts';
import { outlineOf } from '../contract-rules/outline.ts';
import { expectRefused } from '../expect.ts';
import { fail } from '../verdict.ts';

/** Members that a refusal may carry for reasons of its own: the identifier asked for, the status of the answer, a trace. */
const AMBIGUOUS = ['identifier', 'status', 'token', 'correlationId', 'continuationToken', 'results'];
/** Number of documented members that identify a thing, if it has that many. */
const ENOUGH = 3;
/** Values of a member that nobody has set, beside an empty list. */
const UNSET: readonly unknown[] = [undefined, null, '', 0, false];
const isUnset = (value: unknown): boolean => UNSET.includes(value) || (Array.isArray(value) && value.length === 0);

/**
 * Expects a refusal that discloses nothing.
 * @param good the answer to the same request with a good credential, where its entries are texts that a refusal may show
 * @throws Nonconformance when the request is accepted, or its refusal carries the data that a reading operation would return
 */
export function expectNothingGiven(answer: Answer, what: string, good?: Answer): Answer {
  expectRefused(answer, what);
  const given = [...disclosed(answer), ...(good && succeeded(good) ? shownItems(answer, good) : [])];
  if (given.length === 0) return answer;
  return fail(
    `${what} is refused with status ${answer.status}, but the refusal discloses what was asked for`,
    'none of its members',
    given.join(', '),
    { in: answer },
  );
}

/** Names of the members of the success body that a refusal contains: those of a single thing, or `results` for the entries of a listing. */
function disclosed(answer: Answer): string[] {
  const shape = answer.operation.success?.body;
  if (answer.operation.risk !== 'safe' || typeof shape !== 'object') return [];
  const distinctive = [...(outlineOf(shape).members?.keys() ?? [])].filter((name) => !AMBIGUOUS.includes(name));
  for (const object of objectsIn(bodyOf(answer))) {
    const { results } = object;
    if (Array.isArray(results) && identifiersOf(results.filter(isObject)).length > 0) return ['results'];
    const given = distinctive.filter((name) => !isUnset(memberOf(object, name)));
    if (given.length > 0 && given.length >= Math.min(ENOUGH, distinctive.length)) return given;
  }
  return [];
}

/** All objects in a JSON value, itself included: an error may nest the data it is about. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isObject(value) ? [value] : []), ...Object.values(value).flatMap(objectsIn)];
}

/** The items of a portal listing that a refusal shows, as JSON. */
function shownItems(refusal: Answer, good: Answer): string[] {
  const itemsOf = (answer: Answer) => {
    const items = member(answer, 'items');
    return Array.isArray(items) ? items.map((item) => writeJson(item)) : [];
  };
  const asked = new Set(itemsOf(good));
  return itemsOf(refusal).filter((item) => asked.has(item));
}
