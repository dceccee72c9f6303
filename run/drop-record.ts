/** Makes room for a record where another one may be, and tells what is open in one. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { leavesOpen, setAside } from '../helpers/changes/left-open.ts';
import { callOf } from '../reports/call-of.ts';
import { CHANGES, CONFORMANCE, EXCHANGES } from '../reports/record.ts';
import { word } from '../reports/shell.ts';

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
