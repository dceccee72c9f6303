/** Finds the names that typing errors were most likely meant to be. */
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
    .filter((name) => !KNOWN.includes(name))
    .map((name) => ({ name, ...nearest(inCapitals(name), KNOWN) }))
    .filter(
      ({ name, far }) =>
        name.startsWith('TARGET_') || file.includes(name) || far <= (name === inCapitals(name) ? TYPO : 0),
    )
    .map(({ name, known }) => `${name}: unknown variable; the nearest known one is ${known}`);
}

/** Edit distance: the number of inserted, deleted and replaced characters. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, character] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (to[j - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}

/** The known name nearest to a given one, and its edit distance. `known` must not be empty. */
function nearest(name: string, known: readonly string[]): { known: string; far: number } {
  return known.map((one) => ({ known: one, far: distance(name, one) })).sort((a, b) => a.far - b.far)[0]!;
}

/**
 * Says that a pattern matches nothing, and which id or dotted prefix is nearest, unless all differ in more than half of its characters.
 *
 * @example
 * matchesNone('cards.grab', 'requirement', ids) // '"cards.grab" matches no requirement; the nearest is cards.get'
 */
export function matchesNone(pattern: string, kind: 'operation' | 'requirement', ids: readonly string[]): string {
  const { known, far } = nearest(pattern, [...new Set(ids.flatMap(prefixes))]);
  const suggestion = far <= pattern.length / 2 ? `; the nearest is ${known}` : '';
  return `${JSON.stringify(pattern)} matches no ${kind}${suggestion}`;
}

/** `a.b.c` -> `a`, `a.b`, `a.b.c` */
const prefixes = (id: string): string[] => id.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'));
