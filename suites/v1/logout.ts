/** Logout: when a session ends (reading 33). */
import { succeeded } from '../../helpers/answer.ts';
import { defineSuite } from '../../helpers/check.ts';
import { accepted, expectRefused, requireAccepted } from '../../helpers/expect.ts';
import { inconclusive } from '../../helpers/verdict.ts';
import { known } from '../shared/step.ts';
import { lifecycleOf, seen } from './scenarios/session-lifecycle.ts';
import { goodRequests } from './scenarios/valid-requests.ts';

const { check, suite } = defineSuite();
export const logoutSuite = suite;

check('portal.logout.required-only', 'the session of the run', async (t) => {
  accepted(seen(t, (await lifecycleOf(t)).logout), 'logout from a session that lives');
});

check('portal.logout.ends-session', 'every operation', async (t) => {
  const { logout, ended } = await lifecycleOf(t);
  requireAccepted(seen(t, logout), 'logout');
  let isTold = false;
  for (const [id, probes] of ended)
    for (const answer of id === 'portal.logout' ? [] : known(probes.map((probe) => probe.answer))) {
      expectRefused(
        seen(t, () => answer),
        `${id} in a session that was logged out`,
      );
      isTold ||= succeeded((await t.known(goodRequests[id]!)).answer);
    }
  if (!isTold) inconclusive('no operation that is accepted before logout was tried after it');
});
