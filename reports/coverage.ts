/** What traffic that others made exercises of the documents: operations, and statements by their requirements. */
import { operations } from '../contracts/operations.ts';
import { matches } from '../contracts/pattern.ts';
import { requestExamples } from '../contracts/publish/examples.ts';
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import { documents, type Statement } from '../contracts/statements/index.ts';
import { quote } from './shell.ts';

/** What is counted, and how much of it was exercised. */
interface Share {
  exercised: number;
  all: number;
}

/** A statement that nothing exercised, with the operations that its requirements are about. */
interface Missing extends Pick<Statement, 'row' | 'text'> {
  section: string;
  operations: readonly string[];
}

export interface Coverage {
  operations: Share;
  statements: Share;
  missing: readonly Missing[];
}

/** Whether a requirement was judged by something, whatever came of it. */
const isExercised = ({ verdict }: RequirementResult): boolean =>
  verdict === 'passed' || verdict === 'failed' || verdict === 'inconclusive';

/** How much of the documents a record exercises, as far as that is in its scope. */
export function coverageOf({ requirements, run: { seen = [] } }: Conformance): Coverage {
  const inScope = requirements.filter((one) => one.inScope);
  const claimed = operations.filter(
    ({ id, listedOnly }) => !listedOnly && inScope.some((one) => one.operations.includes(id)),
  );
  const called = new Set(seen.map(({ operation }) => operation));
  const judged = documents.flatMap(({ sections }) =>
    sections.flatMap(({ heading, statements }) =>
      statements.flatMap(({ row, text, judged: patterns = [] }) => {
        const own = inScope.filter(({ id }) => patterns.some((pattern) => matches(pattern, id)));
        return own.length > 0 ? { section: heading, row, text, own } : [];
      }),
    ),
  );
  const missing = judged.filter(({ own }) => !own.some(isExercised));
  return {
    operations: { exercised: claimed.filter(({ id }) => called.has(id)).length, all: claimed.length },
    statements: { exercised: judged.length - missing.length, all: judged.length },
    missing: missing.map(({ own, ...statement }) => ({
      ...statement,
      operations: [...new Set(own.flatMap((one) => one.operations.slice(0, 1)))],
    })),
  };
}

/** The variables that hold the addresses of interfaces. */
const ADDRESS = { token: '$TARGET_AUTH_URL', v3: '$TARGET_BASE_URL', v1: '$TARGET_PORTAL_URL' } as const;
/** The credential of a request, as the shell of its reader holds it. */
const CREDENTIAL = { none: '', bearer: ' -H "Authorization: Bearer $TOKEN"', session: '' } as const;

/** A right request of an operation as a curl command, with what the reader's target needs to be put in. */
export function rightRequest(id: string): string {
  const one = operations.find((operation) => operation.id === id)!;
  const { parameters = {}, body } = requestExamples()[id] ?? {};
  const path = one.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parameters[name] ?? name)));
  const names = one.query.map(({ name }) => name).filter((name) => parameters[name] !== undefined);
  const pairs = names.map((name) => `${name}=${encodeURIComponent(String(parameters[name]))}`);
  const query = [...(one.authorisation === 'session' ? ['sessionId=$SESSION_ID'] : []), ...pairs].join('&');
  const address = `${ADDRESS[one.interface]}${one.interface === 'v1' ? '/_ah/api/' : ''}${path}${query && `?${query}`}`;
  const isForm = one.body?.mediaType === 'application/x-www-form-urlencoded';
  const form = Object.entries(body ?? {}).map(([name, value]) => ` --data-urlencode ${quote(`${name}=${value}`)}`);
  const json = body && ` -H 'Content-Type: application/json' --data ${quote(JSON.stringify(body))}`;
  return `curl -sS -X ${one.method}${CREDENTIAL[one.authorisation]}${isForm ? form.join('') : (json ?? '')} "${address}"`;
}

const percent = ({ exercised, all }: Share): number => (all === 0 ? 100 : (100 * exercised) / all);

const inWords = (share: Share, what: string): string =>
  `${share.exercised} of ${share.all} ${what} (${Math.floor(percent(share))} %)`;

/** What has to be exercised: a percentage of operations, or of statements. */
export interface Wanted {
  of: 'operations' | 'statements';
  percent: number;
}

/** Why a record does not exercise as much as is wanted; undefined where it does. */
export function lackOf(coverage: Coverage, { of, percent: least }: Wanted): string | undefined {
  if (percent(coverage[of]) >= least) return undefined;
  return `--require-coverage: ${inWords(coverage[of], of)} were exercised, fewer than ${least} %`;
}

/** The page of what was not exercised, each statement with a request that would; those of one operation stand together. */
export function coverageMarkdown(coverage: Coverage): string {
  const byOperation = Map.groupBy(coverage.missing, (one) => one.operations[0] ?? '');
  const groups = [...byOperation].toSorted(([, a], [, b]) => b.length - a.length);
  return [
    '# Coverage',
    '',
    `${inWords(coverage.operations, 'operations')} were called, and ${inWords(coverage.statements, 'statements of the documents that are judged')} were exercised.`,
    'Below each group of statements that nothing exercised stands a right request of its operation, to be sent as it is or changed as they say.',
    '',
    ...groups.flatMap(([id, statements]) => [
      `## ${id}`,
      '',
      ...statements.map(({ section, row, text }) => `- ${section}, ${row}: ${text}`),
      '',
      '```sh',
      rightRequest(id),
      '```',
      '',
    ]),
  ].join('\n');
}
