/** The end of a run: the record, the history, every report, and what the person who started it reads. */
import { join } from 'node:path';
import type { Conformance } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { writeWholeFile } from '../files/write.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { writeReports } from '../reports/all.ts';
import { annotations } from '../reports/annotations.ts';
import { isRemembered, remember } from '../reports/history.ts';
import { CONFORMANCE } from '../reports/record.ts';
import { summaryText, wantsColours } from '../reports/summary.ts';
import { exitCode } from '../reports/verdicts.ts';
import { assemble, type Findings } from './assemble.ts';

/**
 * Writes conformance.json and all reports, and prints the summary.
 * @returns the exit code of the run
 */
export function finish({ run, ...configuration }: Configuration, findings: Findings): number {
  const conformance = assemble({ run, ...configuration }, findings);
  writeWholeFile(join(run.reportDir, CONFORMANCE), `${writeFileJson(conformance, 1)}\n`);
  return report(conformance, run.reportDir, run.history);
}

/**
 * Remembers a run whose record is written, makes every report of it and prints the summary.
 * @returns the exit code of the run
 * @throws RecordError when the record or the baseline that is kept beside it cannot be read
 */
export function report(conformance: Conformance, directory: string, history: string): number {
  if (isRemembered(conformance)) remember(conformance, history);
  const { view } = writeReports(directory, { history, stepSummary: process.env.GITHUB_STEP_SUMMARY });
  console.log(summaryText(view, { directory, colours: wantsColours() }));
  if (process.env.GITHUB_ACTIONS) for (const annotation of annotations(view)) console.log(annotation);
  for (const reason of conformance.run.outOfReach ?? []) console.error(reason);
  return exitCode(conformance, view.comparison?.regressions);
}
