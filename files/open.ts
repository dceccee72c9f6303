/** Opens files that somebody else may have put there: a pipe that never ends, a device, a link that leads elsewhere. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** A path cannot be used as a file; the message names it. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
  /** Why, without the path: `is not a file`. */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Opens a regular file, without waiting for whoever is at the other end of a pipe. Every file that others may have
 * made is opened here.
 * @param flags those of open(2); with O_NOFOLLOW a link in its place is refused
 * @param mode of a file that is made
 * @returns the descriptor
 * @throws UnusableFile when it is a directory, a pipe, a device, or a link that must not be followed
 * @throws Error with the system's code
 */
export function openFile(path: string, flags = constants.O_RDONLY, mode = 0o666): number {
  let descriptor: number;
  try {
    // Where the system knows no such flag (Windows), there is no such file either.
    descriptor = openSync(path, flags | (constants.O_NONBLOCK ?? 0), mode);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP') throw new UnusableFile(path, 'is a link; remove it');
    // A directory, or a pipe that nobody reads.
    if (code === 'EISDIR' || code === 'ENXIO') throw new UnusableFile(path, NOT_A_FILE);
    throw error;
  }
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new UnusableFile(path, NOT_A_FILE);
}

const NOT_A_FILE = 'is not a file';
