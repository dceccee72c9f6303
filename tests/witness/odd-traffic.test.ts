/** What servers and clients may send, in order or not: the proxy passes it, or refuses it in its own name, and serves on. */
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { request as ask } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../run/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { serve, serveSockets } from '../tools/servers.ts';

async function proxied(baseUrl: string) {
  const proxy = await startProxy({ target: { baseUrl } });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return { proxy, address: proxy.environment.TARGET_BASE_URL! };
}

/** Sends bytes as they are. @returns all that comes back until the connection is closed */
async function sent(address: string, request: string): Promise<string> {
  const client = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('latin1');
  client.on('error', () => {});
  client.write(request, 'latin1');
  return text(client);
}

const get = (path: string, headers = '') =>
  `GET /base${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`;

const TOKEN = 'Authorization: Bearer t\r\n';
const CARD = '{"identifier":"plain"}';
const OK = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${CARD.length}\r\n\r\n${CARD}`;
/** A target that answers one path in its own way, and others plainly. */
const oddTarget = (answer: string) =>
  serveSockets((socket, request) => {
    if (request.includes('/odd ')) socket.end(answer, 'latin1');
    else socket.write(OK);
  });

test.each([
  ['a control character in its reason phrase', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\n{}'],
  ['a status of 042', 'HTTP/1.1 042 Odd\r\nContent-Length: 2\r\n\r\n{}'],
  ['a status of four digits', 'HTTP/1.1 2000 Odd\r\nContent-Length: 2\r\n\r\n{}'],
  ['Trailer beside Content-Length', 'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nContent-Length: 2\r\n\r\n{}'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}'],
  ['NUL in a header', 'HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\n{}'],
  ['a blank in the name of a header', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX A: b\r\n\r\n0\r\n\r\n'],
  ['a header that is too long', `HTTP/1.1 200 OK\r\n${'X'.repeat(100_000)}: b\r\nContent-Length: 2\r\n\r\n{}`],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: odd\r\nConnection: Upgrade\r\n\r\n'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['nothing', ''],
])('an answer with %s is a 502 in the name of the proxy, is not judged, and ends nothing', async (_, answer) => {
  const { proxy, address } = await proxied(await oddTarget(answer));
  for (let times = 0; times < 2; times++) {
    const received = await sent(address, get('/cards/cards/odd', TOKEN));
    expect(received).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(received).toMatch(/\r\n\r\n\{"errorMessage":"the conformance proxy answers this, not the target: .+"\}$/);
  }
  expect(await sent(address, get('/cards/cards/plain', TOKEN))).toMatch(/^HTTP\/1\.1 200 OK/);
  const record = await proxy.end();
  expect(record.requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(record.run).toMatchObject({ complete: true });
});

test.each([
  ['a body that ends early', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{'],
  ['chunks that are none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{'],
  ['an endless extension of a chunk', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(99_999)}`],
])('an answer with %s is broken off as it came', async (_, answer) => {
  const { proxy, address } = await proxied(await oddTarget(answer));
  await sent(address, get('/cards/cards/odd', TOKEN));
  expect(await sent(address, get('/cards/cards/plain', TOKEN))).toMatch(/^HTTP\/1\.1 200 OK/);
  expect((await proxy.end()).run.notes).toContainEqual(expect.stringContaining('not whole'));
});

test.each([
  ['a status that nobody knows', 'HTTP/1.1 799 \r\nContent-Length: 0\r\n\r\n', /^HTTP\/1\.1 799 \r\n/],
  [
    'letters beyond ASCII',
    'HTTP/1.1 200 Sch\xf6n\r\nX-A: \xf6\r\nContent-Length: 0\r\n\r\n',
    /^HTTP\/1\.1 200 Sch\xf6n\r\nX-A: \xf6/,
  ],
  [
    'headers that are long',
    `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(40_000)}\r\nContent-Length: 0\r\n\r\n`,
    /X-A: a{40000}\r\n/,
  ],
  [
    '3000 headers',
    `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(3000)}X-Last: 1\r\nContent-Length: 0\r\n\r\n`,
    /(?:A: b\r\n){3000}X-Last: 1/,
  ],
  [
    'names of what every object has',
    'HTTP/1.1 200 OK\r\nconstructor: 1\r\n__proto__: 2\r\nContent-Length: 0\r\n\r\n',
    /constructor: 1\r\n__proto__: 2/,
  ],
  [
    'answers that are only for information',
    `${'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: odd\r\n\r\n'.repeat(99)}${OK}`,
    /^HTTP\/1\.1 200 OK/,
  ],
  ['HTTP/1.0 and no length', 'HTTP/1.0 200 OK\r\n\r\n{"until":"it closes"}', /\{"until":"it closes"\}/],
  [
    'extensions of chunks and a trailer',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n2;a=b\r\n{}\r\n0\r\nX-A: 1\r\n\r\n',
    /\{\}/,
  ],
  ['more than its length', `${OK}HTTP/1.1 200 OK\r\n\r\n`, /\r\n\r\n\{"identifier":"plain"\}$/],
])('an answer with %s passes', async (_, answer, passes) => {
  const { proxy, address } = await proxied(await oddTarget(answer));
  expect(await sent(address, get('/cards/cards/odd', TOKEN))).toMatch(passes);
  expect(await sent(address, get('/cards/cards/plain', TOKEN))).toMatch(/^HTTP\/1\.1 200 OK/);
  expect((await proxy.end()).run).toMatchObject({ complete: true, requests: 2 });
});

const CLOSE = 'Connection: close\r\n';
test.each([
  [
    'Trailer beside Content-Length',
    `POST /base/x HTTP/1.1\r\nHost: localhost\r\nTrailer: A\r\nContent-Length: 1\r\n${CLOSE}\r\n1`,
    502,
  ],
  ['CONNECT', `CONNECT target.invalid:443 HTTP/1.1\r\nHost: localhost\r\n\r\n`, 501],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\nHost: localhost\r\n${CLOSE}\r\n`, 404],
  ['a host in its first line', `GET http://localhost/base/x HTTP/1.1\r\nHost: target.invalid\r\n${CLOSE}\r\n`, 200],
  [
    'a foreign host in its first line',
    `GET http://target.invalid/base/x HTTP/1.1\r\nHost: localhost\r\n${CLOSE}\r\n`,
    403,
  ],
  ['HTTP/1.0 and no host', 'GET /base/x HTTP/1.0\r\n\r\n', 200],
  ['an upgrade', get('/x', 'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'), 200],
  ['a foreign host', `GET /base/x HTTP/1.1\r\nHost: rebound.example:4900\r\n${CLOSE}\r\n`, 403],
  ['a host that is none', `GET /base/x HTTP/1.1\r\nHost: a b:c\r\n${CLOSE}\r\n`, 403],
  ['an expectation of its own', get('/x', 'Expect: odd\r\n'), 200],
  ['a header that is too long', get('/x', `${'X'.repeat(100_000)}: 1\r\n`), 431],
  ['a header that is long', get('/x', `${'X'.repeat(40_000)}: 1\r\n`), 200],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 400],
  ['letters beyond ASCII in its path', get('/\xf6?\xff'), 400],
  ['two hosts', `GET /base/x HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n${CLOSE}\r\n`, 200],
])('a request with %s is passed on or refused, and ends nothing', async (_, request, status) => {
  let arrived = '';
  const target = await serveSockets((socket, piece) => {
    arrived += piece;
    if (/\nupgrade:/i.test(arrived)) socket.destroy();
    else if (arrived.includes('\r\n\r\n')) socket.end(OK);
  });
  const { address } = await proxied(target);
  const received = await sent(address, request);
  expect(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]).toBe(status?.toString());
  expect((await fetch(`${address}/plain`)).status).toBe(200);
});

test('requests in a row on one connection are answered in their order, and a body of one is not taken for the next', async () => {
  const target = await serve(async (request, response) => void response.end(`${request.url} ${await text(request)};`));
  const { address } = await proxied(target);
  const post = (path: string, body: string) =>
    `POST /base${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const received = await sent(address, `${post('/1', get('/not'))}${post('/2', '')}${get('/3')}`);
  expect(received.match(/\/\d [^;]*;/gs)).toEqual([`/1 ${get('/not')};`, '/2 ;', '/3 ;']);
});

test('a request without a length gets none, and a client of HTTP/1.0 no chunks', async () => {
  const arrived: unknown[] = [];
  const target = await serve(({ headers }, response) => {
    arrived.push(headers['transfer-encoding'], headers['content-length']);
    response.write('{');
    response.end('}');
  });
  const { address } = await proxied(target);
  expect(await sent(address, `POST /base/x HTTP/1.0\r\nHost: localhost\r\n\r\n`)).toMatch(/\r\n\r\n\{\}$/);
  expect(arrived).toEqual([undefined, undefined]);
});

test('whether a client is to continue is left to the target', async () => {
  const target = await serveSockets((socket, request) => {
    if (request.includes('/no')) socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    else if (request.startsWith('POST')) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  const { address } = await proxied(target);
  const post = (path: string) =>
    `POST /base${path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`;
  expect(await sent(address, post('/no'))).toMatch(/^HTTP\/1\.1 413/);
  const client = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('latin1');
  client.write(post('/yes'));
  expect(await once(client, 'data')).toEqual(['HTTP/1.1 100 Continue\r\n\r\n']);
  client.write('{}');
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200/);
});

test('an upload that its client breaks off, or whose target is gone or has answered, ends nothing and accuses nobody', async () => {
  const target = await serveSockets((socket, request) => {
    if (request.includes('/gone')) socket.destroy();
    else if (request.includes('/early'))
      socket.end('HTTP/1.1 201 Created\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}');
    else if (request.includes('/plain')) socket.write(OK);
  });
  const { proxy, address } = await proxied(target);
  const begun = (path: string, length = 99_999_999) =>
    `PUT /base/cards/cards/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{"a":"${'x'.repeat(999_999)}`;
  expect(await sent(address, begun('gone/suspend'))).toMatch(/^(?:HTTP\/1\.1 502|$)/);
  expect(await sent(address, begun('early/suspend'))).toMatch(/^HTTP\/1\.1 201/);
  for (const path of ['silent/suspend', 'early/transfer']) {
    const client = connect(Number(new URL(address).port), '127.0.0.1');
    await once(client, 'connect');
    await new Promise((resolve) => client.write(begun(path), resolve));
    client.resetAndDestroy();
  }
  const headers = { authorization: 'Bearer t' };
  expect((await fetch(`${address}/cards/cards/plain`, { headers })).status).toBe(200);
  const { requirements, run } = await proxy.end();
  expect(requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(run).toMatchObject({ complete: true });
});

test('a name by which another page could use the proxy is refused, and its own are not', async () => {
  const { address } = await proxied(await oddTarget(''));
  const { port } = new URL(address);
  const asked = async (host: string) =>
    (await sent(address, `GET /base/x HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}\r\n`)).slice(9, 12);
  for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1', `127.0.0.1:${port}`, '[::1]:1'])
    expect([host, await asked(host)]).toEqual([host, '200']);
  for (const host of [
    'rebound.example',
    'localhost.rebound.example',
    '10.0.0.1',
    '127.0.0.1.rebound.example',
    'x@localhost',
    '',
  ])
    expect([host, await asked(host)]).toEqual([host, '403']);
});

test('a proxy in front of itself is refused, and a way back to it through another address ends', async () => {
  const { proxy, address } = await proxied('http://127.0.0.1:9');
  const port = Number(new URL(address).port);
  await proxy[Symbol.asyncDispose]();
  for (const baseUrl of [address, `http://localhost:${port}/base`, `http://0.0.0.0:${port}`])
    await expect(startProxy({ target: { baseUrl }, port })).rejects.toThrow(/^TARGET_BASE_URL: .* is the proxy itself/);
  let passed = 0;
  const between = await serve((request, response) => {
    passed++;
    const { method, url, headers } = request;
    const further = request.pipe(ask({ port, method, path: url, headers: { ...headers, host: 'localhost' } }));
    further.once('response', (answer) => answer.pipe(response.writeHead(answer.statusCode!, answer.headers)));
  });
  const looping = await startProxy({ target: { baseUrl: `${between}/base` }, port });
  onTestFinished(() => looping[Symbol.asyncDispose]());
  const answer = await fetch(`${address}/cards/cards`, { headers: { authorization: 'Bearer t' } });
  expect([answer.status, await answer.text()]).toEqual([508, expect.stringContaining('leads back to the proxy')]);
  expect(passed).toBe(1);
  expect((await looping.end()).requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
});

test('what does not start leaves its port, its report directory and the record in it as they were', async () => {
  const reportDir = temporaryDirectory();
  writeFileSync(join(reportDir, 'conformance.json'), '{}');
  const taken = Number(new URL(await serve(() => {})).port);
  for (let times = 0; times < 2; times++)
    await expect(startProxy({ target: { baseUrl: 'http://127.0.0.1:9' }, port: taken, reportDir })).rejects.toThrow(
      'EADDRINUSE',
    );
  expect(readdirSync(reportDir)).toEqual(['conformance.json']);
});
