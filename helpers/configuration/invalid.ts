/** Faults of configuration values, and reading of the files that they name. */
import { readFileSync, statSync } from 'node:fs';

/** Faults of one value. Each completes "NAME: ..." on one line and holds no secret. */
export class Invalid extends Error {
  /** At least one; each is shown on a line of its own. */
  readonly faults: string[];
  constructor(...faults: string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

/** Size limit of a configuration file or of a command's output, in bytes. */
export const MAX_BYTES = 16 * 1024 * 1024;

const REASONS: Record<string, string> = { ENOENT: 'no such file', EACCES: 'the file may not be read' };

/** Reads a regular file. @throws {@link Invalid} without the path, which may be a misplaced secret */
export function readBytes(path: string): Buffer {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw new Invalid('is not a file');
    if (stat.size > MAX_BYTES) throw new Invalid(`the file is larger than ${MAX_BYTES / 1024 / 1024} MB`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Invalid) throw error;
    throw new Invalid(REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'the file cannot be read');
  }
}
