import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Choices } from '../choices.ts';
import { writeJson } from '../json.ts';
import { addHeaders, succeeded } from '../tools.ts';
import { also, doubtful, type Freedom, family, ways } from './freedom.ts';

const written = [
  ...ways('layout', 'v3 and portal, bodies are JSON: white space is open', {
    'json-compact': (c) => void Object.assign(c.json, { indent: '', newline: '', colon: ':' }),
    'json-with-two-spaces': (c) => void Object.assign(c.json, { indent: '  ', newline: '\n', colon: ': ' }),
    'json-with-much-space': (c) => void Object.assign(c.json, { indent: ' \t ', newline: '\n\n\r\n', colon: '  :\t' }),
  }),
  ...ways('strings', 'v3 and portal, bodies are JSON: escapes are open', {
    'json-escapes-all-but-ascii': (c) => void Object.assign(c.json, { string: escaped }),
    'json-escapes-nothing-it-need-not': (c) => void Object.assign(c.json, { string: JSON.stringify }),
    'json-escapes-every-letter': (c) => void Object.assign(c.json, { string: everything }),
  }),
  ...ways('numbers', 'v3 and portal, numbers are JSON: fraction and exponent are open', {
    'numbers-with-fraction': (c) =>
      void Object.assign(c.json, { number: (n: number) => (Number.isInteger(n) ? `${n}.0` : String(n)) }),
    'numbers-with-two-decimals': (c) =>
      void Object.assign(c.json, { number: (n: number) => (Number.isInteger(n) ? String(n) : withTwo(n)) }),
    'numbers-with-negative-exponent': (c) =>
      void Object.assign(c.json, { number: (n: number) => (Number.isInteger(n) ? String(n) : withExponent(n)) }),
    'numbers-with-six-decimals': (c) =>
      void Object.assign(c.json, { number: (n: number) => (Number(n.toFixed(6)) === n ? n.toFixed(6) : String(n)) }),
    'numbers-with-exponent': (c) =>
      void Object.assign(c.json, { number: (n: number) => (n && n % 100 === 0 ? `${n / 100}E+2` : String(n)) }),
  }),
  ...ways('contentType', 'v3 and portal, bodies are JSON: the media type’s parameters are open', {
    'content-type-plain': (c) => void Object.assign(c, { contentType: 'application/json' }),
    'content-type-capitals': (c) => void Object.assign(c, { contentType: 'Application/JSON; Charset=UTF-8' }),
    'content-type-with-parameters': (c) =>
      void Object.assign(c, { contentType: 'application/json; profile="a;b"; v=3' }),
  }),
  ...doubtful('"All bodies are JSON" may be held to mean application/json', [
    {
      id: 'content-type-vendor-json',
      basis: 'v3, Resources: the media type of JSON bodies is not named',
      slot: 'contentType',
      change: (c) => void Object.assign(c, { contentType: 'application/vnd.second.v3+json' }),
    },
  ]),
  ...ways('errorType', 'v3 and portal, Errors: the media type of error bodies is not named', {
    'errors-as-problem-json': (c) => {
      c.after.push((reply) => {
        if (!succeeded(reply)) addHeaders(reply, { 'Content-Type': 'application/problem+json' });
      });
    },
  }),
];

function escaped(value: string): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function everything(value: string): string {
  const units = Array.from({ length: value.length }, (_, i) => value.charCodeAt(i).toString(16).padStart(4, '0'));
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}

function withExponent(n: number): string {
  const cents = Math.round(n * 100);
  return cents / 100 === n ? `${cents}e-2` : String(n);
}

function withTwo(n: number): string {
  return Number(n.toFixed(2)) === n ? n.toFixed(2) : String(n);
}

const wire = [
  ...ways('framing', 'v3 and portal, HTTP: the framing of bodies is open', {
    'bodies-with-length': (c) => withLength(c),
    'bodies-in-small-chunks': (c) => void Object.assign(c, { chunk: 7 }),
    'bodies-compressed-by-deflate': (c) => compressed(c, 'deflate', deflateSync),
    'bodies-compressed-by-brotli': (c) => compressed(c, 'br', brotliCompressSync),
    'bodies-compressed': (c) => {
      c.last.push((reply, x) => {
        if (reply.body === undefined || !/\bgzip\b/.test(String(x.headers['accept-encoding'] ?? ''))) return;
        reply.bytes = gzipSync(writeJson(reply.body, c.json));
        addHeaders(reply, { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
      });
    },
  }),
  ...doubtful('RFC 8259 has writers leave out a byte order mark', [
    {
      id: 'json-with-byte-order-mark',
      basis: 'v3 and portal, bodies are JSON: readers may pass over a byte order mark',
      slot: 'framing',
      change: (c) => {
        c.last.push((reply) => {
          if (reply.body !== undefined) reply.bytes = `\ufeff${writeJson(reply.body, c.json)}`;
        });
      },
    },
  ]),
  ...ways('empty', 'v3 and portal, "no body": its headers are open', {
    'no-body-with-content-type': (c) => {
      c.last.push((reply) => {
        if (reply.body === undefined && reply.bytes === undefined)
          addHeaders(reply, { 'Content-Type': 'application/json' });
      });
    },
    'no-body-chunked': (c) => {
      c.last.push((reply) => {
        if (reply.body === undefined && reply.bytes === undefined) reply.bytes = '';
      });
    },
  }),
  ...also('v3 and portal, HTTP: headers that are not named', {
    'connections-closed': (c) => void Object.assign(c.headers, { Connection: 'close' }),
    'cookies-set': (c) => void Object.assign(c.headers, { 'SET-COOKIE': 'affinity=7; Path=/; HttpOnly' }),
    'caching-forbidden': (c) => void Object.assign(c.headers, { 'Cache-Control': 'no-store', Pragma: 'no-cache' }),
    'etags-given': (c) => {
      c.after.push((reply, x) => addHeaders(reply, { ETag: `W/"${x.number}"` }));
    },
    'many-headers': (c) => {
      for (let i = 0; i < 60; i++) c.headers[`X-Filler-${i}`] = 'v'.repeat(80);
    },
    'rate-limit-headers': (c) =>
      void Object.assign(c.headers, { 'X-RateLimit-Remaining': '0', 'RateLimit-Limit': '100' }),
    'challenge-for-bad-tokens': (c) => {
      c.after.push((reply) => {
        if (reply.status === 401)
          addHeaders(reply, { 'WWW-Authenticate': 'Bearer realm="second", error="invalid_token"' });
      });
    },
    'correlation-header': (c) => {
      c.after.push((reply, x) => addHeaders(reply, { 'X-Correlation-Id': `${x.number}` }));
    },
  }),
];

function compressed(c: Choices, name: string, compress: (text: string) => Buffer): void {
  c.last.push((reply, x) => {
    const accepted = String(x.headers['accept-encoding'] ?? '').split(/[, ]+/);
    if (reply.body === undefined || !accepted.includes(name)) return;
    reply.bytes = compress(writeJson(reply.body, c.json));
    addHeaders(reply, { 'Content-Encoding': name, Vary: 'Accept-Encoding' });
  });
}

function withLength(c: Choices): void {
  c.last.push((reply) => {
    if (reply.body === undefined) return;
    reply.bytes = writeJson(reply.body, c.json);
    addHeaders(reply, { 'content-length': String(Buffer.byteLength(reply.bytes)) });
  });
}

/** How answers are written and framed. */
export const wireFreedoms: Freedom[] = family('transport', [...written, ...wire]);
