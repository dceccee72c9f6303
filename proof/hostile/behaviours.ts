/** Ways in which a server can be a danger to what calls it, each as the answer to one request. */
import { gzipSync } from 'node:zlib';
import { type Behaviour, type Call, type Forwarded, reply } from './target.ts';

const MIB = 1024 * 1024;

const json =
  (text: string | Buffer, status = 200, headers: Forwarded['headers'] = {}): Behaviour =>
  ({ response }) =>
    reply(response, {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: Buffer.isBuffer(text) ? text : Buffer.from(text),
    });

/** Bytes that go out as they are, then the end of the connection. */
const raw =
  (bytes: string): Behaviour =>
  ({ request }) =>
    void request.socket.end(bytes, 'latin1');

/** The sandbox's answer with another body. */
const rewritten =
  (rewrite: (text: string, call: Call) => string): Behaviour =>
  async (call) => {
    const answer = await call.forward();
    const text = answer.body.toString();
    reply(call.response, text === '' ? answer : { ...answer, body: Buffer.from(rewrite(text, call)) });
  };

/** An interval that lasts as long as the connection. */
function whileOpen({ response }: Call, milliseconds: number, tick: () => void): void {
  const timer = setInterval(tick, milliseconds);
  response.on('close', () => clearInterval(timer));
}

/** Blanks after the beginning of an array, as fast as they are read. @param mib how many MiB of them */
const flood =
  (mib: number, headers: Record<string, string>): Behaviour =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.write('[');
    const chunk = Buffer.alloc(MIB, ' ');
    let sent = 0;
    const more = () => {
      while (sent++ < mib && !response.destroyed) if (!response.write(chunk)) return;
      response.end();
    };
    response.on('drain', more);
    more();
  };

let fresh = 0;

/** The sandbox's answer to the listing of customers with another body. */
const ofCustomers = (rewrite: (text: string, url: string) => string): Behaviour =>
  rewritten((text, { request: { url = '' } }) => (/\/users\/customers(\?|$)/.test(url) ? rewrite(text, url) : text));

/** The sandbox's answers, save one in so many. */
const everyNth =
  (nth: number, behaviour: Behaviour): Behaviour =>
  async (call) =>
    ++fresh % nth === 0 ? behaviour(call) : reply(call.response, await call.forward());

/** Another token and session. */
const credentials = (value: string): Behaviour =>
  rewritten((text) => text.replace(/("(?:access_token|sessionId)":")[^"]*/g, `$1${value}`));

let bomb: Buffer | undefined;

/** Behaviours whose answers are large, or meant for what reads of them: these try the memory of a run, and what it says. */
export const HEAVY: Record<string, Behaviour> = {
  'sends a body without end': flood(Number.POSITIVE_INFINITY, {}),
  'sends a body of 200 MB': flood(200, { 'content-length': String(1 + 200 * MIB) }),
  'sends JSON of 15 MB': json(`{"results":[${'{"identifier":"x"},'.repeat(820_000)}{"identifier":"x"}]}`),
  'sends a gzip bomb': (call) => {
    bomb ??= gzipSync(Buffer.alloc(400 * MIB, ' '), { level: 9 });
    return json(bomb, 200, { 'content-encoding': 'gzip' })(call);
  },
  'nests 100,000 levels deep': json(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  'nests 100,000 levels deep in a refusal': json(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 400),
  'sends an integer of a million digits': json(`{"customerId":${'9'.repeat(1_000_000)},"balance":${'9'.repeat(400)}}`),
  'sends a text of ten million characters': json(
    `{"access_token":"${'a'.repeat(1e7)}","sessionId":"${'b'.repeat(1e7 / 2)}"}`,
  ),
  'answers bodies that look like every secret': json(
    `{"message":"${'password='.repeat(100_000)}${'4111111111111111 '.repeat(1000)}"}`,
    400,
  ),
  'sends thousands of headers': ({ request }) => {
    const lines = Array.from({ length: 5000 }, (_, i) => `x-header-${i}: ${'v'.repeat(20)}\r\n`).join('');
    request.socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${lines}content-length: 2\r\n\r\n{}`);
  },
  'sends hundreds of cookies': json('{}', 200, {
    'set-cookie': Array.from({ length: 300 }, (_, i) => `c${i}=${'v'.repeat(40)}; Path=/`),
  }),
  'answers 500 with a stack trace': json('Error: boom\n    at Object.<anonymous> (/srv/app.js:1:1)', 500),
  'sends terminal escapes': json(
    '[{"errorCode":"\\u001b]0;owned\\u0007","errorMessage":"\\u001b[2J\\r\\n::error::x"}]',
    400,
  ),
  'folds line breaks into headers': raw(
    'HTTP/1.1 200 OK\r\nx: a\r\n b\r\nx-y: \x1b[31m\r\ncontent-length: 2\r\n\r\n{}',
  ),
};

/** Behaviours of transport and body that try what a run makes of an answer. */
export const PLAIN: Record<string, Behaviour> = {
  'never answers': () => {},
  'resets the connection': ({ request }) => void request.socket.resetAndDestroy(),
  'ends the connection without a word': raw(''),
  'drips a byte a second': (call) => {
    call.response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
    whileOpen(call, 1000, () => call.response.write(' '));
  },
  'says gzip and sends text': json('{"a":1}', 200, { 'content-encoding': 'gzip' }),
  'names encodings on top of each other': json('{}', 200, { 'content-encoding': Array(50).fill('gzip').join(', ') }),
  'sends invalid UTF-8': json(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])),
  'sends JSON that is cut off': json('{"results":[{"identifier":"1",'),
  'sends HTML with 200': ({ response }) =>
    reply(response, {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<!doctype html><title>Sign in</title><script>alert(1)</script>'),
    }),
  'sends null': json('null'),
  'sends a number': json('1e400'),
  'sends arrays of nonsense': json('[[],{},null,-0,"",{"items":{"0":1}},[{"results":7}]]'),
  'sends an object of wrong types': json(
    '{"results":{"length":1000000000},"items":[null,1,"x",[]],"continuationToken":{},"access_token":["x"],"sessionId":5,' +
      '"customerId":{"toString":1},"identifier":null,"status":[],"balance":"NaN","token":{},"expires_in":"∞","expires_on":-1e+308}',
  ),
  'redirects to itself': ({ request, response }) =>
    reply(response, { status: 302, headers: { location: request.url }, body: Buffer.alloc(0) }),
  'answers 429 forever': json('[]', 429),
  'answers 429 forever and asks for a day': json('[]', 429, { 'retry-after': '86400' }),
  'answers 429 forever with nonsense in Retry-After': json('[]', 429, { 'retry-after': `${'9'.repeat(400)}` }),
  'answers 503 forever': json('', 503),
  'answers 999': raw('HTTP/1.1 999 What\r\ncontent-length: 2\r\n\r\n{}'),
  'answers 100 forever': (call) =>
    whileOpen(call, 5, () => void call.request.socket.write('HTTP/1.1 100 Continue\r\n\r\n')),
  'switches protocols': raw(
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n\x81\x00',
  ),
  'answers in another protocol': raw('SSH-2.0-server\r\n'),
  'promises more bytes than it sends': raw(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{}',
  ),
  'sends more bytes than it promises': ({ request }) =>
    void request.socket.write(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"injected":1}',
    ),
  'promises two lengths': raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}abc'),
  'sends chunks that are none': raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'),
};

/** Behaviours which say nothing conformant whatever they are asked. */
export const BROKEN: Record<string, Behaviour> = { ...HEAVY, ...PLAIN };

/** Sends listings of 50,000 entries. */
export const LONG_LISTINGS: Behaviour = rewritten((text, { request }) => {
  const body = JSON.parse(text) as Record<string, unknown[]>;
  const name = ['results', 'items'].find((list) => Array.isArray(body[list]) && body[list].length > 0);
  if (!name || request.method !== 'GET') return text;
  const [first] = body[name] as [Record<string, unknown>];
  const { identifier, customerId } = first;
  const many = Array.from({ length: 50_000 }, (_, i) =>
    identifier === undefined ? { customerId: Number(customerId) + i } : { identifier: `${identifier}${i || ''}` },
  );
  return JSON.stringify({ ...body, [name]: many });
});

/** Behaviours that let the target's own answers through, and add something to them. */
export const TWISTED: Record<string, Behaviour> = {
  'gives fresh continuation tokens without end': ofCustomers((text) =>
    JSON.stringify({ ...(JSON.parse(text) as object), continuationToken: `more-${++fresh}` }),
  ),
  'gives fresh customers and continuation tokens without end': ofCustomers((_, url) => {
    const length = Math.min(Number(/[?&]max=(\d+)/.exec(url)?.[1] ?? 50), 50);
    const results = Array.from({ length }, () => ({ identifier: `customer-${++fresh}`, name: 'x' }));
    return JSON.stringify({ results, continuationToken: `more-${fresh}` });
  }),
  'cuts every third answer': everyNth(3, ({ request }) => void request.socket.destroy()),
  'answers every fifth request with 500': everyNth(5, ({ response }) =>
    reply(response, { status: 500, headers: {}, body: Buffer.from('[]') }),
  ),
};

/** Behaviours that are allowed: nobody is accused for them. */
export const ALLOWED: Record<string, Behaviour> = {
  'closes kept connections between requests': async (call) => {
    const answer = await call.forward();
    call.response.on('finish', () => call.request.socket.end());
    reply(call.response, answer);
  },
  'adds __proto__ and constructor to every object': rewritten((text) =>
    text.replaceAll(
      '{"',
      '{"__proto__":{"polluted":true,"status":"Active"},"constructor":{"prototype":{"polluted":true}},"',
    ),
  ),
  'repeats the first member of every object': rewritten((text) =>
    text.replace(/\{("\w+":(?:"(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null)),/g, '{$1,$1,'),
  ),
};

/** Behaviours of the token and login call alone. */
export const AT_LOGIN: Record<string, Behaviour> = {
  'gives a token and a session with line breaks': credentials('ab\\r\\nX-Injected: yes\\r\\n\\r\\ncd'),
  'gives a token and a session of ten million characters': credentials('a'.repeat(1e7)),
  'gives a token and a session that are everywhere': credentials('requirement'),
};
