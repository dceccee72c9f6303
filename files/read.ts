/** Reads files that somebody else may have put there, within limits of size. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { openFile, UnusableFile } from './open.ts';

/** Size limit in MiB of a file read whole and of a single line: many times what a run writes. */
const MOST_MIB = 256;
const MIB = 1024 * 1024;
const PIECE_BYTES = 1 << 18;

/**
 * Reads the text of a file.
 * @throws UnusableFile when it is not a file, or too large
 * @throws Error with the system's code
 */
export const readWholeFile = (path: string): string => readFileBytes(path).toString();

/**
 * Reads a file.
 * @throws UnusableFile when it is not a file, or larger than `mostMib`
 * @throws Error with the system's code
 */
export const readFileBytes = (path: string, mostMib = MOST_MIB): Buffer => Buffer.concat([...piecesOf(path, mostMib)]);

/**
 * Yields the lines of a file, reading in pieces so that an overlong line is never held whole.
 * @throws UnusableFile when it is not a file, or has an overlong line
 * @throws Error with the system's code
 */
export function* readLines(path: string): Generator<string> {
  /** The beginning of a line whose end was not read yet. */
  let begun: Buffer[] = [];
  let bytes = 0;
  const text = () => Buffer.concat(begun).toString();
  for (const piece of piecesOf(path)) {
    const end = piece.lastIndexOf('\n');
    begun.push(end < 0 ? piece : piece.subarray(0, end));
    bytes += piece.length;
    if (end >= 0) {
      yield* text().split('\n');
      begun = [piece.subarray(end + 1)];
      bytes = begun[0]!.length;
    }
    if (bytes > MOST_MIB * MIB) throw new UnusableFile(path, `has a line of more than ${MOST_MIB} MiB`);
  }
  const rest = text();
  if (rest !== '') yield rest;
}

/**
 * Yields the content of a file that is no larger than `mostMib`.
 * @throws UnusableFile when it is not a file, or larger
 * @throws Error with the system's code
 */
export function* piecesOf(path: string, mostMib = Number.POSITIVE_INFINITY): Generator<Buffer> {
  const descriptor = openFile(path);
  try {
    let { size } = fstatSync(descriptor);
    for (let read = 0; ; size = Math.max(size, read)) {
      // What is read counts as well: files of the system (/proc) are said to be empty.
      if (size > mostMib * MIB) throw new UnusableFile(path, `is larger than ${mostMib} MiB`);
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const length = readSync(descriptor, piece);
      if (length === 0) return;
      read += length;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Whether a file ends within a line, as when its writer was killed.
 * @throws UnusableFile when it is not a file
 * @throws Error with the system's code
 */
export function endsWithinLine(path: string): boolean {
  const descriptor = openFile(path);
  try {
    const last = Buffer.alloc(1);
    return readSync(descriptor, last, 0, 1, Math.max(0, fstatSync(descriptor).size - 1)) > 0 && last[0] !== 10;
  } finally {
    closeSync(descriptor);
  }
}
