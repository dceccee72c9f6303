/** What traffic that others made exercises of the documents: operations, and statements by their requirements. */
import { operations } from '../contracts/operations.ts';
import { matches } from '../contracts/pattern.ts';
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import { documents, type Statement } from '../contracts/statements/index.ts';
import { httpFileOf } from './http-file.ts';
import { CREDENTIALS, curlOf, HELD, rightRequest, vitestOf } from './right-request.ts';
import { visible } from './text.ts';

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

/** Statements that nothing exercised, by the operation of which a request would, those with the most first. */
const missingByOperation = ({ missing }: Coverage): [operation: string, statements: Missing[]][] =>
  [...Map.groupBy(missing, (one) => one.operations[0] ?? '')].toSorted(([, a], [, b]) => b.length - a.length);

/** What the requests need of their reader, in one sentence. */
const INVENTED =
  'Identifiers in them are invented: put those of your target in their place. What changes something, or must be refused, is a change of them.';

const statementInWords = ({ section, row, text }: Missing): string => `${section}, ${row}: ${text}`;

/** The page of what was not exercised, each statement with a request that would; those of one operation stand together. */
export function coverageMarkdown(coverage: Coverage): string {
  return [
    '# Coverage',
    '',
    `${inWords(coverage.operations, 'operations')} were called, and ${inWords(coverage.statements, 'statements of the documents that are judged')} were exercised.`,
    'Below each group of statements that nothing exercised stands a right request of its operation, to be sent as it is or changed as they say.',
    `The same requests are in [coverage.http](coverage.http) and, as tests for vitest, in [coverage.vitest.mjs](coverage.vitest.mjs). ${INVENTED}`,
    '',
    ...missingByOperation(coverage).flatMap(([id, statements]) => [
      `## ${id}`,
      '',
      ...statements.map((one) => `- ${statementInWords(one)}`),
      '',
      '```sh',
      curlOf(id),
      '```',
      '',
    ]),
  ].join('\n');
}

/** The same requests for the clients of editors, which take addresses and credentials from the environment. */
export function coverageHttp(coverage: Coverage): string {
  const variable = (name: string) => `{{${name}}}`;
  return httpFileOf({
    title: 'Requests for statements that nothing exercised',
    note: INVENTED,
    variables: HELD.map((name) => ({ name, what: CREDENTIALS[name] ?? name, value: `{{$processEnv ${name}}}` })),
    requests: missingByOperation(coverage).map(([id, statements]) => ({
      ...rightRequest(id, variable),
      title: `${id}, for ${statements.map(statementInWords).join('; ')}`,
      keeps: undefined,
    })),
  });
}

/** The same requests as tests, to be run through the proxy. */
export function coverageTests(coverage: Coverage): string {
  return [
    '// Right requests for statements of the documents that nothing exercised: copy them among your tests, such as to',
    '// coverage.test.mjs, and run these through the proxy.',
    `// ${INVENTED}`,
    "import { expect, test } from 'vitest';",
    '',
    `const { ${HELD.join(', ')} } = process.env;`,
    '',
    ...missingByOperation(coverage).flatMap(([id, statements]) => [
      ...statements.map((one) => `// ${visible(statementInWords(one))}`),
      vitestOf(id),
      '',
    ]),
  ].join('\n');
}
