/** A token and a session obtained elsewhere may end in the middle of a run: what follows is blocked, and nobody is accused. */
import { expect, it } from 'vitest';
import { conductAgainst, failedIn } from '../../proof/selfcheck/prove.ts';
import type { Rules } from '../../sandbox/index.ts';

const REQUESTS = 20;

/** Takes what was obtained elsewhere for so many requests. */
function takenFor(kind: 'token' | 'session'): Partial<Rules> {
  let taken = 0;
  const isGiven = (request: Parameters<Rules['enforces']>[0]['request']) =>
    kind === 'token' ? request.headers.authorization === 'Bearer given' : request.query.sessionId === 'given';
  return {
    enforces: ({ kind: refused, request }) => !(refused === kind && isGiven(request) && ++taken <= REQUESTS),
  };
}

it.each([
  { kind: 'token', only: ['users', 'cards.get'], setting: 'accessToken', variable: 'TARGET_ACCESS_TOKEN' },
  { kind: 'session', only: ['portal.get*'], setting: 'portalSessionId', variable: 'TARGET_PORTAL_SESSION_ID' },
] as const)('a $kind that ends', async ({ kind, only, setting, variable }) => {
  const { outcomes, run } = await conductAgainst({ rules: takenFor(kind) }, only, ({ target }) => {
    target[setting] = 'given';
  });
  expect([...failedIn(outcomes), ...run.facts().defects]).toEqual([]);
  const blocked = outcomes.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.map(({ message }) => message).join()).toContain(`${variable} has expired`);
});
