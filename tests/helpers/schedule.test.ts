/** What goes before the time of the target passes, and what after. */
import { expect, it } from 'vitest';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import type { AnswerFilter, Rules, SandboxRequest } from '../../sandbox/index.ts';

interface Seen {
  operation: string;
  sessionId: string | undefined;
  isAccepted: boolean;
  /** Minutes that the clock was moved by then. */
  moved: number;
}

/** Requests of these requirements, in the order in which they were answered. @param givenToken in place of client credentials */
async function seenIn(only: readonly string[], givenToken?: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  // The target's clock stands still but for what the run moves it, so that what it was moved is exact.
  const startMs = Date.now();
  const note: AnswerFilter = ({ status }, { operation, request, nowMs }) => {
    const moved = (nowMs - startMs) / 60_000;
    seen.push({ operation, sessionId: request.query.sessionId, isAccepted: status < 300, moved });
    return undefined;
  };
  const isGiven = ({ headers }: SandboxRequest) =>
    givenToken !== undefined && headers.authorization === `Bearer ${givenToken}`;
  const rules: Partial<Rules> = { enforces: ({ kind, request }) => !(kind === 'token' && isGiven(request)) };
  await conductAgainst({ clock: () => startMs, rules, middleware: [note] }, only, ({ target }) => {
    if (givenToken !== undefined) target.accessToken = givenToken;
  });
  return seen;
}

const CLOCK = 'token.issue.ends-after-60-minutes';
const LISTED_ONLY = 'cards.resync.requires-token';
const movedFor = (seen: readonly Seen[], operation: string) => [
  ...new Set(seen.filter((one) => one.operation === operation).map(({ moved }) => moved)),
];
const mostMoved = (seen: readonly Seen[]) => Math.max(...seen.map(({ moved }) => moved));

it('the clock is moved while nobody has a session', async () => {
  const seen = await seenIn([CLOCK, 'portal.logout.ends-session']);
  expect(mostMoved(seen)).toBeGreaterThan(60);
  const ofSession = Map.groupBy(
    seen.filter(({ sessionId, isAccepted }) => sessionId && isAccepted),
    ({ sessionId }) => sessionId,
  );
  expect(ofSession.size).toBeGreaterThan(2);
  for (const uses of ofSession.values()) expect(new Set(uses.map(({ moved }) => moved)).size).toBe(1);
});

it('what needs nothing of what was before comes once the time has passed', async () => {
  const seen = await seenIn([CLOCK, LISTED_ONLY, 'cards.get.foreign']);
  expect(movedFor(seen, 'cards.resync')).toEqual([mostMoved(seen)]);
  expect(movedFor(seen, 'cards.get')).toContain(mostMoved(seen));
});

it('a token that cannot be renewed is altered while it lives', async () => {
  const seen = await seenIn([CLOCK, LISTED_ONLY], 'given');
  expect(mostMoved(seen)).toBeGreaterThan(60);
  expect(movedFor(seen, 'cards.resync')).toEqual([0]);
});

it('the clock is moved only as far as the selected requirements need, and never by a multiple of a quarter of an hour', async () => {
  const users = mostMoved(await seenIn(['users.get.requires-live-token', 'users.list.requires-live-token']));
  expect(users).toBeGreaterThan(60);
  expect(users).toBeLessThan(63);
  expect(mostMoved(await seenIn([CLOCK, 'token.issue.lives-60-minutes']))).toBeGreaterThan(70);
});
