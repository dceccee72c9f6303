import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readHar } from '../../witness/har.ts';
import type { Recorded } from '../../witness/recorded.ts';
import { cards, entry } from './entries.ts';

const archive = (entries: readonly unknown[]) => JSON.stringify({ log: { version: '1.2', entries } });

/** The exchanges of an archive that arrives in small pieces. */
async function readingOf(text: string | Buffer): Promise<Recorded[]> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(7 * i, 7 * i + 7));
  const read: Recorded[] = [];
  for await (const one of readHar(Readable.from(pieces))) read.push(one);
  return read;
}

const text = ({ response }: Recorded) => response.body?.toString();
const listing = { results: [{ identifier: 'ä' }] };
const GET = { request: 'GET /cards/cards' };

test('plain and gzip', async () => {
  const [plain] = await readingOf(archive([cards(0, 't')]));
  expect(await readingOf(gzipSync(archive([cards(0, 't')])))).toEqual([plain]);
  expect(plain).toMatchObject({ method: 'GET', url: 'https://cards.example/cards/cards?max=5', durationMs: 20 });
  expect(plain!.sentAt).toBe(Date.UTC(2026, 4, 10, 12));
});

describe('bodies', () => {
  const encoded = (bytes: Buffer, encoding?: string) =>
    entry({
      ...GET,
      content: { size: bytes.length, text: bytes.toString('base64'), encoding: 'base64' },
      ...(encoding ? { more: { response: undefined } } : {}),
    });
  const json = Buffer.from(JSON.stringify(listing));

  test('in base64', async () => {
    expect((await readingOf(archive([encoded(json)]))).map(text)).toEqual([json.toString()]);
  });

  test.each([
    ['gzip', gzipSync(json)],
    ['br', brotliCompressSync(json)],
  ])('that the recorder left in %s', async (encoding, bytes) => {
    const one = encoded(bytes);
    one.response.headers.push({ name: 'Content-Encoding', value: encoding });
    expect((await readingOf(archive([one]))).map(text)).toEqual([json.toString()]);
  });

  test('of a form, given as parameters', async () => {
    const one = entry({ request: 'POST /t' });
    one.request.postData = { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: 'b c' }] };
    expect((await readingOf(archive([one])))[0]!.request.body?.toString()).toBe('a=b+c');
  });

  test('that are missing, or cut, are not taken for empty ones', async () => {
    const missing = entry({ ...GET, content: { size: 12 } });
    const cut = entry({ ...GET, answer: listing, content: { comment: 'truncated' } });
    const none = entry({ ...GET, status: 204 });
    expect((await readingOf(archive([missing, cut, none]))).map(text)).toEqual([undefined, undefined, '']);
  });
});

test('headers: without those of HTTP/2, in lower case, repeated ones together', async () => {
  const one = entry({ ...GET, headers: { ':authority': 'cards.example', Accept: 'a' } });
  one.request.headers.push({ name: 'accept', value: 'b' });
  expect((await readingOf(archive([one])))[0]!.request.headers).toEqual({ accept: ['a', 'b'] });
});

test('what is no HTTP exchange, or came from a cache, is passed over', async () => {
  const socket = entry({ request: 'GET wss://cards.example/' });
  const cached = entry({ ...GET, more: { _fromCache: 'memory' } });
  expect(await readingOf(archive([socket, cached, null, 7, {}, { request: {}, response: {} }]))).toEqual([]);
});

test('entries without a time, or with an absurd one', async () => {
  const timeless = [undefined, 'yesterday', null].map((startedDateTime) => ({ ...cards(0, 't'), startedDateTime }));
  expect((await readingOf(archive(timeless))).map(({ sentAt }) => sentAt)).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['nothing', ''],
  ['no JSON', 'GET / HTTP/1.1'],
  ['other JSON', '{"entries":[1]}'],
  ['an empty archive', archive([])],
])('%s is no archive', async (_, content) => {
  await expect(readingOf(content)).rejects.toThrow('is no HTTP Archive (HAR)');
});

test('an archive that is cut off gives what it holds, and says where it ends', async () => {
  const whole = archive([cards(0, 't'), cards(1, 't'), cards(2, 't')]);
  for (const cut of [whole.slice(0, -40), whole.slice(0, -2), `${whole.slice(0, -4)}!!`]) {
    const read: Recorded[] = [];
    const reading = (async () => {
      for await (const one of readHar(Readable.from([Buffer.from(cut)]))) read.push(one);
    })();
    await expect(reading).rejects.toThrow(/is cut off, or no JSON, after entry [23]/);
    expect(read.length).toBeGreaterThanOrEqual(2);
  }
});

test('gzip that is cut off', async () => {
  const whole = gzipSync(archive(Array.from({ length: 200 }, (_, at) => cards(at, `t-${at * 7919}`))));
  await expect(readingOf(whole.subarray(0, whole.length / 2))).rejects.toThrow(
    /is cut off, or no JSON, after entry \d+|is no HTTP Archive/,
  );
});
