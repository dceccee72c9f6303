/** Prepares the report directory for a record, and tells what is open in one. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { leavesOpen, setAside } from '../helpers/changes/left-open.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { keepBaseline } from '../reports/baseline.ts';
import { callOf } from '../reports/call-of.ts';
import { CHANGES, CONFORMANCE, EXCHANGES, RecordError } from '../reports/record.ts';
import { word } from '../reports/shell.ts';
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

/**
 * Drops the record in a held directory, so that another one can be written there. Changes that are open in it are set
 * aside for a cleanup.
 * @returns where they are, in words
 */
export function dropRecord(directory: string): string[] {
  const unfinished = setAside(directory);
  for (const name of [CONFORMANCE, EXCHANGES, CHANGES]) rmSync(join(directory, name), { force: true });
  return unfinished ? [`An earlier run did not undo all its changes. ${howToUndo(unfinished)}`] : [];
}

/** What to do about changes that are open in the record of a directory; undefined if there are none. */
export const openChangesNote = (directory: string): string | undefined =>
  leavesOpen(directory) ? `Some changes were not undone. ${howToUndo(directory)}` : undefined;

const howToUndo = (directory: string) => `To undo them: ${callOf('cleanup')} ${word(directory)}`;
