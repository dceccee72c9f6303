/** `compare OLD NEW`: shows what changed between two runs. */
import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { writeFileJson } from '../files/json.ts';
import { writeNamedFile } from '../files/write.ts';
import { type Comparison, compare as comparisonOf, earlierOf } from '../reports/compare.ts';
import { comparisonMarkdown, comparisonPage, comparisonText, type ReportLinks } from '../reports/compare-views.ts';
import { knownFailuresYaml } from '../reports/known-failures.ts';
import { readRecord } from '../reports/record.ts';
import { program } from './command.ts';
import { EXIT_FINDING } from './exit-codes.ts';
import { reportBeside } from './report-link.ts';

const FORMATS: Record<string, (comparison: Comparison, links: ReportLinks) => string> = {
  text: comparisonText,
  markdown: comparisonMarkdown,
  json: (comparison) => writeFileJson(comparison, 2),
  html: comparisonPage,
};

const command = new Command()
  .description('Shows what changed between two runs. Exits with 1 if a must that passed no longer does.')
  .argument('<old>', 'report directory or conformance.json of the earlier run')
  .argument('<new>', 'report directory or conformance.json of the later run')
  .addOption(new Option('--format <format>', 'output format').choices(Object.keys(FORMATS)).default('text'))
  .option('--out <file>', 'write the comparison to a file instead of printing it')
  .option(
    '--write-known-failures <file>',
    'start a list of known failures from the later run; the file must not exist',
  );

export const compare = program('compare', command, () => {
  const [before, after] = command.args as [string, string];
  const { format, out, writeKnownFailures } = command.opts<{
    format: string;
    out?: string;
    writeKnownFailures?: string;
  }>();
  const later = readRecord(after);
  const comparison = comparisonOf(earlierOf(readRecord(before)), later);
  const links = { before: reportBeside(before, out), after: reportBeside(after, out) };
  const text = FORMATS[format]!(comparison, links);
  if (out === undefined) console.log(text);
  else writeNamedFile(out, `${text}\n`);
  if (writeKnownFailures !== undefined)
    writeFileSync(writeKnownFailures, knownFailuresYaml(later.conformance), { flag: 'wx' });
  return comparison.regressions.length > 0 ? EXIT_FINDING : 0;
});
