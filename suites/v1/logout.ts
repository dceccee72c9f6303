/** Logout: it ends a session, and only that one (reading 33). */

import { succeeded } from '../../helpers/answer.ts';
import { defineSuite } from '../../helpers/check.ts';
import { requireNotBusy } from '../../helpers/engine/acceptance.ts';
import { values } from '../../helpers/engine/step.ts';
import { expectRefused, expectSuccess, requireAccepted } from '../../helpers/expect.ts';
import { hasClock } from '../../helpers/runner/target-clock.ts';
import { inconclusive } from '../../helpers/verdict.ts';
import { restrictedLogout } from './scenarios/restricted-user.ts';
import { afterSessions, cite, endedLater, lifecycleOf } from './scenarios/session-lifecycle.ts';
import { validRequests } from './scenarios/valid-requests.ts';

const { check, suite } = defineSuite();
export const logoutSuite = suite;

check('portal.logout.required-only', 'the session of the run', { phase: 'last' }, async (t) => {
  expectSuccess(cite(t, (await lifecycleOf(t)).logout), 'logout from a session that lives');
});

check(
  'portal.logout.leaves-other-users',
  'the user of the run, after the restricted one',
  { phase: 'last' },
  afterSessions(async (t) => {
    const { besideLogout } = await t.known(restrictedLogout);
    const { before, after } = besideLogout();
    requireAccepted(
      cite(t, () => before),
      'the request before another user logs out',
    );
    requireNotBusy(after, 'the request after another user logs out');
    expectSuccess(
      cite(t, () => after),
      'the request after another user logs out',
    );
  }),
);

check('portal.logout.ends-session', 'every operation', { phase: 'last' }, async (t) => {
  const { logout, ended } = await lifecycleOf(t);
  requireAccepted(cite(t, logout), 'logout');
  let isShown = false;
  for (const [id, probes] of ended)
    for (const answer of id === 'portal.logout' ? [] : values(probes.map((probe) => probe.answer))) {
      expectRefused(
        cite(t, () => answer),
        `${id} in a session that was logged out`,
      );
      isShown ||= succeeded((await t.known(validRequests[id]!)).answer);
    }
  if (!isShown) inconclusive('no operation that was accepted before logout was tried after it');
});

check('portal.logout.ends-session', 'hours later', { phase: 'later', applies: hasClock }, async (t) => {
  requireAccepted(cite(t, (await lifecycleOf(t)).logout), 'logout');
  const answer = await t.shared(endedLater);
  if (answer) expectRefused(answer, 'a request in a session that was logged out hours before');
});
