/** The summary as Markdown, for pull requests and `GITHUB_STEP_SUMMARY`. */
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import type { Cause } from './causes.ts';
import { comparisonMarkdown } from './compare-views.ts';
import { deltaMarkdown, deltaOf } from './delta.ts';
import { COUNTS, claimInWords, runInWords, seenInWords, targetInWords, verdictInWords } from './headline.ts';
import { code, table } from './markdown-text.ts';
import { count, some } from './text.ts';
import { kindInWords, unseen, unseenAtRisk } from './unseen.ts';
import type { View } from './view.ts';

/**
 * Verdict, changes since the baseline, counts, findings, and what was not seen. All text from a target or file is in
 * code spans, so that it cannot become markup, links, mentions or HTML.
 */
export function markdown({ conformance, comparison, findings, changes }: View): string {
  const { summary, run } = conformance;
  const { failures, known, outdated, advice } = findings;
  const markOf = (cause: Cause) => cause.requirements.map(({ id }) => changes.get(id)).find(Boolean) ?? '';
  const claim = claimInWords(conformance);
  const seen = seenInWords(conformance);
  return [
    `# Conformance: ${summary.verdict}${summary.partial ? ', partial' : ''}`,
    '',
    `${code(targetInWords(conformance))}: ${verdictInWords(conformance)}.`,
    '',
    ...(comparison ? ['## Since the baseline', '', deltaMarkdown(deltaOf(comparison)), ''] : []),
    ...(run.incompleteBecause ? [`Not complete: ${code(run.incompleteBecause)}`, ''] : []),
    ...(claim ? [code(claim), ''] : []),
    ...(seen ? [seen, ''] : []),
    ...table(
      ['Level', ...COUNTS.map(([, name]) => name)],
      (['must', 'should'] as const).map((level) => [level, ...COUNTS.map(([key]) => String(summary[level][key]))]),
    ),
    code(runInWords(conformance)),
    '',
    ...section(
      'Failures',
      [
        ...(comparison ? ['Change'] : []),
        'Requirement',
        'Statement',
        'Document',
        'Finding',
        'Expected',
        'Actual',
        'Evidence',
      ],
      failures.map((cause) => [...(comparison ? [markOf(cause)] : []), ...failureRow(cause)]),
    ),
    ...section(
      'Known failures',
      ['Requirement', 'Reason', 'Link'],
      known.map(({ id, known }) => [id, known?.reason ?? '', known?.link ?? '']),
    ),
    ...section('Known failures to remove from the list', ['Requirement', 'Why'], outdated.map(outdatedRow)),
    ...(comparison ? ['## All changes since the baseline', '', comparisonMarkdown(comparison)] : []),
    ...unseenLines(conformance),
    ...section(
      'Advice (should)',
      ['Requirement', 'Finding'],
      advice.map(({ requirements, message }) => [ids(requirements), message]),
    ),
  ].join('\n');
}

function section(title: string, columns: string[], rows: string[][]): string[] {
  if (rows.length === 0) return [];
  return [
    `## ${title} (${rows.length})`,
    '',
    ...table(
      columns,
      rows.map((row) => row.map(code)),
    ),
  ];
}

function failureRow({ requirements, message, difference, exchanges, further }: Cause): string[] {
  const { text, source } = requirements[0]!;
  const actual = [difference?.actual ?? '', difference?.pointer ? `at ${difference.pointer}` : ''].join(' ').trim();
  return [
    ids(requirements),
    text,
    `${source.document}, ${source.section}`,
    further.length > 0 ? `${message}; and ${count(further.length, 'further finding')}` : message,
    difference?.expected ?? '',
    actual,
    some(exchanges, 4),
  ];
}

function outdatedRow({ id, known }: RequirementResult): string[] {
  return [id, known?.state === 'stale' ? 'passes now' : `expired on ${known?.expires}`];
}

function unseenLines(conformance: Conformance): string[] {
  const rows = unseen(conformance).map(({ kind, reason, requirements }) => [
    kindInWords(kind),
    `${requirements.length}`,
    reason,
    some(requirements, 3),
  ]);
  if (rows.length === 0) return [];
  const risk = unseenAtRisk(conformance.run);
  return [
    '## Not seen',
    '',
    ...(risk ? [risk, ''] : []),
    ...table(
      ['Verdict', 'Requirements', 'Why', 'Which'],
      rows.map((row) => row.map(code)),
      30,
    ),
  ];
}

const ids = (requirements: readonly RequirementResult[]): string =>
  some(
    requirements.map(({ id }) => id),
    8,
  );
