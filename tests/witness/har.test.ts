import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readHar } from '../../witness/har.ts';
import type { Recorded } from '../../witness/recorded.ts';
import { cards, entry } from './entries.ts';

const archive = (entries: readonly unknown[]) => JSON.stringify({ log: { version: '1.2', entries } });

/** The exchanges of an archive that arrives in small pieces. */
async function readingOf(text: string | Buffer, read: Recorded[] = []): Promise<Recorded[]> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(7 * i, 7 * i + 7));
  for await (const one of readHar(Readable.from(pieces))) read.push(one);
  return read;
}
const readFrom = (...entries: unknown[]) => readingOf(archive(entries));

test('plain and gzip', async () => {
  const [plain] = await readFrom(cards(0, 't'));
  expect(await readingOf(gzipSync(archive([cards(0, 't')])))).toEqual([plain]);
  const sentAt = Date.UTC(2026, 4, 10, 12);
  expect(plain).toMatchObject({
    method: 'GET',
    url: 'https://cards.example/cards/cards?max=5',
    durationMs: 20,
    sentAt,
  });
});

const GET = { request: 'GET /cards/cards' };
const listing = { results: [{ identifier: 'ä' }] };
const json = JSON.stringify(listing);

/** An answer whose body stands in base64, compressed as a header says. */
function inBase64(bytes: Buffer, compression?: string) {
  const one = entry({ ...GET, content: { size: bytes.length, text: bytes.toString('base64'), encoding: 'base64' } });
  if (compression) one.response.headers.push({ name: 'Content-Encoding', value: compression });
  return one;
}

test.each([
  ['in base64', inBase64(Buffer.from(json)), json],
  ['that the recorder left in gzip', inBase64(gzipSync(json), 'gzip'), json],
  ['that the recorder left in br', inBase64(brotliCompressSync(json), 'br'), json],
  ['that is missing', entry({ ...GET, content: { size: 12 } }), undefined],
  ['that is cut', entry({ ...GET, answer: listing, content: { comment: 'truncated' } }), undefined],
  ['that is empty', entry({ ...GET, status: 204 }), ''],
])('a body %s', async (_, one, body) => {
  expect((await readFrom(one)).map(({ response }) => response.body?.toString())).toEqual([body]);
});

test('a form, given as parameters; headers without those of HTTP/2, in lower case, repeated ones together', async () => {
  const one = entry({ request: 'POST /t', headers: { ':authority': 'cards.example', Accept: 'a' } });
  one.request.headers.push({ name: 'accept', value: 'b' });
  one.request.postData = { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: 'b c' }] };
  const [{ request }] = (await readFrom(one)) as [Recorded];
  expect(request).toMatchObject({ headers: { accept: ['a', 'b'] }, body: Buffer.from('a=b+c') });
  expect(Object.keys(request.headers)).toEqual(['accept']);
});

test('what is no HTTP exchange, or came from a cache, is passed over', async () => {
  const socket = entry({ request: 'GET wss://cards.example/' });
  const cached = entry({ ...GET, more: { _fromCache: 'memory' } });
  expect(await readFrom(socket, cached, null, 7, {}, { request: {}, response: {} })).toEqual([]);
});

test.each([undefined, 'yesterday', null])('an entry with the time %s', async (startedDateTime) => {
  expect((await readFrom({ ...cards(0, 't'), startedDateTime })).map(({ sentAt }) => sentAt)).toEqual([undefined]);
});

test.each([
  ['nothing', ''],
  ['no JSON', 'GET / HTTP/1.1'],
  ['other JSON', '{"entries":[1]}'],
  ['an empty archive', archive([])],
])('%s is no archive', async (_, content) => {
  await expect(readingOf(content)).rejects.toThrow('is no HTTP Archive (HAR)');
});

const whole = archive([cards(0, 't'), cards(1, 't'), cards(2, 't')]);

test.each([whole.slice(0, -40), whole.slice(0, -2), `${whole.slice(0, -4)}!!`])(
  'an archive that is cut off gives what it holds, and says where it ends, case %#',
  async (cut) => {
    const read: Recorded[] = [];
    await expect(readingOf(cut, read)).rejects.toThrow(/is cut off, or no JSON, after entry [23]/);
    expect(read.length).toBeGreaterThanOrEqual(2);
  },
);

test('gzip that is cut off', async () => {
  const zipped = gzipSync(archive(Array.from({ length: 200 }, (_, at) => cards(at, `t-${at * 7919}`))));
  const reading = readingOf(zipped.subarray(0, zipped.length / 2));
  await expect(reading).rejects.toThrow(/is cut off, or no JSON, after entry \d+|is no HTTP Archive/);
});
