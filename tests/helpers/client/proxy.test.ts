import { beforeEach, expect, test, vi } from 'vitest';
import { serve, serveSockets } from '../../tools/servers.ts';
import { CHANGING, failureOf, get, SAFE, transport } from './transport.ts';

beforeEach(() => {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']) {
    vi.stubEnv(name, undefined);
  }
});

test.each([SAFE, CHANGING])('HTTP_PROXY is used, with the whole address', async (options) => {
  const proxy = await serve((request, response) =>
    response.end(`${request.method} ${request.url} ${request.headers.host}`),
  );
  vi.stubEnv('HTTP_PROXY', proxy);
  const answer = await get(transport(), 'http://target.invalid/cards?max=1', options);
  expect(answer.body.toString()).toBe('GET http://target.invalid/cards?max=1 target.invalid');
});

test.each(['127.0.0.1', 'localhost', '127.1.2.3', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]'])(
  '%s is never asked for through a proxy',
  async (host) => {
    let asked = 0;
    const proxy = await serve((_, response) => {
      asked++;
      response.end('proxy');
    });
    const url = await serve((_, response) => response.end('target'));
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'])
      vi.stubEnv(name, proxy);
    for (const options of [SAFE, CHANGING]) {
      const { port } = new URL(url);
      const answer = await get(transport(), `http://${host}:${port}/`, options).catch((error: Error) => error);
      // 127.1.2.3 answers only where all of 127.0.0.0/8 is loopback; through a proxy it never is.
      expect(answer instanceof Error || answer.body.toString() === 'target').toBe(true);
    }
    expect(asked).toBe(0);
  },
);

test('NO_PROXY is kept to', async () => {
  const proxy = await serve((_, response) => response.end('proxy'));
  vi.stubEnv('HTTP_PROXY', proxy);
  expect((await get(transport(), 'http://target.invalid/')).body.toString()).toBe('proxy');
  vi.stubEnv('NO_PROXY', 'target.invalid');
  expect(await failureOf(get(transport(), 'http://target.invalid/'))).toMatchObject({ kind: 'dns' });
});

test('a proxy that refuses to connect to a TLS target is named as the cause', async () => {
  const proxy = await serveSockets((socket) => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'));
  vi.stubEnv('HTTPS_PROXY', proxy);
  const error = await failureOf(get(transport(), 'https://target.invalid/', CHANGING));
  expect(error.kind).toBe('proxy');
});

test.each(['http', 'https'])(
  'a proxy that wants credentials is named as the cause of %s, with what to set',
  async (scheme) => {
    const proxy = await serveSockets((socket) =>
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'),
    );
    vi.stubEnv(`${scheme.toUpperCase()}_PROXY`, proxy);
    const { kind, message } = await failureOf(get(transport(), `${scheme}://target.invalid/`, CHANGING));
    expect(kind).toBe('proxy');
    expect(message).toMatch(/the proxy refused to connect .*\(407\); put them into HTTP_PROXY or HTTPS_PROXY/);
  },
);
