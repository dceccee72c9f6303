/** The summary at the end of a run, for a terminal. */
import { join } from 'node:path';
import { styleText } from 'node:util';
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import type { Cause } from './causes.ts';
import { findings } from './causes.ts';
import { COUNTS, claimInWords, runInWords, targetInWords, verdictInWords } from './headline.ts';
import { CONFORMANCE, EXCHANGES } from './record.ts';
import { type Rerun, rerunsOf } from './rerun.ts';
import { count, cut, some, visible } from './text.ts';
import { kindInWords, unseen, unseenAtRisk } from './unseen.ts';

/** How many failures, and how many reasons of what was not seen, are shown in full. */
const MOST = 20;

export interface SummaryOptions {
  /** The report directory, as a person would type it. */
  directory: string;
  colours?: boolean;
}

/** Whether to colour what goes to a stream: a terminal, and `NO_COLOR` not set. */
export function wantsColours(stream: { isTTY?: boolean } = process.stdout, env = process.env): boolean {
  return stream.isTTY === true && !env.NO_COLOR;
}

/**
 * The summary: the verdict first, then the counts, what was not seen and why, each failure with its evidence, and advice.
 * Text of the target is made visible, so that it cannot steer the terminal.
 */
export function summaryText(conformance: Conformance, { directory, colours = false }: SummaryOptions): string {
  const paint: Paint = (format, text) => (colours ? styleText(format, text, { validateStream: false }) : text);
  return [
    ...headline(conformance, paint),
    ...countsTable(conformance),
    ...unseenLines(conformance, paint),
    ...findingLines(conformance, directory, paint),
    '',
    `Reports: ${directory}`,
    '',
  ].join('\n');
}

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

const VERDICT_COLOURS = { conformant: 'green', nonconformant: 'red', incomplete: 'yellow' } as const;

function headline(conformance: Conformance, paint: Paint): string[] {
  const { summary, run } = conformance;
  const verdict = paint(['bold', VERDICT_COLOURS[summary.verdict]], summary.verdict.toUpperCase());
  const lines = ['', `${verdict}  ${targetInWords(conformance)}: ${verdictInWords(conformance)}`];
  const claim = claimInWords(conformance);
  if (claim) lines.push(claim);
  if (!run.complete && run.incompleteBecause) lines.push(`Not complete: ${visible(run.incompleteBecause)}`);
  lines.push(paint('dim', runInWords(conformance)), ...(run.notes ?? []).map((note) => `Note: ${visible(note)}`));
  const pools = (run.pools ?? []).map(({ pool, given, left }) => `${visible(pool)} ${left} of ${given}`);
  if (pools.length > 0) lines.push(`Cards left: ${pools.join(', ')}`);
  return lines;
}

function countsTable({ summary }: Conformance): string[] {
  const cells = (values: readonly (string | number)[]) =>
    COUNTS.map(([, name], i) => String(values[i]).padStart(Math.max(name.length, 6))).join('  ');
  return [
    '',
    `        ${cells(COUNTS.map(([, name]) => name))}`,
    `must    ${cells(COUNTS.map(([key]) => summary.must[key]))}`,
    `should  ${cells(COUNTS.map(([key]) => summary.should[key]))}`,
  ];
}

function unseenLines(conformance: Conformance, paint: Paint): string[] {
  const groups = unseen(conformance);
  if (groups.length === 0) return [];
  const lines = ['', paint('bold', 'Not seen')];
  const risk = unseenAtRisk(conformance.run.risk);
  if (risk !== '') lines.push(`  ${risk}`);
  for (const { kind, reason, requirements } of groups.slice(0, MOST)) {
    lines.push(
      `  ${kindInWords(kind).padEnd(14)} ${String(requirements.length).padStart(4)}  ${cut(visible(reason), 300) || 'no reason given'}`,
    );
    lines.push(paint('dim', `                       ${visible(some(requirements, 3))}`));
  }
  if (groups.length > MOST) lines.push(`  and for ${count(groups.length - MOST, 'more reason')}, in the reports`);
  return lines;
}

function findingLines(conformance: Conformance, directory: string, paint: Paint): string[] {
  const { failures, known, outdated, advice } = findings(conformance);
  const rerun = rerunsOf(conformance);
  const lines = failures.slice(0, MOST).flatMap((cause) => causeLines(cause, directory, paint, rerun));
  if (failures.length > MOST) {
    lines.push('', `… and ${count(failures.length - MOST, 'more finding')}: see ${join(directory, CONFORMANCE)}`);
  }
  if (known.length > 0) lines.push('', paint('bold', 'Known failures'), ...known.slice(0, MOST).map(knownLine));
  if (outdated.length > 0) {
    lines.push('', paint('bold', 'Known failures to take off the list'), ...outdated.slice(0, MOST).map(outdatedLine));
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

function causeLines(
  { message, difference, requirements, exchanges }: Cause,
  directory: string,
  paint: Paint,
  rerun: Rerun,
): string[] {
  const [first, ...others] = requirements as [RequirementResult, ...RequirementResult[]];
  const line = (label: string, text: string) => `  ${paint('dim', label.padEnd(9))} ${text}`;
  const lines = [
    '',
    `${paint(['bold', 'red'], 'FAILED')} ${paint('bold', visible(first.id))}`,
    `  ${visible(first.text)}`,
    line('document', visible(`${first.source.document}, ${first.source.section}`)),
  ];
  if (others.length > 0) lines.push(line('also', visible(some(ids(others), 12))));
  if (message !== '') lines.push(line('finding', cut(visible(message), 600)));
  if (difference) {
    const at = difference.pointer ? ` at ${cut(visible(difference.pointer), 100)}` : '';
    lines.push(line('expected', cut(visible(difference.expected), 300)));
    lines.push(line('actual', `${cut(visible(difference.actual), 300)}${at}`));
  }
  if (exchanges.length > 0) lines.push(line('evidence', `${some(exchanges, 6)} in ${join(directory, EXCHANGES)}`));
  lines.push(line('rerun', visible(rerun(requirements))));
  return lines;
}

const ids = (requirements: readonly RequirementResult[]): string[] => requirements.map(({ id }) => id);

const knownLine = ({ id, known }: RequirementResult): string =>
  `  ${visible(id)}: ${cut(visible([known?.reason, known?.link].filter(Boolean).join(', ')), 300)}`;

const outdatedLine = ({ id, known }: RequirementResult): string =>
  `  ${visible(id)}: ${known?.state === 'stale' ? 'passes now' : `expired on ${visible(known?.expires ?? '')}`}`;
