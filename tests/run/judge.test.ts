import type { Entry } from 'har-format';
import { describe, expect, test } from 'vitest';
import { NothingSeen } from '../../run/index.ts';
import { judge } from '../../run/judge.ts';
import type { RunOptions } from '../../run/options.ts';
import { BASE, cards, entry, issued, login, logout, read } from '../witness/entries.ts';

/** What a judgement says of one requirement, and which fail. */
async function judged(entries: readonly Entry[], options?: RunOptions) {
  const record = await judge(entries, options);
  const of = (id: string) => record.requirements.find((one) => one.id === id)!;
  const failed = record.requirements.filter(({ verdict }) => verdict === 'failed');
  return { ...record, of, failed };
}

const SESSION_ENDS = 'portal.logout.ends-session';
const TOKEN_ENDS = 'cards.list.requires-live-token';
const PAGES = 'users.list.pagination-repeats-nobody';
const one = [login(0, 's-1'), read(1, 's-1'), logout(2, 's-1')];
const refused = [login(0, 's-1'), logout(2, 's-1'), login(3, 's-2'), read(4, 's-2'), read(9, 's-1', 401)];
const early = [read(1, 's-1'), login(0, 's-1'), logout(2, 's-1')];
const issuedOne = [issued(0, 't-1'), cards(10, 't-1')];
const authorised = { Authorization: 'Bearer t-1' };
const page = (at: number, query: string, identifiers: readonly string[], continuationToken?: string) =>
  entry({
    at,
    request: `GET /users/customers?max=2${query}`,
    headers: authorised,
    answer: { results: identifiers.map((identifier) => ({ identifier })), continuationToken },
  });
const first = page(0, '', ['a', 'b'], 'next-1');
const second = page(2, '&token=next-1', ['c', 'd'], 'next-2');

test.each<[string, string, Entry[], string]>([
  ['a session that is served after its logout', SESSION_ENDS, [...one, read(9, 's-1')], 'failed'],
  ['a session that is refused after it, while others are served', SESSION_ENDS, refused, 'passed'],
  ['what is read before it, in spite of the order', SESSION_ENDS, early, 'skipped'],
  ['what is read after it, before the settle time is over', SESSION_ENDS, [...early, read(2.5, 's-1')], 'failed'],
  ['a token that outlives its hour', TOKEN_ENDS, [...issuedOne, cards(3700, 't-1')], 'failed'],
  ['a token that is refused after it', TOKEN_ENDS, [...issuedOne, cards(3700, 't-1', 401)], 'passed'],
  ['pages that show others', PAGES, [first, page(2, '&token=next-1', ['c'])], 'passed'],
  ['a third page that repeats somebody', PAGES, [first, second, page(4, '&token=next-2', ['a'])], 'inconclusive'],
  ['a page of another listing', PAGES, [first, page(2, '&token=next-1&parentIdentifier=p', ['a'])], 'skipped'],
  ['a page whose token nobody gave', PAGES, [first, page(2, '&token=invented', ['a'])], 'skipped'],
])('%s: %s', async (_, id, entries, verdict) => {
  expect((await judged(entries)).of(id).verdict).toBe(verdict);
});

const bare = (at: number, status = 200) =>
  entry({ at, request: 'GET /cards/cards', status, answer: status === 200 ? { results: [] } : [] });
const listing = (query: string, status: number, answer: unknown, more?: object) =>
  entry({ request: `GET /cards/cards${query}`, headers: authorised, status, answer, more });
const error = { errorCode: 'x', errorMessage: 'y', fieldName: '' };
const unjudgeable = [
  listing('', 200, 'cut off', { response: { status: 200, headers: [], content: { size: 99 } } }),
  listing('', 200, 'from a cache', { _fromCache: 'disk' }),
  listing('', 503, 'busy'),
  listing('', 304, undefined),
  listing('', 200, { results: [] }),
];

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
  ['a refusal of what seems valid', [listing('?max=5', 403, [error])], []],
  ['more than was asked for', [listing('?max=1', 200, { results: [{}, {}] })], ['cards.list.max-respected']],
  ['an answer that is cut off, or came from a cache, or through a busy gateway', unjudgeable, []],
])('of %s these musts fail: %j', async (_, entries, failed) => {
  const musts = (await judged(entries)).failed.filter(({ level }) => level === 'must');
  expect(musts.map(({ id }) => id)).toEqual(failed);
});

test('where a browser left all Authorization headers out, their absence shows nothing', async () => {
  const { of, failed } = await judged([bare(0), bare(1)], { target: { baseUrl: BASE } });
  expect(failed).toEqual([]);
  expect(of('cards.list.shape').verdict).toBe('passed');
});

describe('what belongs to the interfaces', () => {
  const elsewhere = entry({ request: 'GET https://shop.example/cards/cards', answer: { nonsense: 1 } });

  test('requests of another site are counted and named', async () => {
    const { run, failed } = await judged([cards(0, 't-1'), elsewhere]);
    expect(run).toMatchObject({ source: 'recording', requests: 1 });
    const note = '1 request belongs to no operation and is not judged: 1 to https://shop.example';
    expect(run.notes?.join()).toContain(note);
    expect(failed).toEqual([]);
  });

  test('a recording of another site alone holds nothing', async () => {
    await expect(judge([elsewhere])).rejects.toThrow(NothingSeen);
    await expect(judge([])).rejects.toThrow('nothing was seen that belongs to the interfaces');
  });

  test('the configured address says which does', async () => {
    const { run } = await judge([cards(0, 't-1'), elsewhere], { target: { baseUrl: 'https://shop.example' } });
    expect(run).toMatchObject({ requests: 1, seen: [{ operation: 'cards.list', statuses: { 200: 1 } }] });
  });

  test('what was never called is not judged', async () => {
    const { of, summary } = await judged([cards(0, 't-1')]);
    const reason = 'no request for the operation was seen';
    expect(of('users.list.shape')).toMatchObject({ verdict: 'skipped', reason });
    expect(of('portal.login.shape')).toMatchObject({ inScope: false });
    expect(summary).toMatchObject({ verdict: 'conformant', partial: true });
  });
});

test('a suspicion that nobody tries again accuses nobody, and says how it is tried', async () => {
  const suspicious = (at: number) => [
    login(at, 's-1'),
    read(at + 2, 's-1'),
    login(at + 4, 's-2', 'bob'),
    read(at + 6, 's-1', 401),
  ];
  const { of } = await judged([...suspicious(0), ...suspicious(10)]);
  expect(of('portal.login.leaves-other-users')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(/^suspected: .*--only portal.login.leaves-other-users, or --settle /),
  });
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
