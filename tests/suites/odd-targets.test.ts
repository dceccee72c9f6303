/** What is said of targets that are neither broken in one place, nor sound. */
import { describe, expect, test } from 'vitest';
import { requirementById } from '../../contracts/requirements/index.ts';
import { faults } from '../../proof/faults/index.ts';
import { conductAgainst, failedIn } from '../../proof/selfcheck/prove.ts';
import type { AnswerFilter, Rules } from '../../sandbox/index.ts';

test.each([
  { kind: 'token', only: ['users', 'cards.get'], setting: 'accessToken', variable: 'TARGET_ACCESS_TOKEN' },
  { kind: 'session', only: ['portal.get*'], setting: 'portalSessionId', variable: 'TARGET_PORTAL_SESSION_ID' },
] as const)('a $kind obtained elsewhere that ends blocks what follows, and accuses nobody', async (given) => {
  let taken = 0;
  const enforces: Rules['enforces'] = ({ kind, request: { headers, query } }) => {
    const isGiven = kind === 'token' ? headers.authorization === 'Bearer given' : query.sessionId === 'given';
    return kind !== given.kind || !isGiven || ++taken > 20;
  };
  const { outcomes, run } = await conductAgainst({ rules: { enforces } }, given.only, ({ target }) => {
    target[given.setting] = 'given';
  });
  expect([...failedIn(outcomes), ...run.facts().defects]).toEqual([]);
  const blocked = outcomes.filter(({ verdict }) => verdict === 'blocked').map(({ message }) => message);
  expect(blocked.join()).toContain(`${given.variable} has expired`);
});

test('a listing of a thousand cards is judged: its laws go through them once', async () => {
  // So short that thousands of them fit into an answer.
  const results = Array.from({ length: 1_000 }, (_, n) => ({ identifier: `i${n}`, customerIdentifier: `c${n}` }));
  const long: AnswerFilter = (answer, { operation }) =>
    operation === 'cards.list' && answer.status === 200 ? { ...answer, body: { results } } : undefined;
  const { outcomes } = await conductAgainst({ middleware: [long] }, ['cards.list']);
  const judged = ['cards.list.max-respected', 'cards.list.unknown-filter-value'];
  expect(failedIn(outcomes)).toEqual(expect.arrayContaining(judged));
  expect(outcomes.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
});

test('a token of 30 minutes, which says so everywhere, is not said to be accepted too early', async () => {
  const shortLived: AnswerFilter = ({ body, ...answer }, { operation }) => {
    const { access_token, not_before = 0 } = (body ?? {}) as { access_token?: string; not_before?: number };
    if (operation !== 'token.issue' || !access_token) return undefined;
    return { ...answer, body: { ...(body as object), expires_in: 1800, expires_on: not_before + 1800 } };
  };
  const { outcomes } = await conductAgainst({ middleware: [shortLived] }, ['token', 'users', 'cards.get']);
  const requirements = failedIn(outcomes);
  expect(requirements).toEqual(expect.arrayContaining(['token.issue.expires-in', 'token.issue.expires-on']));
  expect(requirements).not.toContain('token.issue.valid-from-not-before');
});

test('a reading that is refused once is no failure, and kept as a suspicion', async () => {
  let readings = 0;
  const once: AnswerFilter = (answer, { operation }) => {
    if (operation !== 'cards.getBalance' || answer.status !== 200 || ++readings > 1) return undefined;
    return { ...answer, status: 403, body: [] };
  };
  const { outcomes, run } = await conductAgainst({ middleware: [once] }, ['cards.getBalance']);
  const { suspected } = run.facts();
  expect(mustsIn(failedIn(outcomes))).toEqual([]);
  expect(suspected).toMatchObject([{ requirement: 'cards.getBalance.required-only', check: 'tried again' }]);
  expect(run.answers.find(({ exchange }) => exchange === suspected[0]!.exchanges[0])?.status).toBe(403);
});

test('a sound target is suspected of nothing', async () => {
  const { run } = await conductAgainst({}, []);
  const { suspected, readings } = run.facts();
  expect(suspected).toEqual([]);
  expect(readings.filter(({ asked, refused }) => asked === 0 || refused > 0)).toEqual([]);
  expect(readings.map(({ operation }) => operation)).toContain('cards.getBalance');
});

const mustsIn = (ids: readonly string[]) => ids.filter((id) => requirementById(id).level === 'must');

/** An extra member of the record of a card. */
const withMember =
  (value: unknown): AnswerFilter =>
  (answer, { operation }) =>
    operation === 'cards.get' && answer.status === 200
      ? { ...answer, body: { ...(answer.body as object), extra: value } }
      : undefined;

test.each<[what: string, AnswerFilter]>([
  ['nested 300 levels deep', withMember(JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`))],
  ['of 20,000 members', withMember(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`m${n}`, n])))],
])('a record %s is beyond what is read, and accuses nobody', async (_, filter) => {
  const { outcomes } = await conductAgainst({ middleware: [filter] }, ['cards.get']);
  expect(failedIn(outcomes)).toEqual([]);
  const shape = outcomes.find(({ requirement }) => requirement === 'cards.get.shape');
  expect(shape).toMatchObject({ verdict: expect.stringMatching(/blocked|inconclusive/) });
});

describe('the date of a card that is provisioned', () => {
  const DATE = 'cards.markWalletProvisioned.date-about-now';
  const HOURS = 3_600_000;
  /** A clock so far ahead of Date, which comes from the server in front. */
  const ahead = (milliseconds: number, filter: AnswerFilter = () => undefined) => ({
    clock: () => Date.now() + milliseconds,
    middleware: [
      (answer: Parameters<AnswerFilter>[0]) => ({
        ...answer,
        headers: { ...answer.headers, date: new Date().toUTCString() },
      }),
      filter,
    ],
  });
  /** provisionedDate in another time zone than it says. */
  const shifted: AnswerFilter = (answer, { operation }) => {
    const { provisionedDate, ...record } = (answer.body ?? {}) as { provisionedDate?: string };
    if (operation !== 'cards.get' || !provisionedDate) return undefined;
    const moved = new Date(Date.parse(provisionedDate) + 2 * HOURS).toISOString();
    return { ...answer, body: { ...record, provisionedDate: moved } };
  };
  const without: AnswerFilter = (answer, { operation }) => {
    const { expires_on, not_before, ...token } = (answer.body ?? {}) as Record<string, unknown>;
    return operation === 'token.issue' ? { ...answer, body: token } : undefined;
  };

  test.each([
    ['of a clock that stands still', 0, undefined, 'passed'],
    ['of a clock that earlier runs have moved', 7.52 * HOURS, undefined, 'passed'],
    ['of a clock that no token shows', 7.52 * HOURS, without, 'inconclusive'],
    ['of another time zone', 0, shifted, 'failed'],
    ['of another time zone, by a clock that was moved', 7.52 * HOURS, shifted, 'failed'],
  ])('%s', async (_, milliseconds, filter, verdict) => {
    const { outcomes } = await conductAgainst(ahead(milliseconds, filter), [DATE]);
    expect(outcomes.filter(({ requirement }) => requirement === DATE).map((one) => one.verdict)).toEqual([verdict]);
  });
});

describe('an effect on a card after an expired token was refused', () => {
  const LIVE = 'cards.markLost.requires-live-token';
  const verdictOf = async (rules: Partial<Rules>) => {
    const { outcomes } = await conductAgainst({ rules }, [LIVE]);
    return outcomes.filter(({ requirement }) => requirement === LIVE).map(({ verdict }) => verdict);
  };

  test('accuses where another card shows it, too', async () => {
    const refusedStillTakesEffect: Rules['refusedStillTakesEffect'] = ({ operation, kind, name }) =>
      operation === 'cards.markLost' && kind === 'token' && name === 'expired';
    expect(await verdictOf({ refusedStillTakesEffect })).toEqual(['failed']);
  });

  test('accuses nobody where somebody else uses that card', async () => {
    let times = 0;
    const refusedStillTakesEffect: Rules['refusedStillTakesEffect'] = ({ operation, kind, name }) =>
      operation === 'cards.markLost' && kind === 'token' && name === 'expired' && times++ === 0;
    expect(await verdictOf({ refusedStillTakesEffect })).toEqual(['inconclusive']);
  });
});

test.each([
  ['cards.getBalance', 'cards.getBalance.same-card', 'cards.transfer.moves-amount'],
  ['cards.get', 'cards.get.same-card', 'cards.markLost.nothing-else'],
])(
  'answers of %s that are mixed up in flight accuse it, and nothing that rests on them',
  async (operation, condemned, resting) => {
    const fault = faults.find(({ name }) => name.startsWith(`${operation}: answers that are under way`))!;
    const { outcomes } = await conductAgainst(fault.sandbox, [condemned, resting]);
    const musts = failedIn(outcomes).filter((id) => requirementById(id).level === 'must');
    expect(musts).toEqual([condemned]);
  },
);
