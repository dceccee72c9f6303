/** Writes the default reports, from a report directory alone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileJson } from '../files/json.ts';
import { appendToFile, writeWholeFile } from '../files/write.ts';
import { readBaseline } from './baseline.ts';
import { type Comparison, compare } from './compare.ts';
import { type Coverage, coverageHttp, coverageMarkdown, coverageOf, coverageTests } from './coverage.ts';
import { changeGroups, deltaMarkdown, deltaOf } from './delta.ts';
import { HISTORY, readHistory } from './history.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { page } from './page/index.ts';
import { PAGE, type RunRecord, readRecord } from './record.ts';
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

/** A report: its file in the report directory, and what it says of a record. */
interface Report<V> {
  file: string;
  textOf: (view: V, record: RunRecord) => string;
}

/** The reports of every run. Whoever needs their names or their number takes them from here. */
export const REPORTS: readonly Report<View>[] = [
  { file: 'junit.xml', textOf: junit },
  { file: 'summary.md', textOf: markdown },
  { file: PAGE, textOf: (view, record) => page(view, record.exchanges()) },
];

/** The reports of a run for which a baseline is kept, see `keepBaseline`. */
export const COMPARISONS: readonly Report<View & { comparison: Comparison }>[] = [
  { file: 'comparison.json', textOf: ({ comparison }) => `${writeFileJson(comparison, 2)}\n` },
  {
    file: 'delta.json',
    textOf: (view) =>
      `${writeFileJson({ ...deltaOf(view.comparison, view.history), groups: changeGroups(view) }, 2)}\n`,
  },
  { file: 'delta.md', textOf: deltaMarkdown },
];

function ofCoverage(file: string, textOf: (coverage: Coverage) => string): Report<View> {
  return { file, textOf: ({ conformance }) => textOf(coverageOf(conformance)) };
}

/** The reports of traffic that others made; of a run, the page says what it did not exercise. None has a name that a test runner takes for a test's. */
export const OF_TRAFFIC: readonly Report<View>[] = [
  ofCoverage('coverage.md', coverageMarkdown),
  ofCoverage('coverage.http', coverageHttp),
  ofCoverage('coverage.vitest.mjs', coverageTests),
];

/**
 * Writes the reports into a report directory.
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
    directory,
  });
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
  function write<V>(reports: readonly Report<V>[], of: V): void {
    for (const { file, textOf } of reports) {
      const path = join(directory, file);
      if (attempt(path, () => writeWholeFile(path, textOf(of, record)))) files.push(path);
    }
  }
  if (stepSummary)
    attempt('GITHUB_STEP_SUMMARY', () => appendToFile(stepSummary, markdown({ ...view, page: reportUrl })));
  const remove = (reports: readonly { file: string }[]) => {
    for (const { file } of reports) rmSync(join(directory, file), { force: true });
  };
  write(REPORTS, view);
  if (conformance.run.source === 'recording' || conformance.run.source === 'proxy') write(OF_TRAFFIC, view);
  else remove(OF_TRAFFIC);
  if (comparison) write(COMPARISONS, { ...view, comparison });
  else remove(COMPARISONS);
  return { files, unwritten, view };
}
