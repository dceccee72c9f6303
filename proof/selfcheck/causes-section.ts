/** The section of docs/trust.md about several faults in one target. */
import { type Measured, SIZES } from './causes.ts';

/** The text of the section. */
export function causesSection(measured: readonly Measured[]): string {
  const misnamed = measured.flatMap((one) => one.misnamed);
  const misattributed = measured.flatMap((one) => one.misattributed);
  return [
    '## One cause, one finding',
    '',
    `Several faults are planted in one target: of each target ${SIZES.join(', ')} of them, chosen by a fixed seed, no fault in two packs. What a run`,
    'reports of them is compared with what runs report of each alone. A fault is a cause that shows where a must fails by it alone and among the',
    'others: the rest are hidden by others, or want another seed. A first line is right where it names an operation that one of its causes is of. A',
    'requirement is hidden rightly where one of the causes of the finding hides it alone, too. `npm run selfcheck -- --causes` writes this.',
    '',
    '| target | planted | causes that show | findings | a cause | right first lines | hidden | hidden rightly |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...measured.map((one) => `| ${rowOf(one).join(' | ')} |`),
    ...listed('First lines that name another operation:', misnamed),
    ...listed('Requirements that are said to be hidden by a finding, and are not by its causes alone:', misattributed),
  ].join('\n');
}

function rowOf({ target, planted, causes, findings, misnamed, hidden, misattributed }: Measured): unknown[] {
  const right = (all: readonly unknown[], wrong: readonly unknown[]) => all.length - wrong.length;
  return [
    target,
    planted,
    causes.length,
    findings.length,
    (findings.length / causes.length).toFixed(2),
    right(findings, misnamed),
    hidden.length,
    right(hidden, misattributed),
  ];
}

const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, '', ...lines.map((line) => `- ${line}`)];
