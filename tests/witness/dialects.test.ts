/** What recorders write differently, of a sound target and of one whose listed cards have numbers for identifiers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Entry, Har } from 'har-format';
import { expect, test } from 'vitest';
import { judge } from '../../run/judge.ts';
import { BASE, entry, type Said } from './entries.ts';

// An entry of a dialect has what the types of HAR 1.2 do not know.
// biome-ignore lint/suspicious/noExplicitAny: any member of it
type Written = any;

const listing = (identifier: unknown): Written =>
  entry({
    request: 'GET /cards/cards?max=5',
    headers: { Authorization: 'Bearer t-1' },
    answer: { results: [{ identifier }] },
  });
const pin: Said = {
  request: 'POST /cards/cards/c-1/pin',
  headers: { Authorization: 'Bearer t-1', 'Content-Length': '14' },
  body: { pin: '3917' },
};

/** Changes what stands in an answer's place, and says which size it had. */
function withContent(one: Written, content: object): Written {
  const { text, ...others } = one.response.content;
  return { ...one, response: { ...one.response, content: { ...others, ...content } } };
}

const inLowerCase = (one: Written): Written => {
  const lower = (message: Written) => ({
    ...message,
    httpVersion: 'HTTP/2',
    headers: message.headers.map(({ name, value }: Record<'name' | 'value', string>) => ({
      name: name.toLowerCase(),
      value,
    })),
  });
  return { ...one, request: lower(one.request), response: lower(one.response) };
};

const DIALECTS: Record<string, (one: Written) => Written> = {
  // Names of HTTP/2 with those that are no headers, times of its own, and a priority.
  'the developer tools of Chromium': (one) => {
    const written = inLowerCase(one);
    written.request.headers.unshift(
      { name: ':authority', value: 'cards.example' },
      { name: ':scheme', value: 'https' },
    );
    return {
      ...written,
      _initiator: { type: 'script' },
      _priority: 'High',
      _resourceType: 'fetch',
      connection: '443',
    };
  },
  // An offset instead of Z, sizes of headers, and -1 for what is not known.
  'the developer tools of Firefox': (one) => ({
    ...one,
    startedDateTime: '2026-05-10T14:00:00.000+02:00',
    request: { ...one.request, headersSize: 90, bodySize: one.request.postData ? -1 : 0 },
    response: { ...one.response, headersSize: 120, bodySize: -1 },
    timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: 20, receive: 0 },
  }),
  'the inspector of WebKit': (one) => {
    const written = inLowerCase(one);
    return { ...written, time: 20.5, _fetchType: 'Network Load', request: { ...written.request, bodySize: -1 } };
  },
  // The body as it came, encoded, in base64.
  Charles: (one) => {
    const text = brotliCompressSync(one.response.content.text ?? '').toString('base64');
    const written = one.response.content.text === undefined ? one : withContent(one, { text, encoding: 'base64' });
    written.response.headers.push({ name: 'Content-Encoding', value: 'br' });
    return { ...written, request: { ...written.request, httpVersion: 'HTTP/1.1' } };
  },
  // Parameters apart from the address, which has none.
  'a recorder that keeps the query apart': (one) => {
    const { origin, pathname, searchParams } = new URL(one.request.url);
    const queryString = [...searchParams].map(([name, value]) => ({ name, value }));
    return { ...one, request: { ...one.request, url: origin + pathname, queryString } };
  },
  // Times as numbers of milliseconds in text, of no use, and no time at all.
  Insomnia: (one) => ({ ...one, startedDateTime: 'Sun May 10 2026 14:00:00 GMT+0200', timings: undefined, cache: {} }),
  'HTTP Toolkit': (one) => ({
    ...one,
    request: { ...one.request, postData: one.request.postData && { ...one.request.postData, params: [] } },
    _requestTrailers: {},
    _pinned: true,
  }),
  // All text in base64, without a statement of its size.
  'a recorder that encodes every body': (one) =>
    one.response.content.text === undefined
      ? one
      : withContent(one, {
          text: Buffer.from(one.response.content.text).toString('base64'),
          encoding: 'base64',
          size: -1,
        }),
  'Playwright with content: embed': (one) => ({
    ...one,
    pageref: 'page@1',
    _securityDetails: {},
    serverIPAddress: '::1',
  }),
};

async function failedMusts(entries: readonly Entry[], options = {}): Promise<string[]> {
  const { requirements } = await judge(entries, options);
  return requirements.filter(({ verdict, level }) => verdict === 'failed' && level === 'must').map(({ id }) => id);
}

test.each(Object.entries(DIALECTS))('%s accuses no sound target, and condemns a broken one', async (_, write) => {
  const of = (identifier: unknown, status: number) =>
    failedMusts([write(listing(identifier)), write(entry({ ...pin, status }))], { target: { baseUrl: BASE } });
  expect(await of('c-1', 200)).toEqual([]);
  expect(await of(7, 201)).toEqual(['cards.list.shape', 'cards.setPin.status']);
});

test.each(['mitmproxy', 'chromium'])(
  'what %s recorded of the sandbox condemns it once its cards have numbers for a status',
  async (name) => {
    const { log } = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.har`), 'utf8')) as Har;
    const broken = log.entries.map((one) => ({
      ...one,
      response: { ...one.response, content: { ...one.response.content } },
    }));
    const records = broken.filter(
      ({ request, response }) => /\/cards\/cards\/[^/]+$/.test(request.url) && response.status === 200,
    );
    for (const {
      response: { content },
    } of records) {
      content.text = JSON.stringify({ ...JSON.parse(content.text!), status: 7 });
      content.size = content.text.length;
    }
    expect(await failedMusts(log.entries)).toEqual([]);
    expect(await failedMusts(broken)).toContain('cards.get.shape');
  },
);
