/** Writes the default reports, from a report directory alone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileJson } from '../files/json.ts';
import { appendToFile, writeWholeFile } from '../files/write.ts';
import { readBaseline } from './baseline.ts';
import { compare } from './compare.ts';
import { coverageMarkdown, coverageOf } from './coverage.ts';
import { changeGroups, deltaMarkdown, deltaOf } from './delta.ts';
import { HISTORY, readHistory } from './history.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { page } from './page/index.ts';
import { PAGE, readRecord } from './record.ts';
import { type View, viewOf } from './view.ts';

/** Destinations besides the report directory. */
export interface ReportOptions {
  /** A file to which the Markdown summary is appended (GITHUB_STEP_SUMMARY). */
  stepSummary?: string | undefined;
  /** Directory of the targets' histories. */
  history?: string | undefined;
  /** The address at which the page can be read (RUN_REPORT_URL); by default links lead to the file beside. */
  reportUrl?: string | undefined;
}

/** The result of writing the reports. */
export interface Reports {
  /** Paths of the reports. */
  files: string[];
  /** What could not be written, and why, one line each. */
  unwritten: string[];
  view: View;
}

/** Reports that are written only if a baseline is kept, see `keepBaseline`. */
const WITH_BASELINE = ['comparison.json', 'delta.json', 'delta.md'] as const;

/** What traffic that others made did not exercise; of a run, the page says that. */
const COVERAGE = 'coverage.md';

/**
 * Writes `index.html`, `summary.md` and `junit.xml` into a report directory; of traffic that others made also `coverage.md`, and if a baseline
 * is kept there, `comparison.json`, `delta.json` and `delta.md`.
 *
 * @throws RecordError when the record or the baseline cannot be read
 */
export function writeReports(
  directory: string,
  { stepSummary, history = HISTORY, reportUrl }: ReportOptions = {},
): Reports {
  const record = readRecord(directory);
  const { conformance } = record;
  const baseline = readBaseline(directory);
  const comparison = baseline && compare(baseline, record);
  const view = viewOf(conformance, {
    exchanges: record.exchanges(),
    targetChanges: record.changes(),
    comparison,
    history: readHistory(conformance.target.name, history),
    page: reportUrl ?? PAGE,
  });
  const contents: Record<string, () => string> = {
    'junit.xml': () => junit(view),
    'summary.md': () => markdown(view),
    [PAGE]: () => page(view, record.exchanges()),
  };
  if (conformance.run.source === 'recording' || conformance.run.source === 'proxy')
    contents[COVERAGE] = () => coverageMarkdown(coverageOf(conformance));
  else rmSync(join(directory, COVERAGE), { force: true });
  if (comparison) {
    const delta = deltaOf(comparison);
    contents['comparison.json'] = () => `${writeFileJson(comparison, 2)}\n`;
    contents['delta.json'] = () => `${writeFileJson({ ...delta, groups: changeGroups(view) }, 2)}\n`;
    contents['delta.md'] = () => deltaMarkdown({ ...view, comparison });
  } else for (const name of WITH_BASELINE) rmSync(join(directory, name), { force: true });
  const unwritten: string[] = [];
  const files: string[] = [];
  const attempt = (what: string, write: () => void): boolean => {
    try {
      write();
      return true;
    } catch (error) {
      unwritten.push(`${what} could not be written: ${(error as Error).message}`);
      return false;
    }
  };
  if (stepSummary)
    attempt('GITHUB_STEP_SUMMARY', () => appendToFile(stepSummary, markdown({ ...view, page: reportUrl })));
  for (const [name, textOf] of Object.entries(contents)) {
    const file = join(directory, name);
    if (attempt(file, () => writeWholeFile(file, textOf()))) files.push(file);
  }
  return { files, unwritten, view };
}
