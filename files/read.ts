/** Reads files that somebody else may have put there: a pipe that never ends, a device, a line of gigabytes. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

/** Size limit in MiB of a file read whole and of a single line: many times what a run writes. */
const MOST_MIB = 256;
const MIB = 1024 * 1024;

/** The path cannot be read as a file; the message gives the reason, without the path. */
export class NotReadable extends Error {
  override name = 'NotReadable';
}

/**
 * Reads the text of a file.
 * @throws NotReadable when it is not a file, or too large
 * @throws Error with the system's code
 */
export function readWholeFile(path: string): string {
  if (fileSize(path) > MOST_MIB * MIB) throw new NotReadable(`is larger than ${MOST_MIB} MiB`);
  return readFileSync(path, 'utf8');
}

/**
 * Yields the lines of a file, reading in pieces so that an overlong line is never held whole.
 * @throws NotReadable when it is not a file, or has an overlong line
 * @throws Error with the system's code
 */
export function* readLines(path: string): Generator<string> {
  fileSize(path);
  const descriptor = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(1 << 18);
    const decoder = new TextDecoder();
    let rest = '';
    for (let length = readSync(descriptor, piece); length > 0; length = readSync(descriptor, piece)) {
      const lines = (rest + decoder.decode(piece.subarray(0, length), { stream: true })).split('\n');
      rest = lines.pop()!;
      if (rest.length > MOST_MIB * MIB) throw new NotReadable(`has a line of more than ${MOST_MIB} MiB`);
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(descriptor);
  }
}

function fileSize(path: string): number {
  const found = statSync(path);
  if (!found.isFile()) throw new NotReadable('is not a file');
  return found.size;
}
