/** The summary at the end of a run, for a terminal. */
import { join } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import { accountLines, cardsNotAsBefore, readingInWords } from './account.ts';
import { breadthLines, thoroughInWords } from './breadth.ts';
import { cardsLeftInWords, wearInWords } from './cards-left.ts';
import type { Cause } from './causes.ts';
import { beforeInWords, changeGroups, changeInWords, deltaInWords, deltaOf, nameOf } from './delta.ts';
import { exchangeInWords } from './exchange-text.ts';
import { causeInWords, foldedNotes, MOST_WORDS, waysOn } from './first-screen.ts';
import {
  COUNTS,
  claimInWords,
  hindrances,
  runInWords,
  sandboxInWords,
  seenInWords,
  targetInWords,
  verdictInWords,
} from './headline.ts';
import { courseInWords } from './history.ts';
import { oddities } from './odd.ts';
import { EXCHANGES, PAGE } from './record.ts';
import { retrialInWords } from './retrial.ts';
import { withSaid } from './said.ts';
import { isSelected } from './selection.ts';
import { statementOf } from './statement.ts';
import { capital, count, cut, inLines, some, visible } from './text.ts';
import { trustedFrom } from './trusted.ts';
import { kindInWords, unseen, unseenAtRisk } from './unseen.ts';
import { countsOfSelection } from './verdicts.ts';
import type { View } from './view.ts';

/** Number of failures, and of reasons why something was not seen, that are shown in full. */
const MOST = 20;

/** Number of further findings of one cause that are shown. */
const MOST_FURTHER = 8;

/** Options of the summary. */
export interface SummaryOptions {
  /** The report directory, as a person would type it. */
  directory: string;
  colours?: boolean;
}

/** Whether to colour a stream's output: it is a terminal, and `NO_COLOR` is not set. */
export function wantsColours(stream: { isTTY?: boolean } = process.stdout, env = process.env): boolean {
  return stream.isTTY === true && !env.NO_COLOR;
}

/**
 * The summary: first the verdict, then the counts, what was not seen and why, each failure with its evidence, and
 * advice. Text of the target is made visible, so that it cannot control the terminal.
 */
export function summaryText(view: View, { directory, colours = false }: SummaryOptions): string {
  const { conformance } = view;
  const paint: Paint = (format, text) => (colours ? styleText(format, text, { validateStream: false }) : text);
  return [
    ...headline(conformance, paint),
    ...causesInLines(view, directory, paint),
    ...waysOnLines(view, directory, paint),
    ...changeLines(view, paint),
    ...countsTable(conformance),
    ...runLines(conformance, paint),
    ...triedLines(view),
    ...unseenLines(view, paint),
    ...findingLines(view, directory, paint),
    ...oddLines(view, paint),
    ...accountOf(conformance, paint),
    '',
    `Reports: ${directory}`,
    '',
  ]
    .flatMap((line) => (COMMAND.test(stripVTControlCharacters(line)) ? [line] : inLines(line, MOST_WORDS)))
    .join('\n');
}

/** What people paste, and so stays in one line. */
const COMMAND = /^\s*(?:rerun\s|npm |npx |node )/;

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

const VERDICT_COLOURS = { conformant: 'green', nonconformant: 'red', incomplete: 'yellow' } as const;

function headline(conformance: Conformance, paint: Paint): string[] {
  const { summary } = conformance;
  const verdict = paint(['bold', VERDICT_COLOURS[summary.verdict]], summary.verdict.toUpperCase());
  const sandbox = sandboxInWords(conformance);
  const lines = ['', ...(sandbox ? [paint('bold', sandbox)] : [])];
  lines.push(`${verdict}  ${targetInWords(conformance)}: ${verdictInWords(conformance)}`);
  const claim = claimInWords(conformance);
  const seen = seenInWords(conformance);
  if (claim) lines.push(claim);
  if (seen) lines.push(seen);
  for (const [name, why] of hindrances(conformance)) lines.push(`${capital(name)}: ${cut(visible(why), 300)}`);
  return lines;
}

/** One line a cause, those that explain most first. */
function causesInLines(view: View, directory: string, paint: Paint): string[] {
  const { failures } = view.findings;
  if (failures.length === 0) return [];
  const markOf = ({ requirements }: Cause) => {
    const change = requirements.map(({ id }) => view.changes.get(id)).find((one) => one !== undefined);
    return change ? `${paint(['bold', 'yellow'], change)} ` : '';
  };
  const more = failures.length - MOST;
  return [
    '',
    paint('bold', failures.length === 1 ? 'One cause' : `${failures.length} causes, those that explain most first`),
    ...failures.slice(0, MOST).map((cause) => `  ${markOf(cause)}${causeInWords(cause)}`),
    ...(more > 0 ? [`  … and ${count(more, 'more cause')}: see ${join(directory, PAGE)}`] : []),
  ];
}

/** What to do next, where something failed or could not be tried. */
function waysOnLines({ conformance, findings }: View, directory: string, paint: Paint): string[] {
  const ways = waysOn(conformance, directory, findings.failures);
  if (ways.length === 0) return [];
  const lines = ways.flatMap(([command, does]) => [`  ${command}`, paint('dim', `      ${does}`)]);
  return ['', paint('bold', 'How to go on'), ...lines];
}

/** How the run was made, what it noted, and how long its cards last. */
function runLines(conformance: Conformance, paint: Paint): string[] {
  const lines = ['', paint('dim', runInWords(conformance))];
  lines.push(...foldedNotes(conformance).map((note) => `Note: ${note}`));
  const [left, wear] = [cardsLeftInWords(conformance), wearInWords(conformance)];
  if (left) lines.push(`Cards left: ${left}`);
  lines.push(...wear.map((sentence) => paint('yellow', sentence)));
  return lines;
}

/** The changes since the baseline, ahead of everything else. */
function changeLines(view: View, paint: Paint): string[] {
  if (!view.comparison) return [];
  const delta = deltaOf(view.comparison, view.history);
  const groups = changeGroups(view);
  const lines = [
    '',
    `${paint('bold', 'Since the baseline')} of ${visible(beforeInWords(delta))}: ${deltaInWords(delta)}`,
  ];
  for (const group of groups.slice(0, MOST)) {
    const { change, level, requirements } = group;
    const isUrgent = level === 'must' && (change === 'new' || change === 'failing otherwise');
    const colour = change === 'fixed' ? 'green' : isUrgent ? 'red' : 'yellow';
    const name = paint(['bold', colour], nameOf(group).toUpperCase().padEnd(17));
    lines.push(
      `  ${name} ${paint('bold', visible(some(requirements, 1)))}  ${cut(visible(changeInWords(group)), 160)}`,
    );
  }
  if (groups.length > MOST) lines.push(`  … and ${count(groups.length - MOST, 'more change')}: see delta.json`);
  return lines;
}

function countsTable(conformance: Conformance): string[] {
  const { must, should } = countsOfSelection(conformance);
  const cells = (values: readonly (string | number)[]) =>
    COUNTS.map(([, name], i) => String(values[i]).padStart(Math.max(name.length, 6))).join('  ');
  return [
    '',
    `        ${cells(COUNTS.map(([, name]) => name))}`,
    `must    ${cells(COUNTS.map(([key]) => must[key]))}`,
    `should  ${cells(COUNTS.map(([key]) => should[key]))}`,
  ];
}

/** How much was tried of what rotates, and what could be. */
const triedLines = ({ breadth }: View): string[] =>
  breadth ? ['', ...breadthLines(breadth), ...[thoroughInWords(breadth)].filter(Boolean)] : [];

function unseenLines({ conformance, findings: { failures } }: View, paint: Paint): string[] {
  const hidden = new Set(failures.flatMap(({ unseen: requirements }) => ids(requirements)));
  const others = conformance.requirements.filter((one) => isSelected(one) && !hidden.has(one.id));
  const groups = unseen({ requirements: others });
  if (groups.length + hidden.size === 0) return [];
  const lines = ['', paint('bold', 'Not seen')];
  const risk = unseenAtRisk(conformance.run);
  if (risk !== '') lines.push(`  ${risk}`);
  if (hidden.size > 0) lines.push(`  ${'hidden'.padEnd(14)} ${String(hidden.size).padStart(4)}  by the causes above`);
  for (const { kind, reason, requirements } of groups.slice(0, MOST)) {
    lines.push(
      `  ${kindInWords(kind).padEnd(14)} ${String(requirements.length).padStart(4)}  ${cut(visible(reason), 300) || 'no reason given'}`,
    );
    lines.push(paint('dim', `                       ${visible(some(requirements, 3))}`));
  }
  if (groups.length > MOST) lines.push(`  and for ${count(groups.length - MOST, 'more reason')}, in the reports`);
  return lines;
}

function findingLines(view: View, directory: string, paint: Paint): string[] {
  const { failures, known, outdated, advice } = view.findings;
  const lines = failures.slice(0, MOST).flatMap((cause) => causeLines(cause, view, directory, paint));
  if (failures.length > MOST) {
    lines.push('', `… and ${count(failures.length - MOST, 'more finding')}: see ${join(directory, PAGE)}`);
  }
  if (known.length > 0) lines.push('', paint('bold', 'Known failures'), ...known.slice(0, MOST).map(knownLine));
  if (outdated.length > 0) {
    lines.push(
      '',
      paint('bold', 'Known failures to remove from the list'),
      ...outdated.slice(0, MOST).map(outdatedLine),
    );
  }
  if (advice.length > 0) {
    lines.push('', paint('bold', 'Advice (should; it changes neither verdict nor exit code)'));
    lines.push(
      ...advice.slice(0, MOST).map(({ message, requirements }) => {
        return `  ${visible(some(ids(requirements), 3))}: ${cut(visible(message), 160)}`;
      }),
    );
    if (advice.length > MOST) lines.push(`  … and ${advice.length - MOST} more in the reports`);
  }
  return lines;
}

/** What is odd and judged by nobody. */
function oddLines({ conformance, history }: View, paint: Paint): string[] {
  const found = oddities(conformance, history);
  if (found.length === 0) return [];
  return [
    '',
    paint('bold', 'Worth a look (the documents leave it open, so nobody judges it)'),
    ...found
      .slice(0, MOST)
      .flatMap(({ operation, noticed, nights = [] }) => [
        `  ${visible(operation)}: ${cut(visible(noticed), 240)}`,
        ...nights.map((night) => paint('dim', `      ${cut(visible(night), 240)}`)),
      ]),
    ...(found.length > MOST ? [`  … and ${found.length - MOST} more on the page`] : []),
  ];
}

/** What the run did to the target. */
function accountOf(conformance: Conformance, paint: Paint): string[] {
  const lines = accountLines(conformance);
  if (!lines) return [];
  const cards = cardsNotAsBefore(conformance);
  return [
    '',
    paint('bold', 'Account'),
    ...lines.map(([about, text]) => `  ${paint('dim', about.padEnd(10))} ${cut(text, 300)}`),
    ...cards
      .slice(0, MOST)
      .map(
        ({ identifier, before, after }) =>
          `  ${paint('dim', 'card'.padEnd(10))} ${cut(visible(identifier), 80)}: ${readingInWords(before)} before, ${readingInWords(after)} now`,
      ),
    ...(cards.length > MOST ? [`  … and ${count(cards.length - MOST, 'more card')} on the page`] : []),
  ];
}

function causeLines(cause: Cause, view: View, directory: string, paint: Paint): string[] {
  const { message, said, further, difference, requirements, exchanges, act, deciding, rests, unseen } = cause;
  const [first, ...others] = requirements as [RequirementResult, ...RequirementResult[]];
  const line = (label: string, text: string) => `  ${paint('dim', label.padEnd(9))} ${text}`;
  const trusted = trustedFrom(view.conformance, cause);
  const change = requirements.map(({ id }) => view.changes.get(id)).find((one) => one !== undefined);
  const mark = change ? ` ${paint(['bold', 'yellow'], `(${change})`)}` : '';
  const lines = [
    '',
    `${paint(['bold', 'red'], 'FAILED')}${mark} ${paint('bold', visible(first.id))}`,
    `  ${visible(first.text)}`,
    line('document', visible(`${first.source.document}, ${first.source.section}`)),
  ];
  const statement = statementOf(first.id, difference?.pointer);
  if (statement) lines.push(line('says', visible(`${statement.row}: ${statement.text}`)));
  if (others.length > 0) lines.push(line('also', visible(some(ids(others), 12))));
  if (rests) lines.push(line('rests on', cut(visible(`${rests.id}: ${rests.message}`), 300)));
  if (message !== '') lines.push(line('finding', visible(withSaid(cut(message, 600), said))));
  if (difference) {
    const at = difference.pointer ? ` at ${cut(visible(difference.pointer), 100)}` : '';
    lines.push(line('expected', cut(visible(difference.expected), 300)));
    lines.push(line('actual', `${cut(visible(difference.actual), 200)}${at}`));
  }
  if (trusted.length > 0) lines.push(line('trusts', `from the fixtures: ${visible(some(trusted, 4))}`));
  if (first.retrial) lines.push(line('again', retrialInWords(first.retrial)));
  for (const other of further.slice(0, MOST_FURTHER)) lines.push(line('further', cut(visible(other), 300)));
  if (further.length > MOST_FURTHER) lines.push(line('', `and ${further.length - MOST_FURTHER} more, on the page`));
  const shown = [
    ...(act ? exchangeInWords(act, undefined) : []),
    ...(deciding ? exchangeInWords(deciding, difference?.pointer) : []),
  ];
  lines.push(...shown.map(([label, text]) => line(label, text)));
  const showing = [...(deciding ? [deciding.id] : []), ...(first.retrial?.once ?? [])];
  const decidingFirst = [...new Set([...showing, ...exchanges])];
  if (exchanges.length > 0) lines.push(line('evidence', `${some(decidingFirst, 6)} in ${join(directory, EXCHANGES)}`));
  if (unseen.length > 0)
    lines.push(
      line(
        'hides',
        `${count(unseen.length, 'requirement')} that could not be judged because of it: ${visible(some(ids(unseen), 4))}`,
      ),
    );
  const course = view.history?.courses.get(first.id);
  if (course && view.history!.runs.length > 1) lines.push(line('history', courseInWords(course)));
  lines.push(line('rerun', visible(view.rerun(requirements))));
  return lines;
}

const ids = (requirements: readonly RequirementResult[]): string[] => requirements.map(({ id }) => id);

function knownLine({ id, known }: RequirementResult): string {
  const until = known?.expires && `until ${known.expires}`;
  return `  ${visible(id)}: ${cut(visible([known?.reason, known?.link, until].filter(Boolean).join(', ')), 300)}`;
}

const outdatedLine = ({ id, known }: RequirementResult): string =>
  `  ${visible(id)}: ${known?.state === 'stale' ? 'passes now' : `expired on ${visible(known?.expires ?? '')}`}`;
