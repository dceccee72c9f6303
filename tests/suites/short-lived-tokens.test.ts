/** A token that lives for 30 minutes, and says so everywhere, breaks what is said of its life, and nothing else. */
import { expect, it } from 'vitest';
import { conductAgainst, failedIn } from '../../proof/selfcheck/prove.ts';
import type { AnswerFilter } from '../../sandbox/index.ts';

const HALF_AN_HOUR = 1800;

const shortLived: AnswerFilter = (answer, { operation }) => {
  const body = answer.body as { access_token?: string; not_before?: number } | undefined;
  if (operation !== 'token.issue' || !body?.access_token) return undefined;
  const { not_before: begin = 0 } = body;
  return { ...answer, body: { ...body, expires_in: HALF_AN_HOUR, expires_on: begin + HALF_AN_HOUR } };
};

it('a token of 30 minutes is not said to be accepted too early', async () => {
  const { outcomes } = await conductAgainst({ middleware: [shortLived] }, ['token', 'users', 'cards.get']);
  const requirements = failedIn(outcomes);
  expect(requirements).toContain('token.issue.expires-in');
  expect(requirements).toContain('token.issue.expires-on');
  expect(requirements).not.toContain('token.issue.valid-from-not-before');
});
