/** Writing of files: whole or not at all. */
import {
  closeSync,
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
 * the disk is full. The directory is made where it is missing. What is no file (a pipe, a terminal) is written to.
 * @throws Error with the code of the system
 */
export function writeWholeFile(path: string, text: string): void {
  makeDirectory(dirname(path));
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isFile()) {
    writeTo(path, 'w', text);
    return;
  }
  const place = there ? realpathSync(path) : path;
  const beside = join(dirname(place), `.${basename(place)}.${process.pid}`);
  try {
    writeTo(beside, 'w', text);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
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

  /** @param continues whether to go on after what is there; otherwise that is dropped */
  constructor(path: string, continues: boolean) {
    this.#descriptor = openSync(path, continues ? 'a' : 'w');
    this.#end = continues ? statSync(path).size : 0;
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
      // It is no file that has an end.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
