import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { type JsonStyle, writeJson } from '../json.ts';
import { addHeaders, succeeded } from '../tools.ts';
import { type Change, set } from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

const json =
  (style: Partial<JsonStyle>): Change =>
  (c) =>
    void Object.assign(c.json, style);

/** Adds the same headers to every answer. */
const headed =
  (fields: Record<string, string>): Change =>
  (c) =>
    void Object.assign(c.headers, fields);

/** Adds headers to answers, if there are any for them. */
const headers =
  (of: (x: Exchange, reply: Reply) => Record<string, string> | false): Change =>
  (c) =>
    void c.after.push((reply, x) => addHeaders(reply, of(x, reply) || {}));

/** Writes bodies in another way, if there is one for the request. */
const encoded =
  (
    write: (text: string, x: Exchange) => { bytes: string | Buffer; headers?: Record<string, string> } | undefined,
  ): Change =>
  (c) =>
    void c.last.push((reply, x) => {
      const written = reply.body === undefined ? undefined : write(writeJson(reply.body, c.json), x);
      if (!written) return;
      reply.bytes = written.bytes;
      addHeaders(reply, written.headers ?? {});
    });

const compressed = (name: string, compress: (text: string) => Buffer, accepted: RegExp): Change =>
  encoded((text, { headers }) =>
    accepted.test(String(headers['accept-encoding'] ?? ''))
      ? { bytes: compress(text), headers: { 'Content-Encoding': name, Vary: 'Accept-Encoding' } }
      : undefined,
  );

const bodiless =
  (change: (reply: Reply) => void): Change =>
  (c) =>
    void c.last.push((reply) => {
      if (reply.body === undefined && reply.bytes === undefined) change(reply);
    });

const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
const escaped = (value: string) => JSON.stringify(value).replace(/[^\x20-\x7e]/g, (one) => unit(one.charCodeAt(0)));
const everything = (value: string) =>
  `"${Array.from({ length: value.length }, (_, i) => unit(value.charCodeAt(i))).join('')}"`;

const withTwo = (n: number) => (Number(n.toFixed(2)) === n ? n.toFixed(2) : String(n));

function withExponent(n: number): string {
  const cents = Math.round(n * 100);
  return cents / 100 === n ? `${cents}e-2` : String(n);
}

/** How answers are written and framed. */
export const wireFreedoms: Freedom[] = family('transport', [
  ...ways('layout', 'v3 and portal, bodies are JSON: white space is open', {
    'json-compact': json({ indent: '', newline: '', colon: ':' }),
    'json-with-two-spaces': json({ indent: '  ', newline: '\n', colon: ': ' }),
    'json-with-much-space': json({ indent: ' \t ', newline: '\n\n\r\n', colon: '  :\t' }),
  }),
  ...ways('strings', 'v3 and portal, bodies are JSON: escapes are open', {
    'json-escapes-all-but-ascii': json({ string: escaped }),
    'json-escapes-nothing-it-need-not': json({ string: JSON.stringify }),
    'json-escapes-every-letter': json({ string: everything }),
  }),
  ...ways('numbers', 'v3 and portal, numbers are JSON: fraction and exponent are open', {
    'numbers-with-fraction': json({ number: (n) => (Number.isInteger(n) ? `${n}.0` : String(n)) }),
    'numbers-with-two-decimals': json({ number: (n) => (Number.isInteger(n) ? String(n) : withTwo(n)) }),
    'numbers-with-negative-exponent': json({ number: (n) => (Number.isInteger(n) ? String(n) : withExponent(n)) }),
    'numbers-with-six-decimals': json({ number: (n) => (Number(n.toFixed(6)) === n ? n.toFixed(6) : String(n)) }),
    'numbers-with-exponent': json({ number: (n) => (n && n % 100 === 0 ? `${n / 100}E+2` : String(n)) }),
  }),
  ...ways('contentType', 'v3 and portal, bodies are JSON: the media type’s parameters are open', {
    'content-type-plain': set({ contentType: 'application/json' }),
    'content-type-capitals': set({ contentType: 'Application/JSON; Charset=UTF-8' }),
    'content-type-with-parameters': set({ contentType: 'application/json; profile="a;b"; v=3' }),
  }),
  ...doubtful(
    '"All bodies are JSON" may be held to mean application/json',
    exactly(
      'v3, Resources: the media type of JSON bodies is not named',
      { 'content-type-vendor-json': set({ contentType: 'application/vnd.second.v3+json' }) },
      'contentType',
    ),
  ),
  ...ways('errorType', 'v3 and portal, Errors: the media type of error bodies is not named', {
    'errors-as-problem-json': headers(
      (_x, reply) => !succeeded(reply) && { 'Content-Type': 'application/problem+json' },
    ),
  }),
  ...ways('framing', 'v3 and portal, HTTP: the framing of bodies is open', {
    'bodies-with-length': encoded((text) => ({
      bytes: text,
      headers: { 'content-length': String(Buffer.byteLength(text)) },
    })),
    'bodies-in-small-chunks': set({ chunk: 7 }),
    'bodies-compressed-by-deflate': compressed('deflate', deflateSync, /(^|[, ])deflate($|[, ])/),
    'bodies-compressed-by-brotli': compressed('br', brotliCompressSync, /(^|[, ])br($|[, ])/),
    'bodies-compressed': compressed('gzip', gzipSync, /\bgzip\b/),
  }),
  ...doubtful(
    'RFC 8259 has writers leave out a byte order mark',
    exactly(
      'v3 and portal, bodies are JSON: readers may pass over a byte order mark',
      { 'json-with-byte-order-mark': encoded((text) => ({ bytes: `\ufeff${text}` })) },
      'framing',
    ),
  ),
  ...ways('empty', 'v3 and portal, "no body": its headers are open', {
    'no-body-with-content-type': bodiless((reply) => addHeaders(reply, { 'Content-Type': 'application/json' })),
    'no-body-chunked': bodiless((reply) => void Object.assign(reply, { bytes: '' })),
  }),
  ...also('v3 and portal, HTTP: headers that are not named', {
    'connections-closed': headed({ Connection: 'close' }),
    'cookies-set': headed({ 'SET-COOKIE': 'affinity=7; Path=/; HttpOnly' }),
    'caching-forbidden': headed({ 'Cache-Control': 'no-store', Pragma: 'no-cache' }),
    'etags-given': headers(({ number }) => ({ ETag: `W/"${number}"` })),
    'many-headers': headed(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`X-Filler-${i}`, 'v'.repeat(80)]))),
    'rate-limit-headers': headed({ 'X-RateLimit-Remaining': '0', 'RateLimit-Limit': '100' }),
    'challenge-for-bad-tokens': headers(
      (_x, { status }) => status === 401 && { 'WWW-Authenticate': 'Bearer realm="second", error="invalid_token"' },
    ),
    'correlation-header': headers(({ number }) => ({ 'X-Correlation-Id': `${number}` })),
  }),
]);
