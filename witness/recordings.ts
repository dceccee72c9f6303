/** Opens what recordings come in: files, zip archives of files, directories of these, standard input. */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { openFile } from '../files/open.ts';
import { type OddEntry, UnusableRecording } from './archive.ts';
import { type Attachments, besideFile, MOST_ATTACHMENT_MIB } from './attachments.ts';
import { type OnBytes, readHar } from './har.ts';
import type { Recorded } from './recorded.ts';

type Exchanges = AsyncGenerator<Recorded | OddEntry>;

/** What reading is told, and tells. */
export interface Reading {
  onBytes?: OnBytes;
  /** Ends it, for whatever it waits. */
  signal: AbortSignal;
}

/** Names of files in a directory that may be recordings. Playwright names attachments by a digest. */
const RECORDING = /\.(?:har|json)(?:\.gz)?$|\.zip$/i;
const ATTACHMENT = /^[\da-f]{40}\./;
/** Limit on files in a zip archive. */
const MOST_FILES = 200_000;

/**
 * The exchanges of a recording. Faults name the file.
 * @param path of a file, plain, gzip or zip, or of a directory, whose files are read in the order of their names; `-` for standard input
 * @throws UnusableRecording, UnusableFile, Error with the system's code; of a file in a directory it is told as an odd entry
 */
export async function* readRecording(path: string, reading: Reading): Exchanges {
  if (path === '-') return yield* named(path, readHar(addAbortSignal(reading.signal, process.stdin), path, reading));
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isDirectory) return yield* readDirectory(path, reading);
  yield* named(path, /\.zip$/i.test(path) ? readZip(path, reading) : readFile(path, reading));
}

async function* readDirectory(path: string, { onBytes, signal }: Reading): Exchanges {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && RECORDING.test(one.name) && !ATTACHMENT.test(one.name))
    .map((one) => join(one.parentPath, one.name))
    .toSorted();
  if (files.length === 0) throw new UnusableRecording(`${path} holds neither the record of a run nor recordings`);
  let before = 0;
  for (const file of files) {
    let read = 0;
    const onBytesOfFile = (bytes: number) => {
      read = bytes;
      onBytes?.(before + bytes);
    };
    try {
      yield* readRecording(file, { onBytes: onBytesOfFile, signal });
    } catch (error) {
      if (!(error instanceof UnusableRecording)) throw error;
      yield { odd: error.message };
    }
    before += read;
  }
}

const readFile = (path: string, { onBytes, signal }: Reading): Exchanges =>
  readHar(addAbortSignal(signal, createReadStream('', { fd: opened(path) })), path, {
    onBytes,
    attachments: besideFile((name) => join(dirname(path), name)),
  });

/** @returns a descriptor @throws UnusableRecording, UnusableFile, Error with the system's code */
function opened(path: string): number {
  try {
    return openFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new UnusableRecording(`${path}: there is no such file`);
  }
}

/** The exchanges of the archives in a zip file, as Playwright writes it: with attachments beside them. */
async function* readZip(path: string, { onBytes, signal }: Reading): Exchanges {
  const zip = await unzipped(fromFdPromise(opened(path), { lazyEntries: true, autoClose: false }));
  try {
    const entries = await entriesOf(zip);
    const archives = [...entries.keys()].filter((name) => /\.har$/i.test(name));
    if (archives.length === 0) throw new UnusableRecording('is a zip file without an HTTP Archive (.har)');
    const attachments: Attachments = async (name) => attachmentIn(zip, entries.get(name));
    for (const name of archives) {
      const stream: Readable = await unzipped(zip.openReadStreamPromise(entries.get(name)!));
      yield* readHar(addAbortSignal(signal, stream), `${path}/${name}`, { onBytes, attachments });
    }
  } finally {
    zip.close();
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > MOST_FILES) throw new UnusableRecording(`is a zip file of more than ${MOST_FILES} files`);
  const read = async () => {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  };
  await unzipped(read());
  return entries;
}

async function attachmentIn(zip: ZipFile, entry: Entry | undefined): Promise<Buffer | undefined> {
  if (!entry || entry.uncompressedSize > MOST_ATTACHMENT_MIB * 1024 * 1024) return undefined;
  try {
    return await buffer(await zip.openReadStreamPromise(entry));
  } catch {
    return undefined;
  }
}

/** What is made of a zip file. @throws UnusableRecording where it is none, or is damaged */
async function unzipped<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnusableRecording) throw error;
    throw new UnusableRecording(`is no zip file that can be read: ${(error as Error).message}`);
  }
}

/** A recording whose faults name it. */
async function* named(path: string, exchanges: Exchanges): Exchanges {
  try {
    yield* exchanges;
  } catch (error) {
    const isNamed = !(error instanceof UnusableRecording) || error.message.startsWith(path);
    throw isNamed ? error : new UnusableRecording(`${path} ${error.message}`);
  }
}
