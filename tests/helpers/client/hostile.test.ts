import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { serve, serveSockets } from '../../tools/servers.ts';
import { CHANGING, failureOf, get, SAFE, transport } from './transport.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n';

describe('an answer that does not end in time', () => {
  test('because none comes', async () => {
    const url = await serveSockets(() => {});
    const error = await failureOf(get(transport({ timeoutMs: 150 }), url, CHANGING));
    expect(error).toMatchObject({ kind: 'timeout', status: null });
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+: no answer within 150 ms$/);
    expect(error.sentAt).toBeGreaterThan(Date.now() - 60_000);
  });

  test.each([
    ['headers drip', 'HTTP/1.1 200 OK\r\nx-slow: ', null],
    ['the body drips', `${HEAD}content-length: 100000\r\n\r\n`, 200],
  ])('because %s', async (_, start, status) => {
    const url = await serveSockets((socket) => {
      socket.write(start);
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await failureOf(get(transport({ timeoutMs: 200 }), url, CHANGING))).toMatchObject({
      kind: 'timeout',
      status,
    });
  });
});

describe('an answer that is too large', () => {
  const maxBodyBytes = 100_000;

  test.each([
    ['announced', `${HEAD}content-length: 200000000\r\n\r\n`],
    ['endless', `${HEAD}\r\n`],
  ])('is cut off where it passes the limit: %s', async (_, head) => {
    let sent = 0;
    let closed: () => void;
    const closing = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await serveSockets((socket) => {
      socket.on('close', closed);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      };
      socket.on('drain', more);
      socket.write(head);
      more();
    });
    const error = await failureOf(get(transport(), url, { ...SAFE, maxBodyBytes }));
    expect(error).toMatchObject({ kind: 'too-large', status: 200, retries: [] });
    await closing;
    expect(sent).toBeLessThan(20_000_000);
  });

  test('once it is decoded', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const url = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const error = await failureOf(get(transport(), url, { ...SAFE, maxBodyBytes }));
    expect(error.kind).toBe('too-large');
    expect(error.message).toBe('the body of the answer is larger than 100000 bytes');
  });
});

describe('an answer that cannot be read', () => {
  test.each([
    ['gzip', Buffer.from('no gzip')],
    ['gzip', gzipSync('cut off').subarray(0, 15)],
    ['br', Buffer.from('no brotli')],
    ['deflate', Buffer.from('no deflate')],
    ['gzip, gzip, gzip, gzip', gzipSync('x')],
  ])('invalid %s', async (encoding, body) => {
    const url = await serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
    expect(await failureOf(get(transport(), url))).toMatchObject({ kind: 'bad-encoding', status: 200, retries: [] });
  });

  test.each([
    ['no HTTP', 'SSH-2.0-server\r\n'],
    ['a wrong status line', 'HTTP/1.1 abc\r\n\r\n'],
    ['a wrong chunk', `${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`],
    ['two lengths', `${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
  ])('%s', async (_, bytes) => {
    const url = await serveSockets((socket) => socket.end(bytes));
    const error = await failureOf(get(transport(), url, CHANGING));
    expect(error.kind).toBe('malformed');
    expect(error.message).toContain('the answer is not HTTP');
  });

  test('thousands of headers', async () => {
    const headers = Array.from({ length: 5000 }, (_, index) => `x-${index}: y`).join('\r\n');
    const url = await serveSockets((socket) => socket.end(`${HEAD}${headers}\r\n\r\n`));
    expect((await failureOf(get(transport(), url))).kind).toBe('headers-too-large');
  });
});

describe('a connection', () => {
  test.each([
    ['reset', (end: { resetAndDestroy(): void }) => end.resetAndDestroy()],
    ['closed', (end: { destroy(): void }) => end.destroy()],
  ])('%s without an answer fails after two retries, or none for what may change something', async (_, endOf) => {
    let asked = 0;
    const url = await serveSockets((socket) => {
      asked++;
      endOf(socket);
    });
    const error = await failureOf(get(transport(), url, SAFE));
    expect(error).toMatchObject({ kind: 'reset', retries: [{ status: null }, { status: null }] });
    expect(asked).toBe(3);
    expect(await failureOf(get(transport(), url, CHANGING))).toMatchObject({ kind: 'reset', retries: [] });
    expect(asked).toBe(4);
  });

  test('closed within an answer is no answer', async () => {
    const url = await serveSockets((socket) => socket.end(`${HEAD}content-length: 10\r\n\r\nabc`));
    expect(await failureOf(get(transport(), url, CHANGING))).toMatchObject({ kind: 'reset', status: 200 });
  });

  test('refused says where', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    await new Promise((resolve) => server.close(resolve));
    const error = await failureOf(get(transport(), `http://127.0.0.1:${port}/`, CHANGING));
    expect(error).toMatchObject({
      kind: 'refused',
      message: `127.0.0.1:${port}: the connection was refused (ECONNREFUSED 127.0.0.1:${port})`,
    });
  });

  test('to a name that does not exist', async () => {
    const error = await failureOf(get(transport(), 'http://no-such-host.invalid/', CHANGING));
    expect(error.kind).toBe('dns');
  });

  test('by TLS to a server without it', async () => {
    const url = await serve((_, response) => response.end());
    expect((await failureOf(get(transport(), url.replace('http:', 'https:'), CHANGING))).kind).toBe('tls');
  });
});
