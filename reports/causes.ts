/** Groups failures into findings: one per cause, however many requests and requirements it affects. */
import { createHash } from 'node:crypto';
import type { CheckResult, Conformance, Difference, Exchange, RequirementResult } from '../contracts/record.ts';
import type { Group } from '../contracts/requirements/requirement.ts';
import { decidingAct, decidingExchange } from './deciding.ts';
import { attributeHidden } from './hidden.ts';
import { filtersIn, isImpliedBy, join, namedFirst, restsOf, withoutConsequences } from './one-cause.ts';
import { groupOf, operationOf } from './page/groups.ts';
import { refusalOf, wrongRefusalOf } from './refusal.ts';
import { saidOf } from './said.ts';
import { LONGEST, withoutVolatile } from './symptom.ts';
import { count } from './text.ts';
import { isKnownFailure } from './verdicts.ts';

/** A cause that makes requirements fail in the same way. */
export interface Cause {
  /** The message of its first check. */
  message: string;
  difference: Difference | undefined;
  /** The requirements that fail because of it, in the order of the catalogue; never empty. */
  requirements: RequirementResult[];
  /** The ids of the exchanges that show it. */
  exchanges: string[];
  /** Messages of other failures of the same requirements. */
  further: string[];
  /** The exchange that shows the first requirement's failure, and the earlier request whose effect it shows. */
  deciding: Exchange | undefined;
  act: Exchange | undefined;
  /** What the target said when it refused a request that nothing was wrong with. */
  said: string | undefined;
  /** What is wrong with the body that it rests on, where that is the matter of another requirement. */
  rests: Rests | undefined;
  /** Requirements that could not be judged because of it. */
  unseen: RequirementResult[];
}

/** What one exchange shows of another requirement, by which a check could not but fail. */
export interface Rests {
  id: string;
  message: string;
}

/** The kinds of failures that reports distinguish. */
export interface Findings {
  /** Failures of musts in scope that make the run fail. */
  failures: Cause[];
  /** Failures of musts in scope that the list of known failures explains. */
  known: RequirementResult[];
  /** Musts in scope whose known failure passes now, or has expired. */
  outdated: RequirementResult[];
  /** Failures of shoulds in scope. */
  advice: Cause[];
}

type Evidence = ReadonlyMap<string, Exchange>;

/** A failed check, or a requirement that failed without checks. */
type Failure = Pick<CheckResult, 'message' | 'difference' | 'exchanges' | 'shownBy' | 'retrial' | 'further'>;

/** The findings of a run: first those that explain the most, then the worst: other people's data and money before shapes. */
export function findings(
  { requirements, run }: Pick<Conformance, 'requirements' | 'run'>,
  evidence: Evidence = new Map(),
): Findings {
  const absent = run.absent ?? [];
  const inScope = requirements.filter((requirement) => requirement.inScope);
  const musts = inScope.filter((requirement) => requirement.level === 'must');
  const failed = (requirement: RequirementResult) => requirement.verdict === 'failed' && !isKnownFailure(requirement);
  const byWeight = (list: Cause[]) => list.toSorted((a, b) => weight(a) - weight(b));
  const unordered = byWeight(causes(musts.filter(failed), absent, evidence));
  attributeHidden(unordered, inScope, evidence, run.options);
  const failures = unordered.toSorted((a, b) => explaining(b) - explaining(a));
  return {
    failures,
    known: musts.filter(isKnownFailure),
    outdated: musts.filter(({ known }) => known !== null && known.state !== 'known'),
    advice: byWeight(
      causes(
        inScope.filter(
          (requirement) => requirement.level === 'should' && failed(requirement) && !absentOf(requirement, absent),
        ),
        [],
        evidence,
      ),
    ),
  };
}

/** Ranks failures by subject, worst first. */
const WEIGHTS: readonly (readonly [RegExp, Group | undefined])[] = [
  [/foreign|\.identifier$|another/, undefined],
  [/./, 'authorisation'],
  [/^cards\.(?:transfer|getBalance)\.(?!shape|status|media-type)|orderCards\..*(?:load|duplicate|unique)/, undefined],
  [/./, 'effects'],
  [/./, 'states'],
  [/./, 'limits'],
  [/./, 'parameters'],
  [/./, 'errors'],
];

/** How many requirements a cause explains, those that could not be judged included: its repair shows what is left. */
const explaining = ({ requirements, unseen }: Cause): number => requirements.length + unseen.length;

const weight = ({ requirements }: Cause): number => Math.min(...requirements.map(weightOf));

function weightOf(requirement: RequirementResult): number {
  const group = groupOf(requirement);
  const rank = WEIGHTS.findIndex(([ids, of]) => ids.test(requirement.id) && (of === undefined || of === group));
  return rank < 0 ? WEIGHTS.length : rank;
}

type Absent = NonNullable<Conformance['run']['absent']>;

/** The absent operation that a requirement judges. */
const absentOf = ({ id }: RequirementResult, absent: Absent) =>
  absent.find(({ operation }) => id.startsWith(`${operation}.`));

/**
 * Groups failed checks by cause: an absent operation counts once; so does a request whose refusal or answer breaks
 * several statements; otherwise the same statement, broken in the same way, for any number of operations.
 */
export function causes(
  requirements: readonly RequirementResult[],
  absent: Absent = [],
  evidence: Evidence = new Map(),
): Cause[] {
  const failures = requirements.flatMap((requirement) =>
    failedChecks(requirement).map((check) => ({
      requirement,
      check,
      deciding: decidingExchange(requirement, check, evidence),
    })),
  );
  const implying = new Map(failures.map((one) => [one, failures.find((other) => isImpliedBy(one, other))]));
  const ordered = namedFirst(failures, evidence).toSorted(
    (a, b) => Number(implying.get(a) !== undefined) - Number(implying.get(b) !== undefined),
  );
  const groups = Map.groupBy(ordered, (failure) => {
    const missing = absentOf(failure.requirement, absent);
    if (missing) return missing;
    const { requirement, check, deciding } = implying.get(failure) ?? failure;
    return mechanismOf(requirement, deciding) ?? `${statementOf(requirement)}\n${symptom(check)}`;
  });
  const byKey = new Map<string, Cause>();
  const found: Cause[] = [];
  for (const [key, group] of groups) {
    const { requirement, check, deciding } = group[0]!;
    const cause: Cause = {
      ...(typeof key === 'string' ? { message: check.message, difference: check.difference } : notThere(key)),
      further: group.flatMap(({ check }) => furtherIn(check)),
      requirements: ownFirst([...new Set(group.map(({ requirement }) => requirement))]),
      exchanges: [...new Set(group.flatMap(({ check }) => check.exchanges))],
      deciding,
      act: deciding && decidingAct(requirement, check, deciding, evidence),
      said: saidOf(requirement, check, deciding, evidence),
      rests: restsOf(requirement, deciding),
      unseen: [],
    };
    const keys = typeof key === 'string' ? keysOf(cause, requirements) : [];
    const same = keys.map((one) => byKey.get(one)).find((one) => one !== undefined);
    if (same) join(same, cause);
    else found.push(cause);
    for (const one of keys) if (!byKey.has(one)) byKey.set(one, same ?? cause);
  }
  return withoutConsequences(found, evidence);
}

/** Statements that rest on the same mechanism as others, which one repair keeps: an ended credential is refused everywhere or nowhere. */
const SAME_MECHANISM: Readonly<Record<string, string>> = {
  'ends-after-60-minutes': 'requires-live-token',
  'usable-until-expiry': 'lives-60-minutes',
  'ends-session': 'requires-session',
};

/** Requirements of one mechanism; where a single operation shows that it fails, that of this operation before what rests on it. */
function ownFirst(requirements: RequirementResult[]): RequirementResult[] {
  const own = requirements.filter((one) => !Object.hasOwn(SAME_MECHANISM, statementOf(one)));
  return own.length === 1 ? [...own, ...requirements.filter((one) => one !== own[0])] : requirements;
}

/** A requirement's id without its operation. */
const statementOf = ({ id }: RequirementResult): string => id.split('.').slice(2).join('.');

/**
 * The mechanism by which a target refuses whoever may not call: however its failure shows, and wherever, it has one cause, save that who is
 * let in and who is refused in a wrong way are two matters.
 */
function mechanismOf(requirement: RequirementResult, deciding: Exchange | undefined): string | undefined {
  const statement = statementOf(requirement);
  const mechanism = SAME_MECHANISM[statement] ?? (groupOf(requirement) === 'authorisation' ? statement : undefined);
  const isRefused = deciding?.operation === operationOf(requirement) && (deciding.response?.status ?? 0) >= 400;
  return mechanism && `${mechanism}${isRefused ? ', refused' : ''}`;
}

/**
 * Keys that identify causes as one: a requirement, a valid request that is refused, the same difference that the same exchange shows, a body
 * that lacks what is looked for, a wrong refusal in the same words, a search by several filters, or an unreadable body.
 */
function keysOf(
  { requirements, deciding, difference, rests, message }: Cause,
  failed: readonly RequirementResult[],
): string[] {
  const keys = requirements.map(({ id }) => id);
  if (rests) keys.push(rests.id);
  if (!deciding) return keys;
  const shows = difference ? [difference.expected, difference.actual] : [operationOf(requirements[0]!)];
  keys.push(JSON.stringify([deciding.id, ...shows]));
  keys.push(...[refusalOf(deciding), wrongRefusalOf(deciding, difference)].filter((key) => key !== undefined));
  const filters = filtersIn(deciding);
  if (filters.length > 1) keys.push(JSON.stringify([deciding.operation, withoutNames(message, filters)]));
  const shown = deciding.findings?.filter(({ requirement }) => failed.some(({ id }) => id === requirement)) ?? [];
  const unreadable = shown.find(
    ({ requirement, difference }) =>
      requirement.endsWith('.shape') && (rests || difference?.pointer === undefined || difference.pointer === '/'),
  );
  if (unreadable) keys.push(unreadable.requirement);
  const unfiltered = shown.find(({ requirement }) => requirement.endsWith('.filtered-members'));
  if (unfiltered && requirements.some(({ id }) => id.includes('.filter-'))) keys.push(unfiltered.requirement);
  return keys;
}

/** The message with the names of filters left out: a search that goes wrong by several does so whichever they are. */
const withoutNames = (message: string, names: readonly string[]): string =>
  names.reduce((text, name) => text.replaceAll(name, 'filter'), message);

/** What else a check found, in words. */
const furtherIn = ({ further = [] }: Pick<CheckResult, 'further'>): string[] =>
  further.map(({ message, difference, times, example }) => {
    const { pointer, expected, actual } = difference ?? {};
    const what = pointer ? `${pointer}: expected ${expected}, actual ${actual}` : message;
    return `${what} (${count(times, 'exchange')}, such as ${example})`;
  });

const notThere = ({ operation, status }: Absent[number]) => ({
  message: `${operation} answers ${status} to everything. If it is not implemented, exclude it with TARGET_OPERATIONS=-${operation}`,
  difference: { expected: 'an answer of the operation', actual: `status ${status} to every request` },
});

/**
 * Identifies a failure across runs: the same for a requirement that fails in the same way, whatever identifiers, times
 * and amounts are involved. 12 hexadecimal digits.
 */
export function fingerprint(
  requirement: Pick<RequirementResult, 'id'>,
  check: Pick<CheckResult, 'message' | 'difference'>,
): string {
  const text = `${requirement.id}\n${symptom(check)}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The fingerprints of all failures of a requirement, sorted. */
export function fingerprints(requirement: RequirementResult): string[] {
  const failed = failedChecks(requirement).flatMap(({ further = [], ...check }) => [check, ...further]);
  return [...new Set(failed.map((check) => fingerprint(requirement, check)))].sort();
}

/** The failed checks; if a requirement failed without any, its reason. */
export function failedChecks({ verdict, reason, checks }: RequirementResult): Failure[] {
  const failed = checks.filter((check) => check.verdict === 'failed');
  return failed.length === 0 && verdict === 'failed' ? [{ message: reason, exchanges: [] }] : failed;
}

/** The failure without parts that differ between requests or operations. */
function symptom({ message, difference }: Pick<CheckResult, 'message' | 'difference'>): string {
  const { expected = '', actual = '', pointer = '' } = difference ?? {};
  const text = message.replace(HOW_OFTEN, '').replace(OPERATION, 'operation');
  return [text, expected, kind(actual, pointer), pointer].map(withoutVolatile).join('\n');
}

/** The type of a JSON text, since its values differ between runs; other text is truncated. */
function kind(actual: string, pointer: string): string {
  if (actual.length > LONGEST) return actual.slice(0, 100);
  try {
    const value: unknown = JSON.parse(actual);
    const status = pointer === '' && Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600;
    if (status) return `status ${value}`;
    if (value === null || typeof value === 'boolean') return String(value);
    return Array.isArray(value) ? 'array' : typeof value;
  } catch {
    return actual.slice(0, 100);
  }
}

/** The number of exchanges differs between runs. */
const HOW_OFTEN = / \(in \d+ exchanges\)$/;

/** The operation in the message may differ between runs, too; the requirement determines which one it concerns. */
const OPERATION = /\b(?:token|users|cards|cardholders|portal)\.[a-zA-Z]+/g;
