/** The lifetime of a token: 60 minutes, no less and no more (reading 15), seen by moving the test clock or by waiting. */
import { TOKEN_LIFETIME_SECONDS } from '../../../contracts/v3/token.ts';
import { type Answer, describe, isBusy, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { refusesExpired } from '../../../helpers/engine/guard.ts';
import { betweenAccepted } from '../../../helpers/engine/retrial.ts';
import { fail, inconclusive, skip } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import { expiredReading, MINUTE, TRIED, type Use, useOn, youngToken } from './ages.ts';

check('token.issue.lives-60-minutes', 'at 59 minutes, on operations of every kind', { phase: 'clock' }, async (t) => {
  const young = await t.shared(youngToken);
  if (!young) skip('needs TARGET_CLIENT_ID and TARGET_CLIENT_SECRET: the age of TARGET_ACCESS_TOKEN is not known');
  if (young.uses.length === 0) skip(`needs one of ${TRIED.join(', ')} in TARGET_OPERATIONS`);
  for (const use of young.uses) await expectTaken(t, use, young.ageIsKnown);
});

check('token.issue.lives-60-minutes', 'over midnight (UTC)', { phase: 'clock' }, async (t) => {
  const young = await t.shared(youngToken);
  for (const use of young?.overMidnight ?? []) await expectTaken(t, use);
});

check(
  'token.issue.lives-60-minutes',
  'one that is issued when the others have ended',
  { phase: 'clock' },
  async (t) => {
    const { justIssued = [], overMidnight = [], old = [] } = (await t.shared(youngToken)) ?? {};
    const isAsEnded = ({ operation, answer }: Use) =>
      old.some((ended) => ended.operation === operation && !succeeded(answer) && ended.answer.status === answer.status);
    for (const { operation, input, answer } of justIssued) {
      const isForToken = answer.status === 401 || [...justIssued, ...overMidnight].every(isAsEnded);
      if (!isForToken || t.run.ledger.tally(`${operation}.status`).kept === 0) continue;
      const again = await t.eventually(
        async () => (await useOn(t, await t.run.client.tokens.fresh(), [{ operation, input }]))[0]!.answer,
        succeeded,
      );
      if (again.status !== answer.status) return;
      if (await t.run.client.tokens.clockIsMovedByOthers()) inconclusive('somebody else moves the test clock');
      fail(
        `a new token, issued after the others had expired, is refused by ${operation}`,
        'accepted for 60 minutes',
        describe(again),
        { in: again },
      );
    }
  },
);

/** Expects a token to be accepted, save where a fresh one is refused, too. @throws Nonconformance otherwise */
async function expectTaken(t: Context, use: Use, ageIsKnown = true): Promise<void> {
  const { operation, answer, age } = use;
  const mayBeOlder = () => inconclusive('the same token is handed out again: it may be older than this run');
  if (!ageIsKnown && answer.status === 401) mayBeOlder();
  if (succeeded(answer) || !(await isForToken(t, use))) return;
  if (!ageIsKnown) mayBeOlder();
  if (age >= TOKEN_LIFETIME_SECONDS) inconclusive('the answer came too late');
  if (await t.run.client.tokens.clockIsMovedByOthers()) inconclusive('somebody else moves the test clock');
  fail(
    `a token of ${Math.floor(age / MINUTE)} minutes is refused by ${operation}`,
    'accepted for 60 minutes',
    describe(answer),
    { in: answer },
  );
}

/**
 * Whether a use is refused because of its token: by 401 or 403 where a fresh token is answered differently. The documents don't show how else
 * an expired token is refused, so another status counts for reading operations if fresh tokens are accepted before and after.
 * @throws Inconclusive when a fresh token is refused before or after, too
 */
async function isForToken(t: Context, { operation, input, answer, again }: Use): Promise<boolean> {
  const fresh = () => t.call(operation, input, { intent: 'refusable' });
  const isSaid = [401, 403].includes(answer.status);
  if (!isSaid && (isBusy(answer) || answer.operation.risk !== 'safe')) return false;
  if ((await fresh()).status === answer.status) return false;
  const refused = (one: Answer) => `${operation} is refused with a fresh token, too: ${describe(one)}`;
  return isSaid || !succeeded((await betweenAccepted(fresh, again, refused)).answer);
}

check('token.issue.lives-60-minutes', 'other tokens of the run', { phase: 'clock' }, async (t) => {
  const young = await t.shared(youngToken);
  for (const use of young?.othersYoung ?? []) await expectTaken(t, use);
});

const ends = monitored('token.issue.ends-after-60-minutes', refusesExpired(...TRIED));

ends('other tokens of the run', { phase: 'clock' }, async (t) => {
  const [operation] = TRIED.filter((id) => t.isInScope(id));
  if (operation === undefined) skip(`needs one of ${TRIED.join(', ')} in TARGET_OPERATIONS`);
  await t.shared(expiredReading(operation));
  await t.shared(youngToken);
});

for (const operation of TRIED)
  ends(`${operation} at 61 minutes`, { phase: 'clock' }, async (t) => {
    if (!t.isInScope(operation)) skip(`needs ${operation} in TARGET_OPERATIONS`);
    await t.shared(expiredReading(operation));
  });
