import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Conformance, type ProxyOptions, startProxy } from '../../run/index.ts';
import { serve, serveSockets } from '../tools/servers.ts';

async function proxied(baseUrl: string, options: Partial<ProxyOptions> = {}) {
  const proxy = await startProxy({ target: { baseUrl }, ...options });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return { proxy, address: proxy.environment.TARGET_BASE_URL! };
}

const AUTHORIZATION = { authorization: 'Bearer t-1' };
const failedIn = ({ requirements }: Conformance) =>
  requirements.filter(({ verdict, level }) => verdict === 'failed' && level === 'must').map(({ id }) => id);

test('a request and its answer pass as they are: path, status and its words, order, case and repetition of headers, bodies', async () => {
  const sent =
    'POST /base/cards/cards/%41/transfer?b=2&a=%2F&&x HTTP/1.1\r\nHost: localhost\r\nX-Twice: 1\r\nx-TWICE: 2\r\nAUTHORIZATION: Bearer t\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{"a": END';
  const answered =
    'HTTP/1.1 299 Fine So Far\r\nX-Odd: a\r\nx-odd: b\r\nSet-Cookie: 1\r\nSet-Cookie: 2\r\nContent-Length: 4\r\nConnection: close\r\n\r\n\xff\x00{]';
  let arrived = '';
  const target = await serveSockets((socket, piece) => {
    arrived += piece;
    if (arrived.endsWith('END')) socket.end(answered, 'latin1');
  });
  const { address } = await proxied(`${target}/v3`);
  const client = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('latin1');
  client.write(sent);
  expect(await text(client)).toBe(answered);
  const passed = sent.replace('/base', '/v3').replace('Host: localhost', `Host: ${new URL(target).host}`);
  expect(arrived.replace(/Via: 1\.1 conformance-proxy-[\w-]+\r\n/, '')).toBe(passed);
});

test('an answer passes piece by piece; a client that goes away ends the request, a target that breaks off the answer', async () => {
  let gone = 0;
  const target = await serve((request, response) => {
    if (request.url!.includes('slow')) {
      response.write('first');
      return void setTimeout(() => response.end('last'), 200);
    }
    request.socket.once('close', () => gone++);
    if (request.url!.includes('broken')) response.write('half', () => request.socket.destroy());
  });
  const { address } = await proxied(target);
  const pieces: string[] = [];
  for await (const piece of (await fetch(`${address}/cards/slow`)).body!) pieces.push(Buffer.from(piece).toString());
  expect(pieces).toEqual(['first', 'last']);
  await expect(fetch(`${address}/cards/cards`, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
  await expect(fetch(`${address}/cards/broken`).then((answer) => answer.text())).rejects.toThrow();
  await expect.poll(() => gone).toBe(2);
});

test('what passes is judged, compressed or not; failures are told when they are first seen, and while the proxy is idle what several exchanges show', async () => {
  const zipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const body = gzipSync('{"results":[{"identifier":7}]}');
  const target = await serve((_, response) => response.writeHead(200, zipped).end(body));
  const told: string[] = [];
  const { proxy, address } = await proxied(target, { onFailing: ({ requirement }) => told.push(requirement) });
  for (let n = 0; n < 3; n++) await (await fetch(`${address}/cards/cards`, { headers: AUTHORIZATION })).arrayBuffer();
  await expect.poll(() => told).toEqual(['cards.list.shape']);
  await (await fetch(`${address}/cards/cards`)).arrayBuffer();
  await expect.poll(() => told).toContain('cards.list.requires-token');
  const record = await proxy.end();
  expect(failedIn(record).toSorted()).toEqual(['cards.list.requires-token', 'cards.list.shape']);
  expect(record.run).toMatchObject({ source: 'proxy', requests: 4 });
  expect(record.target.name).toBe(new URL(target).host);
});

test('a target that is down is answered for by the proxy, which says so, and is not judged; other paths are served by nobody', async () => {
  const { proxy, address } = await proxied('http://127.0.0.1:9');
  const answer = await fetch(`${address}/cards/cards`, { headers: AUTHORIZATION });
  const errorMessage =
    'the conformance proxy answers this, not the target: 127.0.0.1:9 cannot be reached: ECONNREFUSED';
  expect([answer.status, await answer.json()]).toEqual([502, { errorMessage }]);
  for (const path of ['/', '/based', '/portal/login']) {
    const other = await fetch(new URL(path, address));
    expect([other.status, await other.text()]).toEqual([404, expect.stringContaining('below /base')]);
  }
  const record = await proxy.end();
  expect(failedIn(record)).toEqual([]);
  expect(record.run.requests).toBe(1);
});

test('a target elsewhere is reached through the proxy of the environment', async () => {
  const asked: (string | undefined)[] = [];
  const between = await serve(({ url }, response) => {
    asked.push(url);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[]}');
  });
  vi.stubEnv('HTTP_PROXY', between);
  const { proxy, address } = await proxied('http://cards.invalid/v3');
  expect((await fetch(`${address}/cards/cards?max=1`, { headers: AUTHORIZATION })).status).toBe(200);
  expect(asked).toEqual(['http://cards.invalid/v3/cards/cards?max=1']);
  expect(failedIn(await proxy.end())).toEqual([]);
});
