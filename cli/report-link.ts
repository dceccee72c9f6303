/** Links from a page to the reports of the runs that it is about. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The report directory of a run that is named by it or by its conformance.json. */
export const directoryOf = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));

/**
 * The address of the page of a run from where another page goes.
 * @param out the file of that page; undefined where it is printed, and stands nowhere
 */
export function reportBeside(path: string, out: string | undefined): string | undefined {
  const page = join(directoryOf(path), 'index.html');
  if (out === undefined || !existsSync(page)) return undefined;
  // Part by part: a directory may be called javascript:..., or hold # or ?.
  return relative(dirname(out), page).split(sep).map(encodeURIComponent).join('/');
}
