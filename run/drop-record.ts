/** Makes room for a record where another one may be, and tells what is open in one. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { leftOpenInWords, setAside } from '../helpers/changes/left-open.ts';
import { callOf } from '../reports/call-of.ts';
import { CHANGES, CONFORMANCE, EXCHANGES } from '../reports/record.ts';
import { word } from '../reports/shell.ts';
import { visible } from '../reports/text.ts';

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
export function openChangesNote(directory: string): string | undefined {
  const open = leftOpenInWords(directory);
  return open && `Not undone, though it could be: ${visible(open)}. ${howToUndo(directory)}`;
}

const howToUndo = (directory: string) => `To undo them: ${callOf('cleanup')} ${word(directory)}`;
