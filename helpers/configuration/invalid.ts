/** What is wrong with a value of the configuration, and the files that values name. */
import { readFileSync, statSync } from 'node:fs';

/** What is wrong with one value; each fault completes "NAME: ..." on one line and holds no secret. */
export class Invalid extends Error {
  /** One or more, each to be shown as a line of its own. */
  readonly faults: string[];
  constructor(...faults: string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

/** The most that a file or program of the configuration may give. */
export const MAX_BYTES = 16 * 1024 * 1024;

const REASONS: Record<string, string> = { ENOENT: 'no such file', EACCES: 'the file may not be read' };

/** What a regular file holds. @throws {@link Invalid}; the path is not in the message, since it may be a misplaced secret. */
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
