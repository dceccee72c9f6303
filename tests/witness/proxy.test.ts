import { once } from 'node:events';
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

const wrongBody = '{"results":[{"identifier":7}]}';
/** A target whose listing of cards is as documented, unless asked with `max=1`. */
const sometimesWrong = () =>
  serve(({ url }, response) => {
    const body = url!.includes('max=1') ? wrongBody : '{"results":[]}';
    response.writeHead(200, { 'content-type': 'application/json', 'X-Odd': 'a' });
    response.write(body.slice(0, 5));
    response.end(body.slice(5));
  });
const asked = async (address: string, query = '', init: RequestInit = {}) => {
  const answer = await fetch(`${address}/cards/cards${query}`, { headers: AUTHORIZATION, ...init });
  return { status: answer.status, failure: answer.headers.get('conformance-failure'), text: await answer.text() };
};

test('an answer that contradicts the contract names the requirement to the client where that is wanted; others pass as they are', async () => {
  const { proxy, address } = await proxied(await sometimesWrong(), { onFailure: 'header' });
  expect(await asked(address)).toEqual({ status: 200, failure: null, text: '{"results":[]}' });
  const wrong = { status: 200, failure: 'cards.list.shape', text: wrongBody };
  // Every time, not the first time alone: each test has its own.
  expect([await asked(address, '?max=1'), await asked(address, '?max=1')]).toEqual([wrong, wrong]);
  expect(failedIn(await proxy.end())).toEqual(['cards.list.shape']);
});

test('or is replaced by a problem document, which is not judged as an answer of the target', async () => {
  const { proxy, address } = await proxied(await sometimesWrong(), { onFailure: 'status' });
  expect(await asked(address)).toMatchObject({ status: 200, failure: null });
  const answer = await fetch(`${address}/cards/cards?max=1`, { headers: AUTHORIZATION });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'application/problem+json']);
  expect(answer.headers.get('conformance-failure')).toBe('cards.list.shape');
  expect(await answer.json()).toMatchObject({
    status: 502,
    detail: expect.stringContaining('the body at /results/0/identifier must be a string'),
    failures: [{ requirement: 'cards.list.shape' }],
  });
  expect(await asked(address, '?max=1', { method: 'HEAD' })).toMatchObject({ text: '' });
  expect(failedIn(await proxy.end())).toEqual(['cards.list.shape']);
});

test.each<[string, Partial<ProxyOptions>]>([
  ['what was not selected', { only: ['cards.list.status'] }],
  ['what nobody asked for', { onFailure: undefined }],
])('%s reaches the client as the target answered it', async (_, options) => {
  const { address } = await proxied(await sometimesWrong(), { onFailure: 'status', ...options });
  expect(await asked(address, '?max=1')).toEqual({ status: 200, failure: null, text: wrongBody });
});

test('an answer that is too large to be held back, or breaks off, reaches the client as far as it came', async () => {
  const large = ' '.repeat(17 * 1024 * 1024) + wrongBody;
  const target = await serve(({ url, socket }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (url!.includes('broken')) response.write('half', () => socket.destroy());
    else response.end(large);
  });
  const { address } = await proxied(target, { onFailure: 'status' });
  expect((await asked(address)).text.length).toBe(large.length);
  await expect(asked(address, '/broken')).rejects.toThrow();
});

/** What a client says to a proxy, and what it answers, as text. */
async function said(address: string, request: string): Promise<string> {
  const client = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('latin1');
  client.write(`${request}\r\nConnection: close\r\n\r\n`);
  return text(client);
}

test('a client that is told of a forward proxy reaches what is served, and nothing else; it gets no tunnel', async () => {
  const target = await sometimesWrong();
  const { host } = new URL(target);
  const { proxy, address } = await proxied(`${target}/v3`);
  const ask = (url: string) => said(address, `GET ${url} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer t-1`);
  expect(await ask(`http://${host}/v3/cards/cards?max=1`)).toMatch(/^HTTP\/1\.1 200 .*"identifier":7/s);
  expect(await ask(`http://${host}/v30/cards/cards`)).toMatch(/^HTTP\/1\.1 404 /);
  expect(await ask('http://other.example/v3/cards/cards')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await said(address, 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443')).toMatch(
    /^HTTP\/1\.1 501 /,
  );
  expect(failedIn(await proxy.end())).toEqual(['cards.list.shape']);
});

test('a client that asks for a tunnel and goes away ends nothing', async () => {
  const { address } = await proxied(await sometimesWrong());
  for (let n = 0; n < 20; n++) {
    const client = connect(Number(new URL(address).port), '127.0.0.1');
    await once(client, 'connect');
    client.write('CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n', () =>
      client.resetAndDestroy(),
    );
    await once(client, 'close');
  }
  expect(await asked(address)).toMatchObject({ status: 200 });
});
