import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { listen, serve, serveSockets } from '../../tools/servers.ts';
import { CHANGING, failureAt, SAFE } from './transport.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n';

const serveEncoded = (encoding: string, body: Buffer) =>
  serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));

test.each([
  ['none comes', '', '', null],
  ['its headers drip', `${HEAD}x-slow: `, 'x', null],
  ['its body drips', `${HEAD}content-length: 100000\r\n\r\n`, 'x', 200],
])('an answer does not end in time: %s', async (_, start, drop, status) => {
  const url = await serveSockets((socket) => {
    socket.write(start);
    const drip = setInterval(() => socket.write(drop), 20);
    socket.on('close', () => clearInterval(drip));
  });
  const error = await failureAt(url, CHANGING, { timeoutMs: 200 });
  const message = expect.stringMatching(/^127\.0\.0\.1:\d+: no (answer|whole answer \(status 200\)) within 200 ms$/);
  expect(error).toMatchObject({ kind: 'timeout', status, message });
  expect(error.sentAt).toBeGreaterThan(Date.now() - 60_000);
});

const LIMITED = { ...SAFE, maxBodyBytes: 100_000 };

test.each([
  ['announced', `${HEAD}content-length: 200000000\r\n\r\n`],
  ['endless', `${HEAD}\r\n`],
])('an answer that is too large is cut off where it passes the limit: %s', async (_, head) => {
  let sent = 0;
  const closed = Promise.withResolvers<void>();
  const url = await serveSockets((socket) => {
    socket.on('close', () => closed.resolve());
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = () => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    };
    socket.on('drain', more);
    socket.write(head);
    more();
  });
  expect(await failureAt(url, LIMITED)).toMatchObject({ kind: 'too-large', status: 200, retries: [] });
  await closed.promise;
  expect(sent).toBeLessThan(20_000_000);
});

test('an answer that is too large once it is decoded is cut off, too', async () => {
  const url = await serveEncoded('gzip', gzipSync(Buffer.alloc(50_000_000)));
  const message = 'the body of the answer is larger than 100000 bytes';
  expect(await failureAt(url, LIMITED)).toMatchObject({ kind: 'too-large', message });
});

describe('an answer that cannot be read', () => {
  test.each([
    ['gzip', Buffer.from('no gzip')],
    ['gzip', gzipSync('cut off').subarray(0, 15)],
    ['br', Buffer.from('no brotli')],
    ['deflate', Buffer.from('no deflate')],
  ])('invalid %s', async (encoding, body) => {
    const url = await serveEncoded(encoding, body);
    expect(await failureAt(url, SAFE)).toMatchObject({ kind: 'bad-encoding', status: 200, retries: [] });
  });

  test('encoded more often than is read', async () => {
    const url = await serveEncoded('gzip, gzip, gzip, gzip', gzipSync('x'));
    expect(await failureAt(url, SAFE)).toMatchObject({ kind: 'too-large', status: 200, retries: [] });
  });

  const MALFORMED = { kind: 'malformed', message: expect.stringContaining('the answer is not HTTP') };
  test.each([
    ['no HTTP', 'SSH-2.0-server\r\n', MALFORMED],
    ['a wrong status line', 'HTTP/1.1 abc\r\n\r\n', MALFORMED],
    ['a wrong chunk', `${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`, MALFORMED],
    ['two lengths', `${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, MALFORMED],
    ['thousands of headers', `${HEAD}${'x-one: y\r\n'.repeat(10_000)}\r\n`, { kind: 'headers-too-large' }],
    ['the connection closed within it', `${HEAD}content-length: 10\r\n\r\nabc`, { kind: 'reset', status: 200 }],
  ])('%s', async (_, bytes, failure) => {
    expect(await failureAt(await serveSockets((socket) => socket.end(bytes)))).toMatchObject(failure);
  });
});

describe('a connection', () => {
  test.each(['resetAndDestroy', 'destroy'] as const)(
    'that the server ends by %s without an answer fails after two retries, or none for what may change something',
    async (end) => {
      let asked = 0;
      const url = await serveSockets((socket) => {
        asked++;
        socket[end]();
      });
      const twice = [{ status: null }, { status: null }];
      expect(await failureAt(url, SAFE)).toMatchObject({ kind: 'reset', retries: twice });
      expect(asked).toBe(3);
      expect(await failureAt(url)).toMatchObject({ kind: 'reset', retries: [] });
      expect(asked).toBe(4);
    },
  );

  test('refused says where', async () => {
    const server = createServer();
    const { host, port } = new URL(await listen(server));
    await new Promise((resolve) => server.close(resolve));
    expect(await failureAt(`http://${host}/`)).toMatchObject({
      kind: 'refused',
      message: `${host}: the connection was refused (ECONNREFUSED 127.0.0.1:${port})`,
    });
  });

  test('to a name that does not exist, or by TLS to a server without it', async () => {
    expect((await failureAt('http://no-such-host.invalid/')).kind).toBe('dns');
    const plain = await serve((_, response) => response.end());
    expect((await failureAt(plain.replace('http:', 'https:'))).kind).toBe('tls');
  });
});
