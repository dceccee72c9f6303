/** Detects unknown variables whose names look like ours. */
import { nearest } from './nearest.ts';
import { settings } from './settings.ts';

const KNOWN = settings.map(([, { variable }]) => variable).filter((name) => name !== undefined);

/** Largest edit distance from a known name at which a name still looks like a typing error. */
const TYPO = 3;

/** Normalises a name: shells and Windows accept lower case as well. */
const inCapitals = (name: string) => name.toUpperCase().replaceAll('-', '_');

/**
 * Faults of variables that are set but unknown, one line each. Reported are all TARGET_* names, every RUN_* name in the
 * env file, and known names in lower case or with dashes. A RUN_* name of the process environment may belong to
 * somebody else (continuous integration sets RUN_DISPLAY_URL and others), so there only likely typing errors are
 * reported.
 */
export function unknownNames(process: string[], file: string[]): string[] {
  const names = new Set([...process, ...file].filter((name) => /^(TARGET|RUN)_/.test(inCapitals(name))));
  return [...names]
    .filter((name) => !(KNOWN as string[]).includes(name))
    .map((name) => ({ name, ...nearest(inCapitals(name), KNOWN) }))
    .filter(
      ({ name, far }) =>
        name.startsWith('TARGET_') || file.includes(name) || far <= (name === inCapitals(name) ? TYPO : 0),
    )
    .map(({ name, known }) => `${name}: unknown variable; the nearest known one is ${known}`);
}
