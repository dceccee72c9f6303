/** Links a page to the reports of the runs that it covers. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The report directory of a run, given the directory or its conformance.json. */
export const directoryOf = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));

/**
 * The relative address of a run's page from another page.
 * @param out the file of that other page; undefined if it is printed and has no place
 */
export function reportBeside(path: string, out: string | undefined): string | undefined {
  const page = join(directoryOf(path), 'index.html');
  if (out === undefined || !existsSync(page)) return undefined;
  // Encoded by segment: a directory may be called javascript:..., or hold # or ?.
  return relative(dirname(out), page).split(sep).map(encodeURIComponent).join('/');
}
