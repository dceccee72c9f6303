/** Prepares the report directory before a run. */
import type { Configuration } from '../helpers/configuration/types.ts';
import { keepBaseline } from '../reports/baseline.ts';
import { RecordError } from '../reports/record.ts';
import { dropRecord } from './drop-record.ts';
import { announce } from './unfinished.ts';

/**
 * Prepares a held directory for the record of a new run.
 * @throws RecordError when the baseline cannot be read; then nothing is dropped
 * @returns notes for the record of the coming run
 */
export function prepare(configuration: Configuration): string[] {
  const { reportDir, baseline } = configuration.run;
  try {
    keepBaseline(baseline, reportDir);
  } catch (error) {
    throw error instanceof RecordError ? new RecordError(`RUN_BASELINE: ${error.message}`) : error;
  }
  const notes = dropRecord(reportDir);
  try {
    announce(configuration);
  } catch (error) {
    notes.push(`If this run is killed, there will be no report: ${(error as Error).message}`);
  }
  return notes;
}
