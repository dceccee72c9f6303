import type { Entry } from 'har-format';
import { describe, expect, test } from 'vitest';
import { NothingSeen } from '../../run/index.ts';
import { judge } from '../../run/judge.ts';
import { BASE, cards, entry, issued, login, logout, read } from '../witness/entries.ts';

/** The verdict of a requirement. */
const verdictOf = async (id: string, entries: readonly Entry[]) =>
  (await judge(entries)).requirements.find((one) => one.id === id)!.verdict;

/** The must requirements that fail. */
const failedIn = async (entries: readonly Entry[]): Promise<string[]> => {
  const { requirements } = await judge(entries);
  return requirements.filter(({ verdict, level }) => verdict === 'failed' && level === 'must').map(({ id }) => id);
};

const SESSION_ENDS = 'portal.logout.ends-session';
const TOKEN_ENDS = 'cards.list.requires-live-token';
const one = [login(0, 's-1'), read(1, 's-1'), logout(2, 's-1')];
const refused = [login(0, 's-1'), logout(2, 's-1'), login(3, 's-2'), read(4, 's-2'), read(9, 's-1', 401)];
const issuedOne = [issued(0, 't-1'), cards(10, 't-1')];

test.each<[string, string, Entry[], string]>([
  ['a session that is served after its logout', SESSION_ENDS, [...one, read(9, 's-1')], 'failed'],
  ['a session that is refused after it, while others are served', SESSION_ENDS, refused, 'passed'],
  [
    'what is read within the settle time, or before it in spite of the order',
    SESSION_ENDS,
    [read(1, 's-1'), login(0, 's-1'), logout(2, 's-1'), read(2.5, 's-1')],
    'skipped',
  ],
  ['a token that outlives its hour', TOKEN_ENDS, [...issuedOne, cards(3700, 't-1')], 'failed'],
  ['a token that is refused after it', TOKEN_ENDS, [...issuedOne, cards(3700, 't-1', 401)], 'passed'],
])('%s: %s', async (_, id, entries, verdict) => {
  expect(await verdictOf(id, entries)).toBe(verdict);
});

const bare = (at: number, status = 200) =>
  entry({ at, request: 'GET /cards/cards', status, answer: status === 200 ? { results: [] } : [] });
const listing = (query: string, status: number, answer: unknown) =>
  entry({ request: `GET /cards/cards${query}`, headers: { Authorization: 'Bearer t-1' }, status, answer });
const noListing = { status: 200, headers: [], content: { size: 99 } };

test.each<[string, Entry[], string[]]>([
  ['a session that is refused after its logout', refused, []],
  ['a session that a login gives again', [login(0, 's-1'), logout(2, 's-1'), login(5, 's-1'), read(9, 's-1')], []],
  ...['[REDACTED]', '***', 'xxxxxxxx', '<hidden>'].map((masked): [string, Entry[], string[]] => [
    `sessions whose identifiers a cleaner removed: ${masked}`,
    [login(0, masked), logout(2, masked), read(9, masked)],
    [],
  ]),
  ['no session, where none is ever named', [login(0, 's-1'), read(1, ''), read(2, '')], []],
  ['no session', [read(0, 's-1'), read(1, '')], ['portal.getShippingMethods.requires-session']],
  ['no session, refused', [read(0, 's-1'), read(1, '', 401)], []],
  ['a token that lives for its hour', [...issuedOne, cards(3590, 't-1')], []],
  ['no token', [cards(0, 't-1'), bare(1)], ['cards.list.requires-token']],
  ['no token, refused', [cards(0, 't-1'), bare(1, 401)], []],
  ['a 500 to what is right', [listing('?max=5', 500, {})], ['cards.list.status']],
  ['a 500 to what is wrong', [listing('?max=five', 500, {})], []],
  [
    'a refusal of what seems valid',
    [listing('?max=5', 403, [{ errorCode: 'x', errorMessage: 'y', fieldName: '' }])],
    [],
  ],
  [
    'more entries than were asked for',
    [listing('?max=1', 200, { results: [{ identifier: 'a' }, { identifier: 'b' }] })],
    ['cards.list.max-respected'],
  ],
  [
    'an answer that is cut off, or came from a cache, or through a busy gateway',
    [
      { ...listing('', 200, 'no listing'), response: noListing } as unknown as Entry,
      { ...listing('', 200, 'no listing'), _fromCache: 'disk' } as Entry,
      listing('', 503, 'busy'),
      listing('', 304, undefined),
      listing('', 200, { results: [] }),
    ],
    [],
  ],
])('of %s these musts fail: %j', async (_, entries, failed) => {
  expect(await failedIn(entries)).toEqual(failed);
});

test('where a browser left all Authorization headers out, their absence shows nothing', async () => {
  const { requirements } = await judge([bare(0), bare(1)], { target: { baseUrl: BASE } });
  expect(requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(requirements.find(({ id }) => id === 'cards.list.shape')!.verdict).toBe('passed');
});

describe('what belongs to the interfaces', () => {
  const elsewhere = entry({ request: 'GET https://shop.example/cards/cards', answer: { nonsense: 1 } });

  test('requests of another site are counted and named', async () => {
    const { run, requirements } = await judge([cards(0, 't-1'), elsewhere]);
    expect(run).toMatchObject({ source: 'recording', requests: 1 });
    expect(run.notes?.join()).toContain(
      '1 request belongs to no operation and is not judged: 1 to https://shop.example',
    );
    expect(requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  });

  test('a recording of another site alone holds nothing', async () => {
    await expect(judge([elsewhere])).rejects.toThrow(NothingSeen);
    await expect(judge([])).rejects.toThrow('nothing was seen that belongs to the interfaces');
  });

  test('the configured address says which does', async () => {
    const { run } = await judge([cards(0, 't-1'), elsewhere], { target: { baseUrl: 'https://shop.example' } });
    expect(run.requests).toBe(1);
    expect(run.seen).toMatchObject([{ operation: 'cards.list', statuses: { 200: 1 } }]);
  });

  test('what was never called is not judged', async () => {
    const { requirements, summary } = await judge([cards(0, 't-1')]);
    expect(requirements.find(({ id }) => id === 'users.list.shape')).toMatchObject({
      verdict: 'skipped',
      reason: 'no request for the operation was seen',
    });
    expect(requirements.find(({ id }) => id === 'portal.login.shape')).toMatchObject({ inScope: false });
    expect(summary).toMatchObject({ verdict: 'conformant', partial: true });
  });
});

describe('pages', () => {
  const PAGES = 'users.list.pagination-repeats-nobody';
  const page = (at: number, query: string, identifiers: readonly string[], continuationToken?: string) =>
    entry({
      at,
      request: `GET /users/customers?max=2${query}`,
      headers: { Authorization: 'Bearer t-1' },
      answer: {
        results: identifiers.map((identifier) => ({ identifier })),
        ...(continuationToken && { continuationToken }),
      },
    });
  const first = page(0, '', ['a', 'b'], 'next-1');

  test.each<[string, Entry[], string]>([
    ['that show others', [first, page(2, '&token=next-1', ['c'])], 'passed'],
    [
      'the third of which repeats somebody',
      [first, page(2, '&token=next-1', ['c', 'd'], 'next-2'), page(4, '&token=next-2', ['a'])],
      'inconclusive',
    ],
    ['of another listing', [first, page(2, '&token=next-1&parentIdentifier=p', ['a'])], 'skipped'],
    ['whose token nobody gave', [first, page(2, '&token=invented', ['a'])], 'skipped'],
  ])('%s', async (_, entries, verdict) => {
    expect(await verdictOf(PAGES, entries)).toBe(verdict);
  });
});

test('a suspicion that nobody tries again accuses nobody, and says how it is tried', async () => {
  const besides = (at: number) => [login(at, 's-2', 'bob'), read(at + 2, 's-1', 401)];
  const { requirements } = await judge([
    login(0, 's-1'),
    read(2, 's-1'),
    ...besides(4),
    login(10, 's-1'),
    read(12, 's-1'),
    ...besides(14),
  ]);
  const found = requirements.find(({ id }) => id === 'portal.login.leaves-other-users')!;
  expect(found.verdict).toBe('inconclusive');
  expect(found.reason).toMatch(/^suspected: .*--only portal.login.leaves-other-users$/);
});

test('what an archive claims to know of an operation that there is not is passed over', async () => {
  const claimed = { ...cards(0, 't-1'), _prepaidCardConformance: { operation: 'cards.fly', intent: 'valid' } };
  const { run } = await judge([claimed as Entry]);
  expect(run.seen).toMatchObject([{ operation: 'cards.list' }]);
});

test('no secret of a recording is in the record', async () => {
  const text = JSON.stringify(
    await judge([issued(0, 'token-of-the-run'), login(0, 'session-of-the-run'), read(1, 'session-of-the-run', 500)]),
  );
  for (const secret of ['hush-hush', 'token-of-the-run', 'session-of-the-run']) expect(text).not.toContain(secret);
});
