/** Refusals that disclose the data they deny: the status says no, but the operation has answered. */
import { type Answer, bodyOf, isObject, memberOf } from '../../helpers/answer.ts';
import { outlineOf } from '../../helpers/contract-rules/outline.ts';
import { expectRefused } from '../../helpers/expect.ts';
import { fail } from '../../helpers/verdict.ts';
import { identifiersOf } from './identifiers.ts';

/** Members that a refusal may carry for reasons of its own: the identifier asked for, the status of the answer, a trace. */
const AMBIGUOUS = ['identifier', 'status', 'token', 'correlationId', 'continuationToken', 'results'];
/** Number of documented members that identify a thing, if it has that many. */
const ENOUGH = 3;
/** Values of a member that nobody has set. */
const UNSET: readonly unknown[] = [undefined, null, '', 0, false];

/**
 * Expects a refusal that discloses nothing.
 * @throws Nonconformance when the request is accepted, or its refusal carries the data that a reading operation would return
 */
export function expectNothingGiven(answer: Answer, what: string): Answer {
  expectRefused(answer, what);
  const given = disclosed(answer);
  if (given.length === 0) return answer;
  return fail(`${what} is refused with status ${answer.status}, but the refusal discloses what was asked for`, {
    expected: 'none of its members',
    actual: given.join(', '),
    in: answer,
  });
}

/** Names of the members of the success body that a refusal contains: those of a single thing, or `results` for the entries of a listing. */
function disclosed(answer: Answer): string[] {
  const shape = answer.operation.success?.body;
  if (answer.operation.risk !== 'safe' || typeof shape !== 'object') return [];
  const distinctive = [...(outlineOf(shape).members?.keys() ?? [])].filter((name) => !AMBIGUOUS.includes(name));
  for (const object of objectsIn(bodyOf(answer))) {
    const { results } = object;
    if (Array.isArray(results) && identifiersOf(results.filter(isObject)).length > 0) return ['results'];
    const given = distinctive.filter((name) => !UNSET.includes(memberOf(object, name)));
    if (given.length > 0 && given.length >= Math.min(ENOUGH, distinctive.length)) return given;
  }
  return [];
}

/** All objects in a JSON value, itself included: an error may nest the data it is about. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isObject(value) ? [value] : []), ...Object.values(value).flatMap(objectsIn)];
}
