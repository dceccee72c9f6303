/** Reads HTTP Archives (HAR 1.2): a stream of entries, of any size, whole or gzip. */

import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JSONParser } from '@streamparser/json';
import type { Entry, Header, PostData } from 'har-format';
import { openFile } from '../files/open.ts';
import { isObject } from '../helpers/answer.ts';
import { decodeBody } from '../helpers/client/http/decode.ts';
import { type Headers, OWN_RESOLUTION_MS, type Own, type Recorded } from './recorded.ts';

/** A recording that cannot be read, or not to its end; the message says why. */
export class UnusableRecording extends Error {
  override name = 'UnusableRecording';
}

/** Size limit in MiB of one entry, as text: several times what an answer may have. */
const MOST_ENTRY_MIB = 64;
const MIB = 1024 * 1024;
/** Limit in bytes on the body of one answer. */
const MOST_BODY = 32 * MIB;

/** Opens a recording. @param path `-` for standard input @throws UnusableRecording, UnusableFile, Error with the system's code */
export function openRecording(path: string): Readable {
  if (path === '-') return process.stdin;
  try {
    return createReadStream('', { fd: openFile(path) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new UnusableRecording(`${path}: there is no such file`);
  }
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

/**
 * The exchanges of a recording, in its order. Requests of other protocols, and answers from a cache, are passed over.
 * @param onBytes told how many bytes were read so far
 * @throws UnusableRecording when it is no HTTP Archive, or is cut off: after what could be read
 */
export async function* readHar(
  input: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Recorded> {
  const parser = new JSONParser({ paths: ['$.log.entries.*'], keepStack: false });
  let entries: unknown[] = [];
  let count = 0;
  let failure: Error | undefined;
  parser.onValue = ({ value }) => {
    entries.push(value);
    count++;
  };
  parser.onError = (error) => {
    failure ??= error;
  };
  let bytes = 0;
  let since = 0;
  try {
    for await (const piece of unpacked(input)) {
      bytes += piece.length;
      since += piece.length;
      parser.write(piece);
      onBytes(bytes);
      if (entries.length > 0) since = 0;
      for (const entry of entries) yield* exchangeOf(entry);
      entries = [];
      if (failure) break;
      if (since > MOST_ENTRY_MIB * MIB)
        throw new UnusableRecording(
          count === 0 ? NO_HAR : `holds an entry of more than ${MOST_ENTRY_MIB} MiB after entry ${count}`,
        );
    }
  } catch (error) {
    if (error instanceof UnusableRecording) throw error;
    failure ??= error as Error;
  }
  if (count === 0) throw new UnusableRecording(NO_HAR);
  if (failure || !parser.isEnded) throw new UnusableRecording(`is cut off, or no JSON, after entry ${count}`);
}

const NO_HAR = 'is no HTTP Archive (HAR): it holds no log.entries';

/** An entry as an exchange; nothing where it is no HTTP exchange that tells something of the target. */
export function* exchangeOf(entry: unknown): Generator<Recorded> {
  if (!isObject(entry) || !isObject(entry.request) || !isObject(entry.response)) return;
  const { request, response, startedDateTime, time } = entry as unknown as Entry;
  if (typeof request.url !== 'string' || !/^https?:/i.test(request.url) || isFromCache(entry)) return;
  const headers = headersOf(response.headers);
  const sentAt = Date.parse(String(startedDateTime));
  yield {
    method: String(request.method),
    url: request.url,
    request: { headers: headersOf(request.headers), ...bodyOf(request.postData) },
    response: {
      status: Number.isInteger(response.status) ? response.status : 0,
      headers,
      body: contentOf(response, headers),
    },
    sentAt: Number.isNaN(sentAt) ? undefined : sentAt,
    durationMs: typeof time === 'number' ? time : 0,
    ...ownIn(entry._prepaidCardConformance),
  };
}

/** Whether a browser answered it itself. */
const isFromCache = (entry: Record<string, unknown>): boolean =>
  ['memory', 'disk'].includes(String(entry._fromCache)) || entry._fetchedViaServiceWorker === true;

/** What a run of this suite wrote down besides, the time more precisely among it; see reports/har.ts. */
function ownIn(value: unknown): Partial<Pick<Recorded, 'own' | 'sentAt' | 'resolutionMs'>> {
  if (!isObject(value)) return {};
  const { sentAt, ...own } = value;
  return { own: own as unknown as Own, ...(typeof sentAt === 'number' && { sentAt, resolutionMs: OWN_RESOLUTION_MS }) };
}

/** Headers by lower-case name, without the pseudo headers of HTTP/2. */
function headersOf(pairs: readonly Header[] | undefined): Headers {
  const headers: Headers = {};
  for (const pair of Array.isArray(pairs) ? pairs : []) {
    if (!isObject(pair) || typeof pair.name !== 'string' || pair.name.startsWith(':')) continue;
    const [name, value] = [pair.name.toLowerCase(), String(pair.value)];
    headers[name] = name in headers ? [headers[name]!, value].flat() : value;
  }
  return headers;
}

function bodyOf(data: PostData | undefined): { body?: Buffer } {
  if (!isObject(data)) return {};
  const { text, params, encoding } = data as { text?: unknown; params?: unknown; encoding?: unknown };
  if (typeof text === 'string' && text !== '')
    return { body: Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8') };
  const pairs = (Array.isArray(params) ? params : []).filter(isObject);
  if (pairs.length === 0) return {};
  return {
    body: Buffer.from(
      new URLSearchParams(pairs.map(({ name, value }) => [String(name), String(value ?? '')])).toString(),
    ),
  };
}

/** The body of an answer; undefined where the recording has not the whole of it. */
function contentOf({ content, status }: Entry['response'], headers: Headers): Buffer | undefined {
  if (!isObject(content)) return undefined;
  const { text, encoding, size } = content;
  if (typeof text !== 'string')
    return size > 0 || (size < 0 && status !== 204) || Number(headers['content-length']) > 0
      ? undefined
      : Buffer.alloc(0);
  if (text.length > MOST_BODY || isCut(content)) return undefined;
  return encoding === 'base64' ? decoded(Buffer.from(text, 'base64'), headers, status) : Buffer.from(text);
}

/** Whether the recorder says that it left something out. */
const isCut = (content: object): boolean =>
  '_truncated' in content || ('comment' in content && /truncat|cut/i.test(String(content.comment)));

/** Bytes without their Content-Encoding, which some recorders leave on. */
function decoded(bytes: Buffer, headers: Headers, status: number): Buffer {
  if (isText(bytes)) return bytes;
  try {
    return decodeBody(bytes, headers, status, MOST_BODY);
  } catch {
    return bytes;
  }
}

const isText = (bytes: Buffer): boolean => !bytes.includes(0) && !bytes.toString().includes('�');
