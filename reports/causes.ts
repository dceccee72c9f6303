/** Findings: one for each cause of failure, however many requests and requirements it shows in. */
import { createHash } from 'node:crypto';
import type { CheckResult, Conformance, Difference, Exchange, RequirementResult } from '../contracts/record.ts';
import type { Group } from '../contracts/requirements/requirement.ts';
import { decidingAct, decidingExchange } from './deciding.ts';
import { groupOf, operationOf } from './page/groups.ts';
import { isKnownFailure } from './verdicts.ts';

/** What makes requirements fail in the same way. */
export interface Cause {
  /** Why, as the first of its checks says it. */
  message: string;
  difference: Difference | undefined;
  /** The requirements it makes fail, in the order of the catalogue; never empty. */
  requirements: RequirementResult[];
  /** The ids of the exchanges that show it. */
  exchanges: string[];
  /** What else was found of the same requirements. */
  further: string[];
  /** The exchange that decided, of the first requirement, and the request before it whose effect it shows. */
  deciding: Exchange | undefined;
  act: Exchange | undefined;
  /** Requirements that nothing could be said of because of it. */
  unseen: RequirementResult[];
}

/** The kinds of failures that a report distinguishes. */
export interface Findings {
  /** Failures of musts in scope that make the run fail. */
  failures: Cause[];
  /** Failures of musts in scope that a file of known failures explains. */
  known: RequirementResult[];
  /** Musts in scope whose known failure passes now, or is past its date. */
  outdated: RequirementResult[];
  /** Failures of shoulds in scope. */
  advice: Cause[];
}

type Evidence = ReadonlyMap<string, Exchange>;

/** Of longer texts the beginning decides, in characters. */
const LONGEST = 2000;

/** A failed check, or a requirement that failed without any. */
type Failure = Pick<CheckResult, 'message' | 'difference' | 'exchanges' | 'shownBy'>;

/** The findings of a run, worst first: other people's data and money before shapes. */
export function findings(
  { requirements, run }: Pick<Conformance, 'requirements' | 'run'>,
  evidence: Evidence = new Map(),
): Findings {
  const absent = run.absent ?? [];
  const inScope = requirements.filter((requirement) => requirement.inScope);
  const musts = inScope.filter((requirement) => requirement.level === 'must');
  const failed = (requirement: RequirementResult) => requirement.verdict === 'failed' && !isKnownFailure(requirement);
  const byWeight = (list: Cause[]) => list.toSorted((a, b) => weight(a) - weight(b));
  const failures = byWeight(causes(musts.filter(failed), absent, evidence));
  attributeUnseen(failures, inScope);
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

/** How a failure ranks by what it is about, the worst first. */
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

const weight = ({ requirements }: Cause): number => Math.min(...requirements.map(weightOf));

function weightOf(requirement: RequirementResult): number {
  const group = groupOf(requirement);
  const rank = WEIGHTS.findIndex(([ids, of]) => ids.test(requirement.id) && (of === undefined || of === group));
  return rank < 0 ? WEIGHTS.length : rank;
}

/**
 * Attributes what could not be seen to the failure that kept it from being seen: of what it looked at, most shows that failure, or
 * it needs an operation whose answers have another shape.
 */
function attributeUnseen(failures: readonly Cause[], inScope: readonly RequirementResult[]): void {
  const unseen = inScope.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'blocked');
  for (const one of unseen) {
    const looked = new Set(one.checks.flatMap(({ exchanges }) => exchanges));
    const shared = new Map(failures.map((cause) => [cause, cause.exchanges.filter((id) => looked.has(id)).length]));
    const most = Math.max(1, ...shared.values());
    const cause =
      failures.find((failure) => shared.get(failure) === most) ??
      failures.find(({ requirements }) =>
        requirements.some(
          (failed) => groupOf(failed) === 'shape' && one.operations.includes(operationOf(failed)) && looked.size > 0,
        ),
      );
    cause?.unseen.push(one);
  }
}

type Absent = NonNullable<Conformance['run']['absent']>;

/** The operation that is not there and that a requirement judges. */
const absentOf = ({ id }: RequirementResult, absent: Absent) =>
  absent.find(({ operation }) => id.startsWith(`${operation}.`));

/**
 * Groups the failed checks by what went wrong: an operation that is not there, once; a request that is refused or answered in a way
 * that breaks several statements, once; else the same statement, broken in the same way, for one or more operations.
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
  const groups = Map.groupBy(failures, ({ requirement, check }) => {
    const missing = absentOf(requirement, absent);
    if (missing) return missing;
    const statement = requirement.id.split('.').slice(2).join('.');
    return `${statement}\n${symptom(check)}`;
  });
  const byKey = new Map<string, Cause>();
  const found: Cause[] = [];
  for (const [key, group] of groups) {
    const { requirement, check, deciding } = group[0]!;
    const cause: Cause = {
      ...(typeof key === 'string' ? { message: check.message, difference: check.difference } : notThere(key)),
      further: [],
      requirements: [...new Set(group.map(({ requirement }) => requirement))],
      exchanges: [...new Set(group.flatMap(({ check }) => check.exchanges))],
      deciding,
      act: deciding && decidingAct(requirement, check, deciding, evidence),
      unseen: [],
    };
    const keys = typeof key === 'string' ? keysOf(cause, requirements) : [];
    const same = keys.map((one) => byKey.get(one)).find((one) => one !== undefined);
    if (same) join(same, cause);
    else found.push(cause);
    for (const one of keys) if (!byKey.has(one)) byKey.set(one, same ?? cause);
  }
  return found;
}

/** What makes two causes one: a requirement, a valid request that is refused, or a body of which nothing can be read. */
function keysOf({ requirements, deciding }: Cause, failed: readonly RequirementResult[]): string[] {
  const keys = requirements.map(({ id }) => id);
  const refusal = deciding && refusalOf(deciding);
  if (refusal !== undefined) keys.push(refusal);
  const unreadable = deciding?.findings?.find(
    ({ requirement, difference }) =>
      requirement.endsWith('.shape') &&
      (difference?.pointer === undefined || difference.pointer === '/') &&
      failed.some(({ id }) => id === requirement),
  );
  if (unreadable) keys.push(unreadable.requirement);
  return keys;
}

function join(cause: Cause, other: Cause): void {
  if (other.message !== cause.message) cause.further.push(other.message);
  cause.requirements = [...new Set([...cause.requirements, ...other.requirements])];
  cause.exchanges = [...new Set([...cause.exchanges, ...other.exchanges])];
}

/** What a valid request that was refused is, whatever identifiers it names: what breaks by it has one cause. */
function refusalOf({ operation, intent, request, response }: Exchange): string | undefined {
  const refused = response === null || response.status >= 300;
  if (!refused || !intent.startsWith('valid')) return undefined;
  const query = request.url.split('?', 2)[1] ?? '';
  const parameters = [...new URLSearchParams(query)].filter(([name]) => name !== 'sessionId');
  return JSON.stringify([operation, response?.status, parameters]);
}

const notThere = ({ operation, status }: Absent[number]) => ({
  message: `${operation} answers ${status} to everything. Not implemented? Then leave it out: TARGET_OPERATIONS=-${operation}`,
  difference: { expected: 'an answer of the operation', actual: `status ${status} to every request` },
});

/**
 * Identifies a failure across runs: the same for the same requirement failing in the same way,
 * whatever identifiers, times and amounts it speaks of. 12 hexadecimal digits.
 */
export function fingerprint(
  requirement: Pick<RequirementResult, 'id'>,
  check: Pick<CheckResult, 'message' | 'difference'>,
): string {
  const text = `${requirement.id}\n${symptom(check)}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The fingerprints of all that fails in a requirement, sorted. */
export function fingerprints(requirement: RequirementResult): string[] {
  return [...new Set(failedChecks(requirement).map((check) => fingerprint(requirement, check)))].sort();
}

/** The failed checks; the requirement's reason where a requirement failed without any. */
export function failedChecks({ verdict, reason, checks }: RequirementResult): Failure[] {
  const failed = checks.filter((check) => check.verdict === 'failed');
  return failed.length === 0 && verdict === 'failed' ? [{ message: reason, exchanges: [] }] : failed;
}

/** What went wrong, without what differs from request to request and from operation to operation. */
function symptom({ message, difference }: Pick<CheckResult, 'message' | 'difference'>): string {
  const { expected = '', actual = '', pointer = '' } = difference ?? {};
  const text = message.replace(HOW_OFTEN, '').replace(OPERATION, 'operation');
  return [text, expected, kind(actual, pointer), pointer].map(withoutVolatile).join('\n');
}

/** The type of a JSON text, since its values differ from run to run; other text is cut. */
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

/** How many exchanges show it differs from run to run. */
const HOW_OFTEN = / \(\d+ exchanges break it\)$/;

/** Which operation shows it may differ from run to run, too: the requirement says which one it is about. */
const OPERATION = /\b(?:token|users|cards|cardholders|portal)\.[a-zA-Z]+/g;

const STATUS_OR_WORD =
  /\b((?:status|HTTP|answer(?:s|ed)?)(?: (?:code|with|was|is))* [1-5]\d\d\b(?![.\d]))|[\w-]+(?:[.:+][\w-]+)*/gi;
const VOLATILE = /\d|^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$/;

/** A status and a body without what differs from request to request: equal for answers that say the same. */
export const symptomOf = (answer: string): string => `${answer.slice(0, 3)}${withoutVolatile(answer.slice(3))}`;

/** The text without identifiers, times and numbers, save for the statuses of answers. */
const withoutVolatile = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(STATUS_OR_WORD, (word, status: string | undefined) => (!status && VOLATILE.test(word) ? 'n' : word));
