/** Members that stand more than once in their object: observed (reading 3). */
import type { Answer } from '../answer.ts';

/** Paths of an operation that are kept: more of them tell a reader nothing new. */
const MOST = 10;

/** Collects the members that stand more than once, by operation. */
export class DuplicateMembers {
  /** Dotted paths without indexes, by operation. */
  readonly #paths = new Map<string, Set<string>>();

  /** Where they stand in the answers of the operation so far, this one included, in words; undefined for nowhere. */
  note({ operation, json }: Answer): string | undefined {
    if (!json?.ok || json.duplicateKeys.length === 0) return undefined;
    const paths = this.#paths.get(operation.id) ?? new Set();
    this.#paths.set(operation.id, paths);
    for (const pointer of json.duplicateKeys) if (paths.size < MOST) paths.add(pathOf(pointer));
    return [...paths].sort().join(', ');
  }
}

const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .filter((step) => step !== '' && !/^\d+$/.test(step))
    .join('.');
