/** Names of variables that look like ours and are not known. */
import { nearest } from './nearest.ts';
import { settings } from './settings.ts';

const KNOWN = settings.map(([, { variable }]) => variable).filter((name) => name !== undefined);

/** How far from a known name a name still looks like a typing error. */
const TYPO = 3;

/** A name as it would be written: shells and Windows take it in small letters, too. */
const inCapitals = (name: string) => name.toUpperCase().replaceAll('-', '_');

/**
 * Faults of names that are set but not known, one line each. TARGET_* names are all ours, and so is every RUN_* in the
 * env file, and what is one of ours but for small letters and dashes. A RUN_* of the process environment may be somebody
 * else's (continuous integration sets RUN_DISPLAY_URL and such), so there it is a fault only when it looks like a typing
 * error of one of ours.
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
