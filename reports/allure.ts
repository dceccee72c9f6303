/** Presents a check in Allure: what it judges, and its evidence as steps with their real times. */
import type { RuntimeMessage } from 'allure-js-commons/sdk';
import type { CheckResult, Exchange, RequirementResult } from '../contracts/record.ts';

type AllureStatus = Extract<RuntimeMessage, { type: 'step_stop' }>['data']['status'];

/** Number of exchanges shown as steps, for a check that did not pass and one that did. */
const MOST_STEPS = { notKept: 25, kept: 2 };

/** Allure's categories; they match the beginnings of {@link allureMessage}. */
export const ALLURE_CATEGORIES = [
  { name: 'Nonconformant', matchedStatuses: ['failed'], messageRegex: /^must:/ },
  { name: 'Advice', matchedStatuses: ['failed'], messageRegex: /^should:/ },
  { name: 'Known failures', matchedStatuses: ['failed'], messageRegex: /^known/ },
  {
    name: 'Target unavailable',
    matchedStatuses: ['skipped'],
    messageRegex: /unavailable|no answer|refused|timed? ?out/i,
  },
  { name: 'Incomplete', matchedStatuses: ['skipped'], messageRegex: /^(inconclusive|blocked)/ },
] as { name: string; matchedStatuses: AllureStatus[]; messageRegex: RegExp }[];

/** Allure's status of a check. */
export const allureStatus = ({ verdict }: CheckResult): AllureStatus =>
  (verdict === 'passed' || verdict === 'failed' ? verdict : 'skipped') as AllureStatus;

/** Why the check did not pass; empty if it did. */
export function allureMessage(
  { known, level }: Pick<RequirementResult, 'known' | 'level'>,
  check: CheckResult,
): string {
  const { verdict, message, difference } = check;
  if (verdict === 'passed') return '';
  if (verdict !== 'failed') return `${verdict}: ${message}`;
  const compared = difference ? `\nexpected: ${difference.expected}\nactual: ${difference.actual}` : '';
  return `${known?.state === 'known' ? `known (${known.reason})` : level}: ${message}${compared}`;
}

/** Ids of a check's evidence: its last exchanges, which decided. */
export const evidenceOf = ({ verdict, exchanges }: CheckResult): string[] =>
  exchanges.slice(verdict === 'passed' ? -MOST_STEPS.kept : -MOST_STEPS.notKept);

type Judged = Pick<RequirementResult, 'id' | 'level' | 'text' | 'source'> & { operations: readonly string[] };

/** Labels, links and steps of a check, as messages to Allure's reporters. */
export function allureMessages(
  { id, level, text, source, operations }: Judged,
  evidence: readonly Exchange[],
): RuntimeMessage[] {
  const labels = {
    epic: source.document,
    feature: id.split('.')[0]!,
    severity: level === 'must' ? 'critical' : 'minor',
    tag: level,
    requirement: id,
  };
  const metadata: RuntimeMessage = {
    type: 'metadata',
    data: {
      description: `${text}\n\nSource: ${source.document}, ${source.section}`,
      labels: [
        ...Object.entries(labels).map(([name, value]) => ({ name, value })),
        ...operations.map((value) => ({ name: 'story', value })),
      ],
      links: [
        { url: `#${id}`, name: `requirement ${id}`, type: 'requirement' },
        { url: `#${source.section}`, name: `${source.document}, ${source.section}`, type: 'section' },
      ],
    },
  };
  return [metadata, ...evidence.flatMap(stepOf)];
}

function stepOf(exchange: Exchange): RuntimeMessage[] {
  const { operation, request, response, error, durationMs } = exchange;
  const start = Date.parse(exchange.startedAt);
  const outcome = response ? `status ${response.status}` : (error?.kind ?? 'no answer');
  return [
    { type: 'step_start', data: { name: `${operation}: ${request.method}, ${outcome}`, start } },
    {
      type: 'attachment_content',
      data: {
        name: 'exchange',
        content: Buffer.from(JSON.stringify(exchange, null, 2)).toString('base64'),
        encoding: 'base64',
        contentType: 'application/json',
      },
    },
    {
      type: 'step_stop',
      data: { status: (response ? 'passed' : 'broken') as AllureStatus, stop: start + Math.round(durationMs) },
    },
  ];
}
