/** Refusals that give away what they refuse: a guard that says no, and lets the operation answer. */
import { type Answer, bodyOf, isObject, memberOf } from '../../helpers/answer.ts';
import { outlineOf } from '../../helpers/contract-rules/outline.ts';
import { expectRefused } from '../../helpers/expect.ts';
import { fail } from '../../helpers/verdict.ts';
import { identifiersOf } from './identifiers.ts';

/** Members that the body of a refusal may well have for reasons of its own: what was asked for, the status of the answer, a trace. */
const AMBIGUOUS = ['identifier', 'status', 'token', 'correlationId', 'continuationToken', 'results'];
/** Documented members that are enough to recognise a thing by, where it has as many. */
const TELLING = 3;
/** What a member holds that nobody set. */
const UNSET: readonly unknown[] = [undefined, null, '', 0, false];

/** @throws Nonconformance when the request is accepted, or its refusal carries what was asked for, of an operation that reads */
export function expectNothingGiven(answer: Answer, what: string): Answer {
  expectRefused(answer, what);
  const given = disclosed(answer);
  if (given.length === 0) return answer;
  return fail(`${what} is refused with status ${answer.status}, and given what it asks for`, {
    expected: 'nothing of it',
    actual: given.join(', '),
    in: answer,
  });
}

/** What of the success body of an operation a refusal has: members of a thing, or the entries of a listing. */
function disclosed(answer: Answer): string[] {
  const shape = answer.operation.success?.body;
  if (answer.operation.risk !== 'safe' || typeof shape !== 'object') return [];
  const telling = [...(outlineOf(shape).members?.keys() ?? [])].filter((name) => !AMBIGUOUS.includes(name));
  for (const object of objectsIn(bodyOf(answer))) {
    const { results } = object;
    if (Array.isArray(results) && identifiersOf(results.filter(isObject)).length > 0) return ['results'];
    const given = telling.filter((name) => !UNSET.includes(memberOf(object, name)));
    if (given.length > 0 && given.length >= Math.min(TELLING, telling.length)) return given;
  }
  return [];
}

/** A JSON value and all that is in it, as far as they are objects: an error may hold what it is about. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isObject(value) ? [value] : []), ...Object.values(value).flatMap(objectsIn)];
}
