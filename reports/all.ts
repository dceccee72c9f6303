/** Every report that is made by default, from a report directory alone. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileJson } from '../files/json.ts';
import { writeWholeFile } from '../files/write.ts';
import type { Comparison } from './compare.ts';
import { compare } from './compare.ts';
import { HISTORY, readHistory } from './history.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { page } from './page/index.ts';
import { readRecord } from './record.ts';

export interface ReportOptions {
  /** An earlier report directory or `conformance.json` to compare with (RUN_BASELINE). */
  baseline?: string | undefined;
  /** The file to which the Markdown summary is added as well (GITHUB_STEP_SUMMARY). */
  stepSummary?: string | undefined;
  /** Where the histories of targets are. */
  history?: string | undefined;
}

/** What was written. */
export interface Reports {
  /** The paths of the reports. */
  files: string[];
  /** What changed since the baseline, where there is one. */
  comparison?: Comparison;
}

/**
 * Writes `index.html`, `summary.md` and `junit.xml`, and with a baseline `comparison.json`, into a report directory.
 *
 * @throws RecordError when the record or the baseline cannot be read
 */
export function writeReports(
  directory: string,
  { baseline, stepSummary, history = HISTORY }: ReportOptions = {},
): Reports {
  const record = readRecord(directory);
  const { conformance } = record;
  const comparison = baseline ? compare(readRecord(baseline), record) : undefined;
  const summary = markdown(conformance, comparison);
  const contents: Record<string, string> = {
    'junit.xml': junit(conformance),
    'summary.md': summary,
    'index.html': page(conformance, record.exchanges(), readHistory(conformance.target.name, history)),
    ...(comparison && { 'comparison.json': `${writeFileJson(comparison, 2)}\n` }),
  };
  if (stepSummary) appendFileSync(stepSummary, summary);
  const files = Object.entries(contents).map(([name, text]) => {
    const file = join(directory, name);
    writeWholeFile(file, text);
    return file;
  });
  return { files, ...(comparison && { comparison }) };
}
