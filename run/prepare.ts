/** The report directory before a run. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { holdDirectory } from '../files/hold.ts';
import { setAside } from '../helpers/runner/cleanup.ts';
import { CONFORMANCE, EXCHANGES } from '../reports/record.ts';
import { callOf } from './call-of.ts';

/**
 * Drops the record of the run before; what that one left open at the target is set aside for a cleanup.
 * @throws DirectoryInUse when another run, or another command, writes there: then nothing is touched
 * @returns notes for the record of the coming run
 */
export function prepare(reportDir: string): string[] {
  holdDirectory(reportDir, 'a run');
  const unfinished = setAside(reportDir);
  for (const name of [CONFORMANCE, EXCHANGES]) rmSync(join(reportDir, name), { force: true });
  return unfinished ? [`An earlier run left changes open; to undo them: ${callOf('cleanup')} ${unfinished}`] : [];
}
