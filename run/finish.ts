/** The end of a run: the record, the history, every report, and what the person who started it reads. */
import { join } from 'node:path';
import type { Conformance } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { writeWholeFile } from '../files/write.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { writeReports } from '../reports/all.ts';
import { annotations } from '../reports/annotations.ts';
import { appendHistory } from '../reports/history.ts';
import { CONFORMANCE } from '../reports/record.ts';
import { summaryText, wantsColours } from '../reports/summary.ts';
import { assemble, type Findings } from './assemble.ts';

/**
 * Writes conformance.json and all reports, and prints the summary.
 * @throws RecordError when the baseline cannot be read
 */
export function finish(configuration: Configuration, findings: Findings): Conformance {
  const { reportDir, baseline } = configuration.run;
  const conformance = assemble(configuration, findings);
  writeWholeFile(join(reportDir, CONFORMANCE), `${writeFileJson(conformance, 1)}\n`);
  if (conformance.run.selection === 'all') appendHistory(conformance);
  writeReports(reportDir, { baseline, stepSummary: process.env.GITHUB_STEP_SUMMARY });
  console.log(summaryText(conformance, { directory: reportDir, colours: wantsColours() }));
  if (process.env.GITHUB_ACTIONS) for (const annotation of annotations(conformance)) console.log(annotation);
  return conformance;
}
