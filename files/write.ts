/** Writing of files: whole or not at all. */
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
 * Makes a directory and those above it; one that is there stays as it is. (mkdirSync's own way of doing that never ends in
 * a file system that denies that it is there, such as /proc.)
 * @throws Error with the code of the system
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
 * Writes a file beside its place and moves it there, so that nobody ever finds half of it, and what stood there stays when
 * the disk is full. The directory is made where it is missing. A link is replaced and not followed: in a directory that came
 * from somebody else it may lead anywhere.
 * @throws Error with the code of the system
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
 * Writes where the person who called the command said: a link is followed, and what is not a file (a pipe, a terminal) is written to.
 * @throws Error with the code of the system
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
    // What a disk promised and then cannot keep shows here at the latest.
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
  /** Where the last whole line ends. */
  #end: number;

  /**
   * @param continues whether to go on after what is there; otherwise that is dropped
   * @throws Error with the code of the system: ELOOP where a link stands in its place
   */
  constructor(path: string, continues: boolean) {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
    // Appending: what follows on a line that was taken back begins where that one began, and leaves no hole.
    const flags = O_WRONLY | O_CREAT | O_APPEND | (continues ? 0 : O_TRUNC) | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
    this.#descriptor = openSync(path, flags, 0o666);
    this.#end = continues ? fstatSync(this.#descriptor).size : 0;
  }

  /**
   * Adds a line, whole or not at all.
   * @throws Error with the code of the system
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

  /** A part of a line would spoil the next one. */
  #takeBack(): void {
    try {
      ftruncateSync(this.#descriptor, this.#end);
    } catch {
      // A pipe or a terminal has no end.
    }
  }

  /** Nothing is written after it. */
  close(): void {
    closeSync(this.#descriptor);
  }
}
