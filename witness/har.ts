/** Reads the entries of HTTP Archives (HAR 1.2), as browsers, proxies and API clients write them, and the executions of newman. */
import { z } from 'zod';
import { INTENTS, isObject } from '../helpers/answer.ts';
import { decodeBody } from '../helpers/client/http/decode.ts';
import { readJson } from '../helpers/json.ts';
import { entriesIn, type OddEntry } from './archive.ts';
import { type Attachments, withAttachments } from './attachments.ts';
import { isBodyLeftOut, type SaidOfBody } from './left-out.ts';
import { entryOfExecution, isExecution } from './newman.ts';
import { faultIn, type Headers, OWN_RESOLUTION_MS, type Own, type Recorded } from './recorded.ts';

/** Told how many bytes of a recording were read so far. */
export type OnBytes = (bytes: number) => void;

/** Limit in bytes on a body. */
const MOST_BODY = 32 * 1024 * 1024;
/** Limits on the headers of a message, or parameters of an address, and on their characters: many times what servers take. */
const MOST_PAIRS = 1000;
const LONGEST_PAIRS = 1024 * 1024;

/**
 * The exchanges of a recording, in its order. Requests of other protocols, and what did not come from the target, are passed over; an entry that
 * cannot be read is told, and concerns no other.
 * @param recording what the exchanges are said to come from
 * @param options.onBytes told how many bytes were read so far
 * @param options.attachments bodies that stand beside the archive
 * @throws UnusableRecording when it is no HTTP Archive, or is cut off: after what could be read
 */
export async function* readHar(
  input: AsyncIterable<Buffer>,
  recording: string,
  { onBytes, attachments = async () => undefined }: { onBytes?: OnBytes | undefined; attachments?: Attachments } = {},
): AsyncGenerator<Recorded | OddEntry> {
  let number = 0;
  for await (const found of entriesIn(input, onBytes)) {
    number++;
    if ('odd' in found) yield { odd: `entry ${number} of ${recording} ${found.odd}` };
    else yield* exchangeOf(await withAttachments(found.value, attachments), number, recording);
  }
}

/** An entry as an exchange; nothing where it tells nothing of the target. */
export function* exchangeOf(entry: unknown, number: number, recording: string): Generator<Recorded | OddEntry> {
  try {
    const recorded = read(isExecution(entry) ? entryOfExecution(entry) : entry);
    if (recorded) yield { ...recorded, recording };
  } catch (error) {
    const why = error instanceof OddPart ? error.message : 'cannot be read';
    yield { odd: `entry ${number} of ${recording} ${why}` };
  }
}

/** A part of an entry is not what it has to be; the message says so. */
class OddPart extends Error {}

/** @throws OddPart */
function read(entry: unknown): Recorded | undefined {
  if (!isObject(entry) || !isObject(entry.request)) throw new OddPart('has no request');
  const { request, startedDateTime, time } = entry;
  if (typeof request.url !== 'string') throw new OddPart('has no address');
  if (!/^https?:/i.test(request.url) || !isFromTarget(entry)) return undefined;
  const url = addressOf(request.url, request.queryString);
  const method = String(request.method);
  const fault = faultIn({ method, url });
  if (fault) throw new OddPart(fault);
  const sentAt = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN;
  return {
    method,
    url,
    request: requestOf(request),
    response: responseOf(isObject(entry.response) ? entry.response : {}, method),
    sentAt: Number.isNaN(sentAt) ? undefined : sentAt,
    durationMs: typeof time === 'number' ? time : 0,
    ...ownIn(entry._prepaidCardConformance),
  };
}

/** Whether the target answered: neither a browser from its cache, nor a test in the target's place. */
const isFromTarget = (entry: Record<string, unknown>): boolean =>
  !['memory', 'disk'].includes(String(entry._fromCache)) &&
  entry._fetchedViaServiceWorker !== true &&
  entry._wasFulfilled !== true;

/** An address, with parameters that stand beside it alone. @throws OddPart */
function addressOf(url: string, queryString: unknown): string {
  const pairs = pairsIn(queryString);
  const query = !url.includes('?') && pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  const [address = '', fragment] = url.split('#', 2);
  return `${address}${query}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Names and values, as far as they are texts or numbers. @throws OddPart when there are too many */
function pairsIn(list: unknown): [name: string, value: string][] {
  const isValue = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const pairs = (Array.isArray(list) ? list : [])
    .filter(isObject)
    .filter(({ name, value }) => typeof name === 'string' && (isValue(value) || value === undefined))
    .map(({ name, value = '' }): [string, string] => [String(name), String(value)]);
  const length = pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (pairs.length > MOST_PAIRS || length > LONGEST_PAIRS) throw new OddPart('has too many headers or parameters');
  return pairs;
}

/** Headers by lower-case name, without the pseudo headers of HTTP/2. @throws OddPart */
function headersOf(list: unknown): Headers {
  const pairs = pairsIn(list).filter(([name]) => !name.startsWith(':'));
  const byName = Map.groupBy(pairs, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    [...byName].map(([name, all]) => [name, all.length === 1 ? all[0]![1] : all.map(([, value]) => value)]),
  );
}

/** @throws OddPart */
function requestOf({ headers: list, postData, bodySize }: Record<string, unknown>): Recorded['request'] {
  const data = isObject(postData) ? postData : {};
  const given = headersOf(list);
  const isTypeKnown = Object.keys(given).length === 0 && typeof data.mimeType === 'string' && data.mimeType !== '';
  const headers = isTypeKnown ? { 'content-type': String(data.mimeType) } : given;
  const pairs = data.text ? [] : pairsIn(data.params);
  const form = pairs.length > 0 ? Buffer.from(new URLSearchParams(pairs).toString()) : undefined;
  const body = form ?? bodyIn(data, { headers: given, size: bodySize });
  return {
    headers,
    areHeadersLeftOut: !Array.isArray(list),
    ...(body === undefined ? { isBodyLeftOut: true } : body.length > 0 && { body }),
  };
}

/** RFC 9110 section 15; a recorder writes another one for no answer. */
const isStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 999;

/** Statuses whose answers have no body (RFC 9110 section 6.4.1). */
const BODILESS = [204, 304];

/** @throws OddPart */
function responseOf(response: Record<string, unknown>, method: string): Recorded['response'] {
  const status = isStatus(response.status) ? response.status : 0;
  const headers = headersOf(response.headers);
  const content = isObject(response.content) ? response.content : {};
  const hasNone = BODILESS.includes(status) || method === 'HEAD';
  const said = { headers, size: content.size, wireSize: response.bodySize };
  return { status, headers, body: hasNone ? Buffer.alloc(0) : bodyIn(content, said) };
}

/** The body of a message; undefined where the recording has not the whole of it. */
function bodyIn(
  content: Record<string, unknown>,
  said: Pick<SaidOfBody, 'headers' | 'size' | 'wireSize'>,
): Buffer | undefined {
  const { text } = content;
  const bytes = typeof text === 'string' ? bytesOf(text, content.encoding) : Buffer.alloc(0);
  const body = bytes && decoded(bytes, said.headers);
  if (!bytes || !body || isCut(content)) return undefined;
  const heldBytes = typeof text === 'string' ? Math.max(bytes.length, body.length) : undefined;
  return isBodyLeftOut({ ...said, heldBytes, isJson: () => readJson(body).ok }) ? undefined : body;
}

/** The bytes of a body; undefined where they cannot be told. */
function bytesOf(text: string, encoding: unknown): Buffer | undefined {
  if (text.length > MOST_BODY) return undefined;
  if (encoding === undefined || encoding === null || encoding === '') return Buffer.from(text);
  return /^base64$/i.test(String(encoding)) && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** RFC 4648, in both alphabets, with line breaks. */
const BASE64 = /^[A-Za-z\d+/\s_-]*={0,2}\s*$/;

/** Whether the recorder says that it left something out. */
const isCut = (content: object): boolean =>
  '_truncated' in content || ('comment' in content && /truncat|cut/i.test(String(content.comment)));

/** Bytes without their Content-Encoding, which some recorders leave on; undefined where they have one that cannot be undone. */
function decoded(bytes: Buffer, headers: Headers): Buffer | undefined {
  if (isText(bytes)) return bytes;
  const coding = headers['content-encoding'] ?? CODINGS.find(({ magic }) => bytes.indexOf(magic) === 0)?.name;
  // Of an answer without headers nobody knows the coding.
  if (coding === undefined) return Object.keys(headers).length > 0 ? bytes : undefined;
  try {
    const body = decodeBody(bytes, { 'content-encoding': coding }, 0, MOST_BODY);
    return body === bytes ? undefined : body;
  } catch {
    return undefined;
  }
}

/** How bytes begin that are compressed (RFC 1952, RFC 8878). */
const CODINGS = [
  { name: 'gzip', magic: Buffer.from([0x1f, 0x8b]) },
  { name: 'zstd', magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) },
];

const isText = (bytes: Buffer): boolean => !bytes.includes(0) && !bytes.toString().includes('\ufffd');

/** What stands for a credential in a record. */
const NUMBER = /^[\w. -]{1,60}$/;

/** What a run of this suite knows besides of an exchange, and its time more precisely; see reports/har.ts. */
const own = z.object({
  operation: z.string(),
  intent: z.enum(INTENTS),
  wrong: z
    .object({ what: z.string(), isFiltered: z.boolean().optional(), hasExpired: z.boolean().optional() })
    .optional(),
  credential: z.string().regex(NUMBER).optional(),
  gives: z.string().regex(NUMBER).optional(),
  sentAt: z.number().optional(),
});

function ownIn(value: unknown): Partial<Pick<Recorded, 'own' | 'sentAt' | 'resolutionMs'>> {
  const known = own.safeParse(value).data;
  if (!known) return {};
  const { sentAt, ...rest } = known;
  return { own: rest satisfies Own, ...(sentAt !== undefined && { sentAt, resolutionMs: OWN_RESOLUTION_MS }) };
}
