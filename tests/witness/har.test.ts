import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { OddEntry } from '../../witness/archive.ts';
import { readHar } from '../../witness/har.ts';
import type { Recorded } from '../../witness/recorded.ts';
import { BASE, cards, entry } from './entries.ts';

const archive = (entries: readonly unknown[]) => JSON.stringify({ log: { version: '1.2', entries } });

/** What an archive holds that arrives in small pieces. */
async function* all(text: string | Buffer): AsyncGenerator<Recorded | OddEntry> {
  const bytes = Buffer.from(text);
  const size = Math.max(7, Math.floor(bytes.length / 1000));
  const count = Math.ceil(bytes.length / size);
  const pieces = Array.from({ length: count }, (_, i) => bytes.subarray(size * i, size * (i + 1)));
  yield* readHar(Readable.from(pieces), 'a.har');
}

/** The exchanges of an archive. */
async function readingOf(text: string | Buffer, read: Recorded[] = []): Promise<Recorded[]> {
  for await (const one of all(text)) if (!('odd' in one)) read.push(one);
  return read;
}
const readFrom = (...entries: unknown[]) => readingOf(archive(entries));

/** What is said of the entries of an archive that are no exchanges. */
async function oddIn(text: string): Promise<string[]> {
  const odd: string[] = [];
  for await (const one of all(text)) if ('odd' in one) odd.push(one.odd);
  return odd;
}

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

test('what is of another protocol, or came from a cache, is passed over', async () => {
  const socket = entry({ request: 'GET wss://cards.example/' });
  const cached = entry({ ...GET, more: { _fromCache: 'memory' } });
  expect(await readFrom(socket, cached)).toEqual([]);
  expect(await oddIn(archive([socket, cached]))).toEqual([]);
});

describe('an odd entry is told, and those around it are read', () => {
  const { request, response } = cards(1, 't');
  const withRequest = (more: object) => JSON.stringify({ request: { ...request, ...more }, response });
  const pairs = (number: number) => Array.from({ length: number }, () => ({ name: 'a', value: 'b' }));

  test.each<[string, string, string]>([
    ['null', 'null', 'has no request'],
    ['a number', '7', 'has no request'],
    ['nothing in it', '{}', 'has no request'],
    ['no address', withRequest({ url: null }), 'has no address'],
    ['an address that is none', withRequest({ url: 'http://[' }), 'has no address of HTTP'],
    ['a long address', withRequest({ url: `${BASE}/${'/'.repeat(70_000)}` }), 'more than 65536 characters'],
    ['a method of two lines', withRequest({ method: 'GET\n\nGET' }), 'has no method of HTTP'],
    ['a method that is an object', withRequest({ method: {} }), 'has no method of HTTP'],
    ['too many headers', withRequest({ headers: pairs(60_000) }), 'too many headers'],
    ['no JSON', '{"time": NaN}', 'is no JSON'],
    ['a control character', '{"a": "\u0001"}', 'is no JSON'],
    ['many levels', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'is nested deeper than 1000 levels'],
    ['many values', `[${'{},'.repeat(200_000)}0]`, 'holds more than 200000 values'],
  ])('%s', async (_, odd, why) => {
    const [before, after] = [cards(0, 't'), cards(2, 't')].map((one) => JSON.stringify(one));
    const text = `{"log":{"entries":[${before}, ${odd} ,${after}]}}`;
    expect(await readingOf(text)).toHaveLength(2);
    expect(await oddIn(text)).toEqual([expect.stringMatching(`^entry 2 of a\\.har .*${why}`)]);
  });
});

test('headers are read by any name', async () => {
  const one = entry({ ...GET, headers: { constructor: 'a', ['__proto__']: 'b', toString: 'c', 'X-Odd': 'd' } });
  one.request.headers.push({ name: '__proto__', value: 'e' }, { name: 'x-odd', value: {} as string });
  const [{ request }] = (await readFrom(one)) as [Recorded];
  expect(Object.entries(request.headers)).toEqual([
    ['constructor', 'a'],
    ['__proto__', ['b', 'e']],
    ['tostring', 'c'],
    ['x-odd', 'd'],
  ]);
});

test('entries are those of log alone, in whichever order its members stand', async () => {
  const one = JSON.stringify(cards(0, 't'));
  const text = `\ufeff{"entries":[${one}],"x":{"entries":[${one}]},"log":{"pages":[{"entries":[${one}]}],"entries":[${one},${one}],"a":"]}\\""}}`;
  expect(await readingOf(text)).toHaveLength(2);
  await expect(readingOf('{"x":{"entries":1},"log":[[1,2]]}')).rejects.toThrow('is no HTTP Archive');
});

test.each(['', '{"log":{"entries":['])('20 MB of opened brackets after %j hold nothing', async (begin) => {
  const pieces = [begin, ...Array.from({ length: 20 }, () => '['.repeat(1e6))].map((text) => Buffer.from(text));
  await expect(readHar(Readable.from(pieces), 'a.har').next()).rejects.toThrow('is no HTTP Archive');
});

test('what a record of this suite says of an exchange is taken as far as it has the form of that', async () => {
  const own = { operation: 'cards.list', intent: 'refusable' };
  const ownOf = async (more: object) => {
    const [one] = await readFrom({ ...cards(0, 't'), _prepaidCardConformance: { ...own, ...more } });
    return one!.own;
  };
  expect(await ownOf({ credential: 'credential 1' })).toEqual({ ...own, credential: 'credential 1' });
  for (const odd of [{ intent: 'constructor' }, { wrong: 'x' }, { wrong: { what: {} } }, { gives: '$&"' }])
    expect(await ownOf(odd)).toBeUndefined();
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
