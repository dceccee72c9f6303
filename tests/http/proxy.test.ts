import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHANGING, failureOf, get, SAFE, serve, serveSockets, transport } from './servers.ts';

beforeEach(() => {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']) {
    vi.stubEnv(name, undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([SAFE, CHANGING])('HTTP_PROXY is used, with the whole address', async (options) => {
  const proxy = await serve((request, response) =>
    response.end(`${request.method} ${request.url} ${request.headers.host}`),
  );
  vi.stubEnv('HTTP_PROXY', proxy);
  const answer = await get(transport(), 'http://target.invalid/cards?max=1', options);
  expect(answer.body.toString()).toBe('GET http://target.invalid/cards?max=1 target.invalid');
});

test('NO_PROXY is kept to', async () => {
  const proxy = await serve((_, response) => response.end('proxy'));
  const url = await serve((_, response) => response.end('target'));
  vi.stubEnv('HTTP_PROXY', proxy);
  vi.stubEnv('NO_PROXY', '127.0.0.1');
  expect((await get(transport(), url)).body.toString()).toBe('target');
});

test('a proxy that refuses to connect to a TLS target is named as the cause', async () => {
  const proxy = await serveSockets((socket) => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'));
  vi.stubEnv('HTTPS_PROXY', proxy);
  const error = await failureOf(get(transport(), 'https://target.invalid/', CHANGING));
  expect(error.kind).toBe('proxy');
});
