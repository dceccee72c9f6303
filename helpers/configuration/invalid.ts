/** Faults of configuration values, and reading of the files that they name. */
import { UnusableFile } from '../../files/open.ts';
import { readFileBytes } from '../../files/read.ts';

/** Faults of one value. Each completes "NAME: ..." on one line and holds no secret. */
export class Invalid extends Error {
  /** At least one; each is shown on a line of its own. */
  readonly faults: string[];
  constructor(...faults: string[]) {
    super(faults.join('; '));
    this.faults = faults;
  }
}

/** Labels what is wrong with a value, as "NAME: ..."; rethrows anything else. */
export function labelled(label: string, error: unknown): string[] {
  if (!(error instanceof Invalid)) throw error;
  return error.faults.map((fault) => `${label}: ${fault}`);
}

/** Size limit of a configuration file or of a command's output, in MiB. */
export const MAX_MIB = 16;

const REASONS: Record<string, string> = { ENOENT: 'no such file', EACCES: 'the file may not be read' };

/** A reason with the path that it is about, unless that does not look like one: it may be a misplaced secret. */
export const withPath = (reason: string, path: string): string => (FILE.test(path) ? `${reason}: ${path}` : reason);

/** A path to a file with an ending, which secrets do not have. */
const FILE = /^(?!.*:\/\/)[\p{L}\p{N}_ .~:\\/-]*[\p{L}\p{N}_-]\.[A-Za-z][A-Za-z0-9]{0,7}$/u;

/** Reads a regular file. @throws {@link Invalid} */
export function readBytes(path: string): Buffer {
  try {
    return readFileBytes(path, MAX_MIB);
  } catch (error) {
    if (error instanceof UnusableFile) throw new Invalid(error.reason);
    throw new Invalid(
      withPath(REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'the file cannot be read', path),
    );
  }
}
