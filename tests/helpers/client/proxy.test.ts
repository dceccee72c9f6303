import { beforeEach, expect, test, vi } from 'vitest';
import { PROXY_VARIABLES } from '../../../helpers/configuration/addresses.ts';
import { serve, serveSockets } from '../../tools/servers.ts';
import { CHANGING, failureAt, get, SAFE, transport } from './transport.ts';

const VARIABLES = Object.values(PROXY_VARIABLES).flat();

beforeEach(() => {
  for (const name of [...VARIABLES, 'no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined);
});

test.each([SAFE, CHANGING])('HTTP_PROXY is used, with the whole address', async (options) => {
  const proxy = await serve(({ method, url, headers }, response) => response.end(`${method} ${url} ${headers.host}`));
  vi.stubEnv('HTTP_PROXY', proxy);
  const answer = await get(transport(), 'http://target.invalid/cards?max=1', options);
  expect(answer.body.toString()).toBe('GET http://target.invalid/cards?max=1 target.invalid');
});

test.each(['127.0.0.1', 'localhost', '127.1.2.3', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]'])(
  '%s is never asked for through a proxy',
  async (host) => {
    let asked = 0;
    const proxy = await serve((_, response) => response.end(`proxy ${++asked}`));
    for (const name of [...VARIABLES, 'all_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy);
    const { port } = new URL(await serve((_, response) => response.end('target')));
    for (const options of [SAFE, CHANGING]) {
      const answer = await get(transport(), `http://${host}:${port}/`, options).catch((error: Error) => error);
      // 127.1.2.3 answers only where all of 127.0.0.0/8 is loopback; through a proxy it never is.
      expect(answer instanceof Error || answer.body.toString() === 'target').toBe(true);
    }
    expect(asked).toBe(0);
  },
);

test('NO_PROXY is kept to', async () => {
  vi.stubEnv('HTTP_PROXY', await serve((_, response) => response.end('proxy')));
  expect((await get(transport(), 'http://target.invalid/')).body.toString()).toBe('proxy');
  vi.stubEnv('NO_PROXY', 'target.invalid');
  expect(await failureAt('http://target.invalid/')).toMatchObject({ kind: 'dns' });
});

const WHAT_TO_SET = /the proxy refused to connect .*\(407\); put them into HTTP_PROXY or HTTPS_PROXY/;

test.each([
  ['https', '403 Forbidden', /the proxy refused to connect/],
  ['http', '407 Proxy Authentication Required', WHAT_TO_SET],
  ['https', '407 Proxy Authentication Required', WHAT_TO_SET],
])('a proxy that answers %s with %s is named as the cause', async (scheme, status, message) => {
  const proxy = await serveSockets((socket) => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`));
  vi.stubEnv(`${scheme.toUpperCase()}_PROXY`, proxy);
  const error = await failureAt(`${scheme}://target.invalid/`);
  expect(error).toMatchObject({ kind: 'proxy', message: expect.stringMatching(message) });
});
