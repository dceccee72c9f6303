/** Finds the entries of an HTTP Archive, or of an export of newman, in its bytes, one at a time, in time and memory that its bytes alone bound. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A recording that cannot be read, or not to its end; the message says why. */
export class UnusableRecording extends Error {
  override name = 'UnusableRecording';
}

const MIB = 1024 * 1024;
/** Size limit in MiB of one entry, as text: several times what an answer may have. */
const MOST_ENTRY_MIB = 64;
/** Size limit in MiB of what is read without an entry that can be used. */
const MOST_PASSED_MIB = 1024;
/** Limits on the depth of an entry, and on its values: bodies are texts in it. */
const MOST_DEPTH = 1000;
const MOST_VALUES = 200_000;
/** Length in bytes up to which the name of a member is kept. */
const LONGEST_NAME = 16;

/** An entry that is not read, and why. */
export interface OddEntry {
  odd: string;
}

/** What stands among the entries: a parsed value, or why it is none. */
export type Found = { value: unknown } | OddEntry;

const NO_ARCHIVE = 'is no HTTP Archive (HAR): it holds no log.entries';
/** Where exchanges stand in a recording: in an HTTP Archive, and in an export of newman. */
const ENTRIES = ['log.entries', 'run.executions'];

/**
 * The entries of an archive, plain or gzip, in its order.
 * @param onBytes told how many bytes were read so far
 * @throws UnusableRecording when it is no HTTP Archive, or is cut off: after what could be read
 */
export async function* entriesIn(
  input: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Found> {
  const splitter = new Splitter();
  let [bytes, since, count] = [0, 0, 0];
  let failure: unknown;
  try {
    for await (const piece of unpacked(input)) {
      bytes += piece.length;
      since += piece.length;
      onBytes(bytes);
      for (const found of splitter.entriesIn(piece)) {
        since = 0;
        count++;
        yield found;
      }
      if (since > MOST_PASSED_MIB * MIB) break;
    }
  } catch (error) {
    failure = error;
  }
  if (count === 0) throw new UnusableRecording(NO_ARCHIVE);
  if (since > MOST_PASSED_MIB * MIB)
    throw new UnusableRecording(`holds no entry in ${MOST_PASSED_MIB} MiB after entry ${count}`);
  if (failure || !splitter.isAtEnd) throw new UnusableRecording(`is cut off, or no JSON, after entry ${count}`);
}

/** A stream without its gzip, where it has one. */
async function* unpacked(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces = input[Symbol.asyncIterator]();
  const first = await pieces.next();
  async function* all(): AsyncGenerator<Buffer> {
    if (!first.done) yield first.value;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  }
  const isGzip = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isGzip) return yield* all();
  const source = Readable.from(all());
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  yield* source.pipe(gunzip);
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Number of brackets around an entry: of the root, of its member, and of the entries. */
const AROUND = 3;

/** Follows strings and brackets alone: what is wrong within an entry shows when that is parsed, and concerns no other. */
class Splitter {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Beginning of the string that was read last outside entries. */
  #string = '';
  /** The member that is being read of the root, and of what stands in it. */
  readonly #names = ['', ''];
  #entry: PartialEntry | undefined;
  #hasEnded = false;

  /** Whether the root was closed, and nothing is open. */
  get isAtEnd(): boolean {
    return this.#hasEnded && this.#depth === 0;
  }

  /** The entries that end in a piece. */
  *entriesIn(piece: Buffer): Generator<Found> {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      if (this.#isInString) {
        at = this.#readString(piece, at);
        continue;
      }
      const byte = piece[at]!;
      if (this.#entry && this.#depth === AROUND && (byte === COMMA || byte === ARRAY_END || byte === OBJECT_END)) {
        this.#entry.add(piece.subarray(from, at));
        const found = this.#entry.end();
        this.#entry = byte === COMMA ? new PartialEntry() : undefined;
        from = at + 1;
        if (found) yield found;
      }
      const isBegun = this.#entry !== undefined;
      this.#follow(byte);
      if (!isBegun) from = at + 1;
    }
    this.#entry?.add(piece.subarray(from));
  }

  /** Reads on in a string. @returns the index of its last byte in the piece */
  #readString(piece: Buffer, from: number): number {
    let at = from;
    for (; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) break;
    }
    this.#isInString = at === piece.length;
    if (!this.#entry && this.#string.length < LONGEST_NAME)
      this.#string += piece.toString('latin1', from, Math.min(at, from + LONGEST_NAME));
    return at;
  }

  #follow(byte: number): void {
    if (byte === QUOTE) {
      this.#isInString = true;
      if (!this.#entry) this.#string = '';
    } else if (byte === COLON && this.#depth > 0 && this.#depth < AROUND) this.#names[this.#depth - 1] = this.#string;
    else if (byte === COMMA) this.#entry?.countValue(this.#depth);
    else if (byte === ARRAY || byte === OBJECT) this.#open(byte);
    else if (byte === ARRAY_END || byte === OBJECT_END) this.#close();
  }

  #open(byte: number): void {
    this.#depth++;
    this.#entry?.countValue(this.#depth);
    if (this.#depth < AROUND) this.#names[this.#depth - 1] = '';
    const areEntries = byte === ARRAY && this.#depth === AROUND && ENTRIES.includes(this.#names.join('.'));
    if (areEntries) this.#entry = new PartialEntry();
  }

  #close(): void {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth === 0) this.#hasEnded = true;
  }
}

/** An entry whose end was not read yet. */
class PartialEntry {
  #parts: Buffer[] = [];
  #bytes = 0;
  #values = 0;
  #odd: string | undefined;

  add(part: Buffer): void {
    if (this.#odd !== undefined) return;
    this.#bytes += part.length;
    if (this.#bytes > MOST_ENTRY_MIB * MIB) this.#refuse(`is larger than ${MOST_ENTRY_MIB} MiB`);
    else this.#parts.push(part);
  }

  countValue(depth: number): void {
    if (this.#odd !== undefined) return;
    if (++this.#values > MOST_VALUES) this.#refuse(`holds more than ${MOST_VALUES} values`);
    else if (depth > MOST_DEPTH) this.#refuse(`is nested deeper than ${MOST_DEPTH} levels`);
  }

  /** What it is; undefined where nothing stands there. */
  end(): Found | undefined {
    if (this.#odd !== undefined) return { odd: this.#odd };
    const text = Buffer.concat(this.#parts).toString().trim();
    if (text === '') return undefined;
    try {
      return { value: JSON.parse(text) as unknown };
    } catch {
      return { odd: 'is no JSON' };
    }
  }

  #refuse(why: string): void {
    this.#odd = why;
    this.#parts = [];
  }
}
