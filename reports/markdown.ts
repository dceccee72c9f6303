/** The summary as Markdown, for pull requests and `GITHUB_STEP_SUMMARY`. */
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import { accountLines, cardsNotAsBefore, readingInWords } from './account.ts';
import { breadthInWords, thoroughInWords } from './breadth.ts';
import { wearInWords } from './cards-left.ts';
import type { Cause } from './causes.ts';
import { comparisonMarkdown } from './compare-views.ts';
import { deltaMarkdown, requirementsMarkdown } from './delta.ts';
import {
  COUNTS,
  claimInWords,
  hindrances,
  runInWords,
  seenInWords,
  targetInWords,
  verdictInWords,
} from './headline.ts';
import { plain, table } from './markdown-text.ts';
import { oddities } from './odd.ts';
import { anchor } from './page/verdicts.ts';
import { withSaid } from './said.ts';
import { capital, count, some } from './text.ts';
import { kindInWords, unseen, unseenAtRisk } from './unseen.ts';
import type { View } from './view.ts';

/**
 * Verdict, what prevented the run, changes since the baseline, counts, findings, and what was not seen. Text from a
 * target or file that could become markup, links, mentions or HTML is in code spans.
 */
export function markdown(view: View): string {
  const { conformance, comparison, findings, changes, breadth, page } = view;
  const { summary, target } = conformance;
  const { failures, known, outdated, advice } = findings;
  const markOf = (cause: Cause) => cause.requirements.map(({ id }) => changes.get(id)).find(Boolean) ?? '';
  const claim = claimInWords(conformance);
  const seen = seenInWords(conformance);
  const wear = wearInWords(conformance);
  return [
    `# Conformance${target.embedded ? ' of the embedded sandbox, not of a target' : ''}: ${summary.verdict}${summary.partial ? ', partial' : ''}`,
    '',
    `${plain(targetInWords(conformance))}: ${verdictInWords(conformance)}.`,
    '',
    ...(comparison
      ? ['## Since the baseline', '', deltaMarkdown({ ...view, comparison })]
      : hindrances(conformance).flatMap(([name, why]) => [`${capital(name)}: ${plain(why)}`, ''])),
    ...(claim ? [plain(claim), ''] : []),
    ...(seen ? [seen, ''] : []),
    ...table(
      ['Level', ...COUNTS.map(([, name]) => name)],
      (['must', 'should'] as const).map((level) => [level, ...COUNTS.map(([key]) => String(summary[level][key]))]),
    ),
    plain(runInWords(conformance)),
    '',
    ...triedInWords(breadth),
    ...(comparison ? [] : wear.flatMap((sentence) => [plain(sentence), ''])),
    ...section(
      'Failures',
      [...(comparison ? ['Change'] : []), 'Finding', 'Expected', 'Actual', 'Requirement', 'Evidence'],
      failures.map((cause) => [...(comparison ? [markOf(cause)] : []), ...failureRow(cause, page)]),
    ),
    ...byTest(view),
    ...section(
      'Known failures',
      ['Requirement', 'Reason', 'Until', 'Link'],
      known.map(({ id, known }) => [id, known?.reason ?? '', known?.expires ?? '', known?.link ?? ''].map(plain)),
    ),
    ...section('Known failures to remove from the list', ['Requirement', 'Why'], outdated.map(outdatedRow)),
    ...(comparison ? ['## All changes since the baseline', '', comparisonMarkdown(comparison)] : []),
    ...unseenLines(conformance),
    ...section(
      'Advice (should)',
      ['Requirement', 'Finding'],
      advice.map((cause) => [requirementsOf(cause, page), plain(cause.message)]),
    ),
    ...section(
      'Worth a look',
      ['Operation', 'Noticed', 'Left open by the documents'],
      oddities(conformance, view.history).map(({ operation, noticed, open, nights = [] }) => [
        plain(operation),
        [noticed, ...nights].map(plain).join('; '),
        plain(open),
      ]),
    ),
    ...accountOf(conformance),
  ].join('\n');
}

/** How much was tried of what rotates, and what could be. */
function triedInWords(breadth: View['breadth']): string[] {
  const sentences = breadth ? [breadthInWords(breadth), thoroughInWords(breadth)].filter(Boolean) : [];
  return sentences.length > 0 ? [sentences.map((words) => `${capital(words)}.`).join(' '), ''] : [];
}

/** What the tests of recorded traffic show. */
const byTest = ({ tests }: View): string[] =>
  section(
    'Findings by test',
    ['Test', 'Requirement', 'Finding', 'Exchanges'],
    tests.flatMap(({ test, findings }) =>
      findings.map((one) => [test, one.requirement, one.message, some(one.exchanges, 4)].map(plain)),
    ),
  );

/** Why a run could not be carried out. */
export const faultsMarkdown = (faults: readonly string[]): string =>
  ['# Conformance: could not be carried out', '', ...faults.map((fault) => `- ${plain(fault)}`), ''].join('\n');

function section(title: string, columns: string[], rows: string[][]): string[] {
  if (rows.length === 0) return [];
  return [`## ${title} (${rows.length})`, '', ...table(columns, rows)];
}

function failureRow(cause: Cause, page: string | undefined): string[] {
  const { message, said, difference, exchanges, further, rests } = cause;
  const actual = [difference?.actual ?? '', difference?.pointer ? `at ${difference.pointer}` : ''].join(' ').trim();
  return [
    plain(`${rests ? `${rests.message}; so ` : ''}${withSaid(message, said)}`) +
      (further.length > 0 ? `; and ${count(further.length, 'further finding')}` : ''),
    plain(difference?.expected ?? ''),
    plain(actual),
    requirementsOf(cause, page),
    plain(some(exchanges, 4)),
  ];
}

function outdatedRow({ id, known }: RequirementResult): string[] {
  return [plain(id), known?.state === 'stale' ? 'passes now' : plain(`expired on ${known?.expires}`)];
}

function unseenLines(conformance: Conformance): string[] {
  const rows = unseen(conformance).map(({ kind, reason, requirements }) => [
    kindInWords(kind),
    `${requirements.length}`,
    plain(reason),
    plain(some(requirements, 3)),
  ]);
  if (rows.length === 0) return [];
  const risk = unseenAtRisk(conformance.run);
  return [
    '## Not seen',
    '',
    ...(risk ? [risk, ''] : []),
    ...table(['Verdict', 'Requirements', 'Why', 'Which'], rows, 30),
  ];
}

/** What the run did to the target. */
function accountOf(conformance: Conformance): string[] {
  const lines = accountLines(conformance);
  if (!lines) return [];
  const cards = cardsNotAsBefore(conformance).map(({ identifier, before, after }) =>
    [identifier, readingInWords(before), readingInWords(after)].map(plain),
  );
  return [
    '## Account',
    '',
    ...lines.map(([about, text]) => `- ${about}: ${plain(text)}`),
    '',
    ...(cards.length > 0 ? table(['Card', 'Before', 'Now'], cards) : []),
  ];
}

/** The requirements that fail because of a cause. */
function requirementsOf({ requirements }: Cause, page: string | undefined): string {
  const ids = requirements.map(({ id }) => id);
  return requirementsMarkdown(ids, anchor('f', ids[0]!), page);
}
