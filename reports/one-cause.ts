/** Tells causes apart from their consequences, by the exchanges that show them. */
import type { CheckResult, Exchange, RequirementResult } from '../contracts/record.ts';
import { STATE_CHANGING } from '../contracts/v3/cards.ts';
import type { Cause, Rests } from './causes.ts';
import { thingIn } from './deciding.ts';
import { isChange, isOfState, statusIn } from './hidden.ts';
import { operationOf } from './page/groups.ts';
import { isRefusedThough } from './refusal.ts';
import { inOrder } from './steps.ts';

type Evidence = ReadonlyMap<string, Exchange>;

/** Members that hold everything that a listing shows. */
const WHOLE: readonly string[] = ['', '/', '/results'];

/**
 * What is wrong with the body that shows a failure, where nothing in that body can be right: it is no body, or has no list of what is looked for.
 */
export function restsOf({ id }: Pick<RequirementResult, 'id'>, deciding: Exchange | undefined): Rests | undefined {
  const whole = deciding?.findings?.find(
    ({ requirement, difference }) =>
      requirement !== id &&
      (requirement.endsWith('.entries-present') ||
        (requirement.endsWith('.shape') && difference?.pointer !== undefined && WHOLE.includes(difference.pointer))),
  );
  return whole && { id: whole.requirement, message: whole.message };
}

/** Parameters of a listing that are no filters. */
const NO_FILTERS = ['max', 'token', 'sessionId'];

/** The filters that a request of a listing holds. */
export function filtersIn({ operation, request }: Exchange): string[] {
  if (!operation.endsWith('.list')) return [];
  const names = new URLSearchParams(request.url.split('?', 2)[1] ?? '').keys();
  return [...new Set(names)].filter((name) => !NO_FILTERS.includes(name));
}

/** The parameters of a request, each with its value. */
const parametersIn = ({ request }: Exchange): string[] =>
  (request.url.split('?', 2)[1] ?? '').split('&').filter((parameter) => !/^(?:sessionId=|$)/.test(parameter));

/** Makes one cause of two. */
export function join(cause: Cause, other: Cause): void {
  const others = other.message === cause.message ? other.further : [other.message, ...other.further];
  cause.further = [...new Set([...cause.further, ...others])];
  cause.requirements = [...new Set([...cause.requirements, ...other.requirements])];
  cause.exchanges = [...new Set([...cause.exchanges, ...other.exchanges])];
  cause.rests ??= other.rests;
}

/** The causes without those that follow from another one, which takes their requirements. */
export function withoutConsequences(causes: readonly Cause[], evidence: Evidence): Cause[] {
  const left = [...causes];
  for (const [index, one] of causes.entries()) {
    const other =
      causes.slice(0, index).find((earlier) => left.includes(earlier) && isOfAnother(one, earlier)) ??
      left.find((candidate) => candidate !== one && follows(one, candidate, evidence));
    if (!other) continue;
    join(other, one);
    left.splice(left.indexOf(one), 1);
  }
  return left;
}

/** A failed check, and the exchange that shows it. */
interface Shown {
  requirement: RequirementResult;
  deciding: Exchange | undefined;
}

/** Whether what fails at an operation cannot but fail, since something else does there. */
export const isImpliedBy = (one: Shown, other: Shown): boolean =>
  operationOf(one.requirement) === operationOf(other.requirement) && (isStatusOf(one, other) || needsNone(one, other));

/** A status of 500 that every exchange is judged by, and what was sent then. */
function isStatusOf(one: Shown, other: Shown): boolean {
  const { status = 0 } = other.deciding?.response ?? {};
  const isOfStatus = ({ requirement }: Shown) => requirement.id.endsWith('.status');
  return status >= 500 && isOfStatus(one) && !isOfStatus(other) && one.deciding?.response?.status === status;
}

/** An expired token that is accepted, where none is needed. */
function needsNone(one: Shown, { requirement, deciding }: Shown): boolean {
  if (!one.requirement.id.endsWith('.requires-live-token') || !requirement.id.endsWith('.requires-token')) return false;
  const { request, response } = deciding ?? {};
  const hasNone = request && !Object.keys(request.headers).some((name) => name.toLowerCase() === 'authorization');
  return hasNone === true && (response?.status ?? 500) < 300;
}

/** Whether one failure follows from another. */
const follows = (one: Cause, other: Cause, evidence: Evidence): boolean =>
  isPlainly(one, other) || isLeftBy(one, other, evidence) || isEffectOf(one, other);

const judged = ({ requirements }: Cause): string[] => requirements.map(operationOf);

/** A request that is refused though nothing is wrong with it, as it is with fewer of its parameters. */
function isPlainly(one: Cause, other: Cause): boolean {
  const [more, fewer] = [one, other].map(
    ({ deciding }) => deciding && isRefusedThough(deciding) && parametersIn(deciding),
  );
  if (!more || !fewer || fewer.length === 0 || fewer.length >= more.length) return false;
  const isAlike =
    one.deciding!.operation === other.deciding!.operation &&
    one.deciding!.response?.status === other.deciding!.response?.status;
  return isAlike && fewer.every((parameter) => more.includes(parameter));
}

/** A card in the wrong state, and the operation that is known to lead other cards there and was accepted for this one. */
function isLeftBy(one: Cause, other: Cause, evidence: Evidence): boolean {
  const state = foundIn(other) ?? (isOfState(other) ? other.difference!.actual : undefined);
  if (state === undefined || !isOfState(one) || one.difference!.actual !== state) return false;
  const done = acceptedFor(one, evidence).filter(
    (operation) => foundIn(other) !== undefined || STATE_CHANGING.includes(operation),
  );
  return judged(other).some((operation) => !judged(one).includes(operation) && done.includes(operation));
}

/** The operations that were accepted for the card that shows a failure, before that. */
function acceptedFor({ exchanges, deciding }: Cause, evidence: Evidence): string[] {
  const card = thingIn(deciding?.request.url ?? '');
  return exchanges
    .flatMap((id) => evidence.get(id) ?? [])
    .filter(({ request, response }) => thingIn(request.url) === card && (response?.status ?? 500) < 300)
    .map(({ operation }) => operation);
}

/** The state that a card is found in without being asked to: `Lost` in `the card, which was Active, is Lost`. */
const foundIn = ({ difference }: Pick<CheckResult, 'difference'> | Cause): string | undefined =>
  /, which was .+, is (.+)$/.exec(difference?.actual ?? '')?.[1];

/** Cards that are found in the same state after whatever was done to others. */
const isOfAnother = (one: Cause, other: Cause): boolean => {
  const state = foundIn(one);
  return state !== undefined && state === foundIn(other);
};

/** What a state is to bring about, where cards are not in it. */
const EFFECTS: Readonly<Record<string, string>> = { 'stops-payments': 'not-active', 'pays-again': 'active' };

function isEffectOf(one: Cause, other: Cause): boolean {
  return one.requirements.every(({ id }) => {
    const [state] = Object.entries(EFFECTS).filter(([effect]) => id.endsWith(`.${effect}`));
    return state !== undefined && other.requirements.some((shown) => shown.id === id.replace(...state));
  });
}

/**
 * Failures, first those of the operation by which cards come into the state that they are found in: of what many requirements show in the same way, it
 * is named.
 */
export function namedFirst<T extends { requirement: RequirementResult; check: Pick<CheckResult, 'difference'> }>(
  failures: readonly T[],
  evidence: Evidence,
): T[] {
  if (!failures.some(({ check }) => foundIn(check) !== undefined)) return [...failures];
  const leading = operationsLeading(evidence);
  const isLeading = ({ requirement, check }: T) =>
    leading.get(foundIn(check) ?? '')?.has(operationOf(requirement)) === true;
  return failures.toSorted((a, b) => Number(isLeading(b)) - Number(isLeading(a)));
}

/** By state, the operations after which a card's own record shows it. */
function operationsLeading(evidence: Evidence): Map<string, Set<string>> {
  const last = new Map<string, string>();
  const leading = new Map<string, Set<string>>();
  for (const one of inOrder([...evidence.values()])) {
    const card = thingIn(one.request.url);
    if (card === undefined) continue;
    if (isChange(one)) last.set(card, one.operation);
    const before = last.get(card);
    const state = statusIn(one);
    if (before && state) leading.set(state, (leading.get(state) ?? new Set()).add(before));
  }
  return leading;
}
