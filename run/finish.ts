/** Finishes a run: the record, the history, every report, and the summary for the person who started it. */
import { join } from 'node:path';
import type { Conformance } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { writeWholeFile } from '../files/write.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { writeReports } from '../reports/all.ts';
import { annotations } from '../reports/annotations.ts';
import { isRemembered, remember } from '../reports/history.ts';
import { CONFORMANCE, readRecord } from '../reports/record.ts';
import { type Earlier, repairsInWords } from '../reports/repairs.ts';
import { summaryText, wantsColours } from '../reports/summary.ts';
import { exitCode } from '../reports/verdicts.ts';
import { type View, viewOf } from '../reports/view.ts';
import { assemble, type Findings } from './assemble.ts';
import { openChangesNote } from './drop-record.ts';
import { forgetAnnounced } from './unfinished.ts';

/**
 * Writes conformance.json and all reports, and prints the summary. The verdict is printed even if nothing can be
 * written any more.
 * @param earlier the failures that the run tried again
 * @returns the exit code of the run
 */
export function finish(configuration: Configuration, findings: Findings, earlier?: Earlier): number {
  const { run } = configuration;
  const conformance = assemble(configuration, findings);
  const file = join(run.reportDir, CONFORMANCE);
  const unwritten = failureOf(file, () => writeWholeFile(file, `${writeFileJson(conformance, 1)}\n`));
  if (!unwritten) forgetAnnounced(run.reportDir);
  const code = unwritten ? say(viewOf(conformance), run.reportDir, [unwritten]) : reported(conformance, run);
  if (earlier) console.log(`${repairsInWords(earlier, conformance).join('\n')}\n`);
  const open = openChangesNote(run.reportDir);
  if (open) console.log(`${open}\n`);
  return code;
}

/** Like {@link report}; if the recorded files were damaged meanwhile, prints at least the verdict. */
function reported(conformance: Conformance, run: Configuration['run']): number {
  const { reportDir } = run;
  try {
    return report(conformance, reportDir, run);
  } catch (error) {
    return say(viewOf(conformance), reportDir, [`reports could not be written: ${(error as Error).message}`]);
  }
}

/**
 * Writes conformance.json and all reports without printing.
 * @throws Error with the system's code when the record cannot be written
 */
export function writeRecord(configuration: Configuration, findings: Findings): Conformance {
  const { reportDir, history, reportUrl } = configuration.run;
  const conformance = assemble(configuration, findings);
  writeWholeFile(join(reportDir, CONFORMANCE), `${writeFileJson(conformance, 1)}\n`);
  forgetAnnounced(reportDir);
  writeReports(reportDir, { history, reportUrl });
  return conformance;
}

/**
 * Adds a recorded run to the history, writes every report and prints the summary.
 * @returns the exit code of the run
 * @throws RecordError when the record, or the baseline kept beside it, cannot be read
 */
export function report(
  conformance: Conformance,
  directory: string,
  { history, reportUrl }: Pick<Configuration['run'], 'history' | 'reportUrl'>,
): number {
  const forgotten = failureOf(history, () => {
    if (isRemembered(conformance)) remember(conformance, history, readRecord(directory).exchanges);
  });
  const { view, unwritten } = writeReports(directory, {
    history,
    reportUrl,
    stepSummary: process.env.GITHUB_STEP_SUMMARY,
  });
  return say({ ...view, page: reportUrl }, directory, forgotten ? [forgotten, ...unwritten] : unwritten);
}

function say(view: View, directory: string, unwritten: readonly string[]): number {
  const { conformance } = view;
  console.log(summaryText(view, { directory, colours: wantsColours() }));
  if (process.env.GITHUB_ACTIONS) for (const annotation of annotations(view)) console.log(annotation);
  for (const reason of [...unwritten, ...(conformance.run.outOfReach ?? [])]) console.error(reason);
  return exitCode(conformance, view.comparison?.regressions);
}

function failureOf(what: string, write: () => unknown): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return `${what} could not be written: ${(error as Error).message}`;
  }
}
