/** The name that a typing error was most probably meant to be. */

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

/** The known name that is nearest to a given one, and by how many characters it differs. `known` is not empty. */
export function nearest(name: string, known: readonly string[]): { known: string; far: number } {
  return known.map((one) => ({ known: one, far: distance(name, one) })).sort((a, b) => a.far - b.far)[0]!;
}

/** The nearest of ids and of their prefixes that end at a dot. */
export const nearestId = (pattern: string, ids: readonly string[]): string =>
  nearest(pattern, [...new Set(ids.flatMap(prefixes))]).known;

/** `a.b.c` -> `a`, `a.b`, `a.b.c` */
const prefixes = (id: string): string[] => id.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'));
