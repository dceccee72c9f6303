/** Every operation but login is refused without a session that lives (reading 34). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectRefused, expectStatus } from '../../../helpers/expect.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { type Lifecycle, lifecycleOf, seen } from '../scenarios/session-lifecycle.ts';
import { goodRequests, SESSION_OPERATIONS } from '../scenarios/valid-requests.ts';

const { check, suite } = defineSuite();
export const sessionsRequiredSuite = suite;

const BAD_SESSIONS = [
  ['no sessionId', ({ missing }: Lifecycle) => missing],
  ['an invented sessionId', ({ invented }: Lifecycle) => invented],
  ['the sessionId of an ended session', ({ ended }: Lifecycle) => ended],
] as const;

/** Operations that refuse a bad session with 400 and nothing else. */
const WITH_400 = ['portal.getCustomerProgramList', 'portal.logout'];

/** The same request in a good session. */
async function inGoodSession(t: Context, id: string): Promise<Answer> {
  if (id === 'portal.logout') return seen(t, (await lifecycleOf(t)).logout);
  const { answer } = await t.known(goodRequests[id]!);
  return seen(t, () => answer);
}

for (const id of SESSION_OPERATIONS) {
  const only400 = WITH_400.includes(id);

  for (const [what, among] of BAD_SESSIONS)
    check(`${id}.requires-session`, what, async (t) => {
      const bad = seen(t, among(await lifecycleOf(t)).get(id));
      expectRefused(bad, `a request with ${what}`);
      if (only400) expectStatus(bad, [400], `a request with ${what}`);
      isBecauseOfTheSession(bad, await inGoodSession(t, id), what);
    });

  if (only400) continue;
  for (const [what, among] of BAD_SESSIONS)
    check(`${id}.session-status`, what, async (t) => {
      const bad = seen(t, among(await lifecycleOf(t)).get(id));
      expectStatus(bad, [400, 401], `a request with ${what}`);
      isBecauseOfTheSession(bad, await inGoodSession(t, id), what);
    });
}

/** A refusal tells of the session when the same request in a good one is accepted, or a 401 or 403 is no answer to it. */
function isBecauseOfTheSession(bad: Answer, good: Answer, what: string): void {
  if (succeeded(good) || ([401, 403].includes(bad.status) && bad.status !== good.status)) return;
  inconclusive(`with ${what} the answer is ${bad.status}, and in a good session it is ${good.status}`);
}
