/** What is said of targets that are neither broken in one place, nor sound. */
import { expect, test } from 'vitest';
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
