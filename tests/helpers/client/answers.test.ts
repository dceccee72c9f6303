import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { serve, serveSockets } from '../../tools/servers.ts';
import { CHANGING, failureAt, failureOf, get, transport } from './transport.ts';

const TEXT = JSON.stringify({ results: Array(50).fill({ identifier: 'card-1' }) });

/** A server that answers with what it was asked for, and the addresses that it was asked for. */
async function serveEcho() {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url!);
    response.end(request.url);
  });
  return { url, asked };
}

describe('an answer', () => {
  test('comes with status, lower-case headers, body and time', async () => {
    const url = await serve((request, response) => {
      response.writeHead(201, { 'X-Correlation': 'c1', 'Set-Cookie': ['a=1', 'b=2'] });
      request.pipe(response);
    });
    const answer = await transport().send({ method: 'POST', url, headers: {}, body: '{"max":1}' }, CHANGING);
    expect(answer).toMatchObject({ status: 201, body: Buffer.from('{"max":1}'), retries: [] });
    expect(answer.headers).toMatchObject({ 'x-correlation': 'c1', 'set-cookie': ['a=1', 'b=2'] });
    expect(answer.sentAt).toBeGreaterThan(Date.now() - 60_000);
    expect(answer.durationMs).toBeGreaterThan(0);
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
    ['identity', (text: string) => Buffer.from(text)],
    ['utf-8', (text: string) => Buffer.from(text)],
  ])('in encoding %s is decoded', async (encoding, encode) => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(encode(TEXT));
    });
    expect((await get(transport(), url)).body.toString()).toBe(TEXT);
  });

  test.each([200, 204])('%i without a body has zero bytes, whatever its headers say', async (status) => {
    const url = await serve((_, response) => response.writeHead(status, { 'content-encoding': 'gzip' }).end());
    expect((await get(transport(), url)).body).toHaveLength(0);
  });

  const OK = 'HTTP/1.1 200 OK\r\n';
  const WHOLE = 'content-length: 7\r\n\r\n{"a":1}';
  test.each([
    ['without length, ended by closing', 'HTTP/1.0 200 OK\r\nCONTENT-type: a/b\r\n\r\n{"a":1}'],
    ['in chunks', `${OK}transfer-encoding: chunked\r\nconnection: close\r\n\r\n4\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n`],
    ['after early hints', `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${OK}${WHOLE}`],
    ['with strange names of headers', `${OK}__proto__: x\r\nconstructor: y\r\n${WHOLE}`],
  ])('%s is read', async (_, bytes) => {
    const url = await serveSockets((socket) => socket.end(bytes));
    expect(await get(transport(), url)).toMatchObject({ status: 200, body: Buffer.from('{"a":1}'), retries: [] });
  });

  test('that redirects is given as it is, and nothing goes to where it points', async () => {
    const other = await serveEcho();
    const url = await serve((_, response) => response.writeHead(302, { location: `${other.url}/stolen` }).end());
    expect((await get(transport(), url)).status).toBe(302);
    expect(other.asked).toEqual([]);
  });

  test.each(['/cards/a%2Fb%20c%2Bd%25/balance?token=%2B%2F%3D%26&x=%C3%A9', '/cards/...?a=/../'])(
    'is asked for with the path as it was written: %s',
    async (path) => {
      const { url } = await serveEcho();
      expect((await get(transport(), url + path)).body.toString()).toBe(path);
    },
  );
});

const BAD_VALUE = 'the value for the header authorization holds a character that is not allowed in a header';
const HALF = 'the address holds half a character (a lone surrogate)';
const DOTTED = ['/cards/../close', '/cards/..', '/cards/./balance', '/cards/%2E%2e?a=b', '/cards/.%2e/close'];
const BAD_PATH = 'the path holds a segment . or .., which would lead to another address';

test.each([
  ['a token with a line break', '/', 'abc\r\nx-injected: 1', BAD_VALUE],
  ['a token with a letter beyond Latin-1', '/', 'abc\u{1f600}', BAD_VALUE],
  ['a token with a null character', '/', 'abc\0', BAD_VALUE],
  ['half a character in a path', '/cards/\ud800', 'abc', HALF],
  ['half a character in a query', '/cards?name=\udc00', 'abc', HALF],
  ...DOTTED.map((path) => [`the path ${path}, which would be another one`, path, 'abc', BAD_PATH]),
])('what HTTP cannot carry is not sent, and its value not told: %s', async (_, path, token, why) => {
  const { url, asked } = await serveEcho();
  const sent = get(transport(), url + path, CHANGING, { authorization: `Bearer ${token}` });
  expect(await failureOf(sent)).toMatchObject({ kind: 'invalid-request', message: `not sent: ${why}` });
  expect(asked).toEqual([]);
});

test.each(['ftp://host/', 'nonsense'])('the address %s is not one to send to', async (url) => {
  expect((await failureAt(url)).kind).toBe('invalid-request');
});
