/** Prepares the report directory before a run. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { holdDirectory } from '../files/hold.ts';
import { setAside } from '../helpers/changes/left-open.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { keepBaseline } from '../reports/baseline.ts';
import { callOf } from '../reports/call-of.ts';
import { CONFORMANCE, EXCHANGES, RecordError } from '../reports/record.ts';
import { word } from '../reports/shell.ts';
import { announce } from './unfinished.ts';

/**
 * Keeps the baseline and drops the previous run's record; changes that run left open at the target are set aside for a
 * cleanup.
 * @throws DirectoryInUse when another run or command writes there; then nothing is touched
 * @throws RecordError when the baseline cannot be read; then nothing is dropped
 * @returns notes for the record of the coming run
 */
export function prepare(configuration: Configuration): string[] {
  const { reportDir, baseline } = configuration.run;
  holdDirectory(reportDir, 'a run');
  try {
    keepBaseline(baseline, reportDir);
  } catch (error) {
    throw error instanceof RecordError ? new RecordError(`RUN_BASELINE: ${error.message}`) : error;
  }
  const unfinished = setAside(reportDir);
  for (const name of [CONFORMANCE, EXCHANGES]) rmSync(join(reportDir, name), { force: true });
  const notes = unfinished
    ? [`An earlier run did not undo all its changes. To undo them: ${callOf('cleanup')} ${word(unfinished)}`]
    : [];
  try {
    announce(configuration);
  } catch (error) {
    notes.push(`If this run is killed, there will be no report: ${(error as Error).message}`);
  }
  return notes;
}
