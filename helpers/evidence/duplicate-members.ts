/** Observes duplicate members of an object (reading 3). */
import type { Answer } from '../answer.ts';

/** Number of paths kept per operation; more would be of no use to a reader. */
const MOST = 10;

export class DuplicateMembers {
  /** Dotted paths without indexes, by operation. */
  readonly #paths = new Map<string, Set<string>>();

  /** Adds an answer. @returns the paths of all duplicates of its operation so far, in words */
  note({ operation, json }: Answer): string | undefined {
    if (!json?.ok || json.duplicates.length === 0) return undefined;
    const paths = this.#paths.get(operation.id) ?? new Set();
    this.#paths.set(operation.id, paths);
    for (const path of json.duplicates)
      if (paths.size < MOST) paths.add(path.filter((step) => typeof step === 'string').join('.'));
    return [...paths].sort().join(', ');
  }
}
