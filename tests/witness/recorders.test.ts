import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Entry, Har } from 'har-format';
import { describe, expect, test } from 'vitest';
import { judge, judgeRecordings } from '../../run/judge.ts';
import { configurationOf } from '../../run/options.ts';
import { exchangeOf } from '../../witness/har.ts';
import { BASE, entry, login, read, type Said } from './entries.ts';

/** Requirements that such a recording shows: a type, a guard, an error, another session, the same card. */
const SHOWN = [
  'token.issue.shape',
  'cards.get.shape',
  'cards.get.same-card',
  'cards.setPin.error-shape',
  'users.list.requires-token',
  'portal.logout.ends-session',
];

/** Of the sandbox: requests with curl through mitmproxy 8.1.1, and the same from a page in Chromium 156, by Playwright 1.65. */
test.each(['mitmproxy', 'chromium'])('a sound target keeps what a recording by %s shows', async (name) => {
  const { log } = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.har`), 'utf8')) as Har;
  const { requirements, summary } = await judge(log.entries);
  const passed = requirements.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id as string);
  expect(passed).toEqual(expect.arrayContaining(SHOWN));
  expect(summary.must).toMatchObject({ failed: 0, inconclusive: 0 });
});

/** Failed musts of a recording. @param options where it was made, where that is configured */
async function failedMusts(entries: readonly Entry[], options = {}): Promise<string[]> {
  const { requirements } = await judge(entries, options);
  return requirements.filter(({ verdict, level }) => verdict === 'failed' && level === 'must').map(({ id }) => id);
}

const authorised = { Authorization: 'Bearer t-1' };
const wire = (bytes: number) => ({ ...authorised, 'Content-Type': 'application/json', 'Content-Length': `${bytes}` });
const pin = (more: Partial<Said>): Said => ({ request: 'POST /cards/cards/c-1/pin', headers: wire(9), ...more });
/** A request for which a body is required, as a recorder writes it down. */
const pinned = (request: object, headers: Record<string, string> = wire(9), status = 200): Entry => {
  const one = entry(pin({ headers, status }));
  return { ...one, request: { ...one.request, ...request } } as Entry;
};
/** Without Content-Length, as in HTTP/2. */
const unmeasured = { ...authorised, 'Content-Type': 'application/json' };

test.each<[recorder: string, sound: Entry]>([
  [
    'Playwright with content: omit',
    pinned({ postData: { mimeType: 'application/json', text: '', params: [] }, bodySize: 9 }, unmeasured),
  ],
  [
    'Playwright with mode: minimal',
    pinned({ postData: { mimeType: 'application/json', text: '', params: [] }, bodySize: -1 }, unmeasured),
  ],
  [
    'Playwright with content: attach',
    pinned(
      { postData: { mimeType: 'application/json', text: '', params: [], _file: '9f.json' }, bodySize: 9 },
      unmeasured,
    ),
  ],
  ['Chromium, of a Blob', pinned({ bodySize: 0 })],
  ['Chromium, of a Blob, over HTTP/2', pinned({ bodySize: 0 }, unmeasured)],
  ['WebKit', pinned({ bodySize: -1 }, unmeasured)],
  ['a recorder that gives no sizes', pinned({}, unmeasured)],
  ['Redocly', pinned({ postData: {}, bodySize: -1 }, unmeasured)],
  ['HTTP Toolkit, of a large body', pinned({ bodySize: 50_000 }, unmeasured)],
  [
    'a recorder that keeps the beginning',
    pinned({ postData: { mimeType: 'application/json', text: '{"pi' }, bodySize: 9 }, unmeasured),
  ],
  [
    'a recorder that says that it cut',
    pinned({ postData: { mimeType: 'application/json', text: '', comment: 'truncated' }, bodySize: 0 }),
  ],
])('a body that was left out by %s is not missing, nor is a 500 to it accused', async (_, sound) => {
  const broken = { ...sound, response: { ...sound.response, status: 201 } };
  expect(await failedMusts([sound])).toEqual([]);
  expect(await failedMusts([{ ...sound, response: { ...sound.response, status: 500 } }])).toEqual([]);
  expect(await failedMusts([broken])).toEqual(['cards.setPin.status']);
});

test.each<[recorder: string, empty: Entry]>([
  ['Playwright', pinned({ bodySize: 0 }, { ...authorised, 'Content-Length': '0' })],
  ['Playwright, with a type', pinned({ bodySize: 0 }, wire(0))],
  ['mitmproxy', pinned({ postData: { mimeType: 'application/json', text: '', params: [] }, bodySize: 0 }, unmeasured)],
  ['Chromium', pinned({ bodySize: 0 }, authorised)],
  ['Redocly, where Content-Length was set', pinned({ postData: {}, bodySize: -1 }, wire(0))],
])('a body that was empty by %s is missing, and must be refused', async (_, empty) => {
  expect(await failedMusts([empty])).toEqual(['cards.setPin.missing-body']);
  const refused = { status: 400, content: { size: 2, mimeType: 'application/json', text: '[]' } };
  expect(await failedMusts([{ ...empty, response: { ...empty.response, ...refused } }])).toEqual([]);
});

const listing = (response: object, status = 200): Entry => {
  const one = entry({ request: 'GET /cards/cards?max=5', headers: authorised, status });
  return { ...one, response: { ...one.response, ...response } } as Entry;
};
const typed = (more: object = {}) => [
  { name: 'Content-Type', value: 'application/json' },
  ...Object.entries(more).map(([name, value]) => ({ name, value })),
];
const coded = (coding: string, bytes: Buffer) => ({
  headers: typed({ 'Content-Encoding': coding }),
  content: { size: 12, text: bytes.toString('base64'), encoding: 'base64' },
});

test.each<[recorder: string, response: object]>([
  ['a body on the wire beside content of no bytes', { headers: typed(), content: { size: 0 }, bodySize: 40 }],
  ['the same, with an empty text', { headers: typed(), content: { size: 0, text: '' }, bodySize: 40 }],
  [
    'Playwright with content: omit',
    { headers: typed(), content: { size: -1, mimeType: 'application/json' }, bodySize: -1 },
  ],
  ['Playwright with content: attach', { headers: typed(), content: { size: 14, _file: '9f.json' }, bodySize: 14 }],
  ['Firefox', { headers: typed(), content: { size: 14, comment: 'Response bodies are not included.' } }],
  ['a recorder that gives no sizes', { headers: typed(), content: { mimeType: 'application/json' } }],
  ['a recorder that gives no content', { headers: typed(), content: undefined }],
  ['a recorder that gives content of no bytes for all', { headers: typed(), content: { size: 0 }, bodySize: -1 }],
  ['the beginning of a large body', { headers: typed(), content: { size: 5000, text: '{"results":[{' } }],
  ['a chunked body', { headers: typed({ 'Transfer-Encoding': 'chunked' }), content: { size: 0 } }],
  ['a coding that nobody knows', coded('br', Buffer.from([0, 1, 2, 255]))],
  ['half a coded body', coded('br', brotliCompressSync('{"results":[]}').subarray(0, 9))],
  ['text that is no base64', { headers: typed(), content: { size: 4, text: '{"results"', encoding: 'base64' } }],
  ['an encoding that nobody knows', { headers: typed(), content: { size: 0, text: '7b7d', encoding: 'hex' } }],
])('an answer whose body was left out is judged by its status: %s', async (_, response) => {
  expect(await failedMusts([listing(response)])).toEqual([]);
  expect(await failedMusts([listing(response, 400)])).toEqual([]);
  expect(await failedMusts([listing(response, 201)])).toEqual(['cards.list.status']);
});

test.each<[recorder: string, response: object]>([
  ['Content-Length', { headers: typed({ 'Content-Length': '0' }), content: { size: -1 } }],
  ['all sizes', { headers: typed(), content: { size: 0, text: '' }, bodySize: 0 }],
])('an answer that was empty by %s has the wrong shape', async (_, response) => {
  expect(await failedMusts([listing(response)])).toEqual(['cards.list.shape']);
});

test('an answer that a cleaner made shorter is judged', async () => {
  const cleaned = (identifier: unknown) => ({
    headers: typed(),
    content: { size: 500, text: JSON.stringify({ results: [{ identifier }] }) },
  });
  expect(await failedMusts([listing(cleaned('c-1'))])).toEqual([]);
  expect(await failedMusts([listing(cleaned(7))])).toEqual(['cards.list.shape']);
});

test('of an answer without headers no header is missing', async () => {
  const shoulds = async (headers: object[]) => {
    const token = entry({
      request: 'POST /tenant/B2C_1_signupandsignin/oauth2/v2.0/token',
      form: { grant_type: 'client_credentials' },
      answer: { access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 },
    });
    const { requirements } = await judge([{ ...token, response: { ...token.response, headers } } as Entry]);
    return requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
  };
  expect(await shoulds([])).toEqual([]);
  expect(await shoulds([{ name: 'Server', value: 'x' }])).toEqual(['token.issue.media-type', 'token.issue.no-store']);
});

describe('what stands elsewhere, or was given by somebody else', () => {
  const beside = (sessionId: string): Entry => {
    const one = read(1, '');
    return { ...one, request: { ...one.request, queryString: [{ name: 'sessionId', value: sessionId }] } };
  };

  test('parameters that stand in queryString alone are those of the request', async () => {
    expect(await failedMusts([login(0, 's-1'), read(1, 's-1'), beside('s-1')])).toEqual([]);
    const requiresSession = ['portal.getShippingMethods.requires-session'];
    expect(await failedMusts([login(0, 's-1'), read(1, 's-1'), read(2, '')])).toEqual(requiresSession);
  });

  test.each(['_wasFulfilled', '_fetchedViaServiceWorker'])(
    'what the target did not answer is not judged: %s',
    async (name) => {
      const wrong = { headers: typed(), content: { size: 9, text: '{"results' } };
      expect(await failedMusts([listing({}), { ...listing(wrong), [name]: true }])).toEqual([]);
      expect(await failedMusts([listing({}), listing(wrong)])).toEqual(['cards.list.shape']);
    },
  );

  test('a request that was aborted has no answer', async () => {
    expect(
      await failedMusts([listing({ content: { size: 0 } }), listing({ status: -1, content: { size: -1 } })]),
    ).toEqual([]);
  });
});

describe('what a cleaner removed', () => {
  const listed = (headers: Record<string, string>, answer: unknown = { results: [] }) =>
    entry({ request: 'GET /cards/cards?max=5', headers, answer });
  const users = (headers: Record<string, string>) =>
    entry({ request: 'GET /users/customers?max=5', headers, answer: { results: [] } });

  /** Failed musts of several recordings that are judged together. */
  async function failedOf(...recordings: Entry[][]) {
    const configuration = await configurationOf({}, { purpose: 'judgement' });
    const exchanges = recordings.map((entries, at) => entries.flatMap((one) => [...exchangeOf(one, 1, `${at}.har`)]));
    const { findings } = await judgeRecordings(configuration, exchanges, undefined);
    return findings.outcomes.filter(({ verdict }) => verdict === 'failed').map(({ requirement }) => requirement);
  }

  test('is known for each recording: a cleaned one beside a whole one accuses nobody', async () => {
    const [whole, bare] = [listed(authorised), listed({ Accept: 'a' })];
    expect(await failedOf([whole], [bare])).toEqual([]);
    expect(await failedOf([whole, bare], [bare])).toContain('cards.list.requires-token');
    const session = [login(0, 's-1'), read(1, 's-1')];
    expect(await failedOf(session, [read(1, '')])).toEqual([]);
  });

  test.each(['[Filtered]', 'Bearer [REDACTED]', '***', ''])('Authorization: %s', async (Authorization) => {
    const wrong = { results: [{ identifier: 7 }] };
    expect(await failedMusts([listed({ Authorization }), users({ Authorization })])).toEqual([]);
    expect(await failedMusts([listed({ Authorization }, wrong), users({ Authorization })])).toEqual([
      'cards.list.shape',
    ]);
  });

  test('without Authorization and addresses, requests belong by several operations, or by an answer as documented', async () => {
    const wrong = listed({ Accept: 'a' }, { results: [{ identifier: 7 }] });
    const at = (one: Entry, base: string) => ({
      ...one,
      request: { ...one.request, url: one.request.url.replace(BASE, base) },
    });
    expect(await failedMusts([wrong, users({ Accept: 'a' })])).toEqual(['cards.list.shape']);
    expect(await failedMusts([wrong, listed({ Accept: 'a' }), at(wrong, 'https://shop.example')])).toEqual([
      'cards.list.shape',
    ]);
    await expect(judge([wrong])).rejects.toThrow('1 to https://cards.example');
  });

  test('a value that was masked is no other value, and no second one', async () => {
    const masked = '[Filtered]';
    const related = entry({
      request: `GET /cards/cards/${encodeURIComponent(masked)}`,
      headers: authorised,
      answer: { identifier: 'c-1' },
    });
    const filtered = { results: [{ identifier: 'c-1', programIdentifier: 'p-1' }] };
    const query = `programIdentifier=${encodeURIComponent(masked)}`;
    const searched = entry({ request: `GET /cards/cards?${query}`, headers: authorised, answer: filtered });
    expect(await failedMusts([related, searched])).toEqual([]);
    const answered = (more: object) =>
      entry({ request: 'GET /cards/cards/c-1', headers: authorised, answer: { identifier: 'c-1', ...more } });
    expect(await failedMusts([answered({ identifier: masked }), answered({ balance: '***' })])).toEqual([]);
    expect(await failedMusts([answered({ balance: 'much' })])).toEqual(['cards.get.shape']);
  });
});
