import { settings } from './settings.ts';

const KNOWN = settings.map(([, { variable }]) => variable).filter((name) => name !== undefined);

/** Insertions, deletions and replacements of characters that turn one text into the other. */
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

const nearest = (name: string) =>
  KNOWN.map((known) => ({ known, far: distance(name, known) })).sort((a, b) => a.far - b.far)[0]!;

/** How far from a known name a name still looks like a typing error. */
const TYPO = 3;

/**
 * Faults of names that are set but not known, one line each. TARGET_* names are all ours, and so is every RUN_* in the
 * env file. A RUN_* of the process environment may be somebody else's (continuous integration sets RUN_DISPLAY_URL and
 * such), so there it is a fault only when it looks like a typing error of one of ours.
 */
export function unknownNames(process: string[], file: string[]): string[] {
  const names = new Set([...process, ...file].filter((name) => /^(TARGET|RUN)_/.test(name)));
  return [...names]
    .filter((name) => !(KNOWN as string[]).includes(name))
    .map((name) => ({ name, ...nearest(name) }))
    .filter(({ name, far }) => name.startsWith('TARGET_') || file.includes(name) || far <= TYPO)
    .map(({ name, known }) => `${name}: unknown variable; the nearest known one is ${known}`);
}
