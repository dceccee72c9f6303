/** Writes files completely or not at all. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseDamagedJson } from './json.ts';
import { openFile, UnusableFile } from './open.ts';

/**
 * Creates a directory and its missing parents. (mkdirSync's own recursion never ends in a file system that denies that
 * a directory exists, such as /proc.)
 * @throws Error with the system's code
 */
export function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(resolve(path));
  if (above !== resolve(path)) makeDirectory(above);
  try {
    mkdirSync(path);
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Writes a temporary file and renames it, so that nobody ever finds a partial file, and the old content survives a full
 * disk. Creates a missing directory. Replaces a link instead of following it, since in a directory from somebody else
 * it may lead anywhere.
 * @throws Error with the system's code
 */
export function writeWholeFile(path: string, text: string): void {
  makeDirectory(dirname(path));
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}`);
  rmSync(beside, { force: true });
  try {
    writeTo(beside, 'wx', text);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Writes to a path that the user named: follows a link, and writes directly to something other than a file (a pipe, a
 * terminal).
 * @throws Error with the system's code
 */
export function writeNamedFile(path: string, text: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile()) writeTo(path, 'w', text);
  else writeWholeFile(there ? realpathSync(path) : path, text);
}

function writeTo(path: string, flags: string, text: string): void {
  const descriptor = openSync(path, flags);
  try {
    writeAll(descriptor, Buffer.from(text));
    // Makes delayed write errors show here.
    if (statSync(path).isFile()) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Appends to a file that the user named: follows a link.
 * @throws UnusableFile when it is not a file
 * @throws Error with the system's code
 */
export function appendToFile(path: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  const descriptor = openFile(path, O_WRONLY | O_APPEND | O_CREAT);
  try {
    writeAll(descriptor, Buffer.from(text));
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

/** Length of an unfinished line, in bytes, beyond which it is not looked at. */
const MOST_REST_BYTES = 16 * 1024 * 1024;

/**
 * Makes a new file for lines that nobody else of this machine may read. One that is there is removed: it would keep its mode, and a link
 * leads elsewhere.
 * @throws UnusableFile when something other than a file or a link is in its place
 * @throws Error with the system's code
 */
export function makePrivateLines(path: string): LineFile {
  makeDirectory(dirname(path));
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile() && !there.isSymbolicLink()) throw new UnusableFile(path, 'is not a file');
  rmSync(path, { force: true });
  return new LineFile(path, false, 0o600);
}

/** A file that grows line by line. */
export class LineFile {
  readonly #descriptor: number;
  /** The end of the last complete line. */
  #end: number;

  /**
   * @param continues whether to append to existing content, whose last line is removed if it is not whole JSON;
   * otherwise the file must not exist
   * @param mode of a file that is made
   * @throws UnusableFile when something other than a file is in its place, such as a link
   * @throws Error with the system's code
   */
  constructor(path: string, continues: boolean, mode?: number) {
    const { O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = constants;
    // O_APPEND: after a line was taken back, the next one begins where that one began, and leaves no hole.
    const flags = O_RDWR | O_CREAT | O_APPEND | (continues ? 0 : O_EXCL) | (O_NOFOLLOW ?? 0);
    this.#descriptor = openFile(path, flags, mode);
    this.#end = endOfLines(this.#descriptor);
    const rest = fstatSync(this.#descriptor).size - this.#end;
    if (rest > 0 && rest <= MOST_REST_BYTES && isWhole(textAt(this.#descriptor, this.#end, rest))) this.write('');
    else if (rest > 0) this.#takeBack();
  }

  /**
   * Adds a line, completely or not at all.
   * @throws Error with the system's code
   */
  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    try {
      writeAll(this.#descriptor, bytes);
      this.#end += bytes.length;
    } catch (error) {
      this.#takeBack();
      throw error;
    }
  }

  /** Removes a partial line, which would spoil the next one. */
  #takeBack(): void {
    try {
      ftruncateSync(this.#descriptor, this.#end);
    } catch {
      // The file is full of what cannot be removed; the next line follows on it.
    }
  }

  /** Closes the file; call nothing afterwards. */
  close(): void {
    closeSync(this.#descriptor);
  }
}

const isWhole = (line: string) => parseDamagedJson(line) !== undefined;

function textAt(descriptor: number, start: number, length: number): string {
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, start);
  return bytes.toString();
}

/** The position after the last line break of a file, in bytes. */
function endOfLines(descriptor: number): number {
  const piece = Buffer.allocUnsafe(1 << 16);
  for (let end = fstatSync(descriptor).size; end > 0; ) {
    const start = Math.max(0, end - piece.length);
    const length = readSync(descriptor, piece, 0, end - start, start);
    const found = piece.subarray(0, length).lastIndexOf('\n');
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}
