/** Reading of files that somebody else may have put there: a pipe that never ends, a device, a line of gigabytes. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

/** MiB of a file that is read whole, and of a line: many times what a run writes. */
const MOST_MIB = 256;
const MIB = 1024 * 1024;

/** What is there cannot be read as a file; the message says why, without the path. */
export class NotReadable extends Error {
  override name = 'NotReadable';
}

/**
 * The text of a file.
 * @throws NotReadable when it is not a file, or is too large
 * @throws Error with the code of the system
 */
export function readWholeFile(path: string): string {
  if (fileSize(path) > MOST_MIB * MIB) throw new NotReadable(`is larger than ${MOST_MIB} MiB`);
  return readFileSync(path, 'utf8');
}

/**
 * The lines of a file, read in pieces so that a long one is never in memory whole.
 * @throws NotReadable when it is not a file, or has a line that is too long
 * @throws Error with the code of the system
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
