/** Writes files completely or not at all. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

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

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

/** A file that grows line by line. */
export class LineFile {
  readonly #descriptor: number;
  /** The end of the last complete line. */
  #end: number;

  /**
   * @param continues whether to append to existing content; otherwise it is dropped
   * @throws Error with the system's code: ELOOP if a link is in its place
   */
  constructor(path: string, continues: boolean) {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
    // O_APPEND: after a line was taken back, the next one begins where that one began, and leaves no hole.
    const flags = O_WRONLY | O_CREAT | O_APPEND | (continues ? 0 : O_TRUNC) | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
    this.#descriptor = openSync(path, flags, 0o666);
    this.#end = continues ? fstatSync(this.#descriptor).size : 0;
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
      // A pipe or a terminal cannot be truncated.
    }
  }

  /** Closes the file; call nothing afterwards. */
  close(): void {
    closeSync(this.#descriptor);
  }
}
