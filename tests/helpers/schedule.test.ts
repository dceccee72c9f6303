/** What goes before the time of the target passes, and what after. */
import { expect, test } from 'vitest';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import type { AnswerFilter, Rules } from '../../sandbox/index.ts';

/** Requests of these requirements, each with the minutes that the clock was moved by then. @param givenToken in place of client credentials */
async function seenIn(only: readonly string[], givenToken?: string) {
  const seen: { operation: string; session: string | undefined; moved: number }[] = [];
  // The target's clock stands still but for what the run moves it, so that what it was moved is exact.
  const startMs = Date.now();
  const note: AnswerFilter = ({ status }, { operation, request, nowMs }) => {
    const session = status < 300 ? request.query.sessionId : undefined;
    seen.push({ operation, session, moved: (nowMs - startMs) / 60_000 });
    return undefined;
  };
  const rules: Partial<Rules> = {
    enforces: ({ kind, request }) => kind !== 'token' || request.headers.authorization !== `Bearer ${givenToken}`,
  };
  await conductAgainst({ clock: () => startMs, rules, middleware: [note] }, only, ({ target }) => {
    if (givenToken !== undefined) target.accessToken = givenToken;
  });
  const movedFor = (operation: string) =>
    new Set(seen.filter((one) => one.operation === operation).map(({ moved }) => moved));
  return { seen, movedFor, mostMoved: Math.max(...seen.map(({ moved }) => moved)) };
}

const CLOCK = 'token.issue.ends-after-60-minutes';
const LISTED_ONLY = 'cards.resync.requires-token';

test('the clock is moved while nobody has a session', async () => {
  const { seen, mostMoved } = await seenIn([CLOCK, 'portal.logout.ends-session']);
  expect(mostMoved).toBeGreaterThan(60);
  const inSession = seen.filter(({ session }) => session);
  const ofSession = Map.groupBy(inSession, ({ session }) => session);
  expect(ofSession.size).toBeGreaterThan(2);
  for (const uses of ofSession.values()) expect(new Set(uses.map(({ moved }) => moved)).size).toBe(1);
});

test('the clock is not moved for what every exchange is judged by', async () => {
  for (const id of ['token.issue.status', 'cards.get.error-shape', 'cards.list.shape']) {
    const { seen, mostMoved } = await seenIn([id]);
    expect(seen.length, id).toBeGreaterThan(1);
    expect(mostMoved, id).toBe(0);
  }
});

test('what needs nothing of what was before comes once the time has passed', async () => {
  const { movedFor, mostMoved } = await seenIn([CLOCK, LISTED_ONLY, 'cards.get.foreign']);
  expect(movedFor('cards.resync')).toEqual(new Set([mostMoved]));
  expect(movedFor('cards.get')).toContain(mostMoved);
});

test('a token that cannot be renewed is altered while it lives', async () => {
  const { movedFor, mostMoved } = await seenIn([CLOCK, LISTED_ONLY], 'given');
  expect(mostMoved).toBeGreaterThan(60);
  expect(movedFor('cards.resync')).toEqual(new Set([0]));
});

test('the clock is moved only as far as the selected requirements need, and never by a multiple of a quarter of an hour', async () => {
  const users = await seenIn(['users.get.requires-live-token', 'users.list.requires-live-token']);
  expect(users.mostMoved).toBeGreaterThan(60);
  expect(users.mostMoved).toBeLessThan(63);
  expect((await seenIn([CLOCK, 'token.issue.lives-60-minutes'])).mostMoved).toBeGreaterThan(70);
});
