/** The report directory before a run. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setAside } from '../helpers/runner/cleanup.ts';
import { CONFORMANCE, EXCHANGES } from '../reports/record.ts';

/**
 * Drops the record of the run before; what that one left open at the target is set aside for a cleanup.
 * @returns notes for the record of the coming run
 */
export function prepare(reportDir: string): string[] {
  mkdirSync(reportDir, { recursive: true });
  const unfinished = setAside(reportDir);
  for (const name of [CONFORMANCE, EXCHANGES]) rmSync(join(reportDir, name), { force: true });
  return unfinished ? [`An earlier run left changes open; to undo them: npm run cleanup -- ${unfinished}`] : [];
}
