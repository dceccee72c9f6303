/** Logout: it ends a session, and only that one (reading 33). */

import { succeeded } from '../../helpers/answer.ts';
import { defineSuite } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { requireNotBusy } from '../../helpers/engine/acceptance.ts';
import { values } from '../../helpers/engine/step.ts';
import { expectRefused, expectSuccess, requireAccepted } from '../../helpers/expect.ts';
import { hasClock } from '../../helpers/runner/target-clock.ts';
import { inconclusive } from '../../helpers/verdict.ts';
import { besideLogin, restrictedLogout } from './scenarios/restricted-user.ts';
import { afterSessions, cite, endedLater, lifecycleOf } from './scenarios/session-lifecycle.ts';
import { validRequests } from './scenarios/valid-requests.ts';

const { check, suite } = defineSuite();
export const logoutSuite = suite;

check('portal.logout.required-only', 'the session of the run', { phase: 'last' }, async (t) => {
  expectSuccess(cite(t, (await lifecycleOf(t)).logout), 'logout from a session that lives');
});

/** What the restricted user does, and the requests of the run's user before and after it. */
const OF_ANOTHER = {
  'portal.logout.leaves-other-users': {
    what: 'another user logs out',
    of: async (t: Context) => (await t.known(restrictedLogout)).besideLogout(),
  },
  'portal.login.leaves-other-users': { what: 'another user logs in', of: (t: Context) => t.known(besideLogin) },
};

for (const [requirement, { what, of }] of Object.entries(OF_ANOTHER))
  check(
    requirement,
    'the user of the run, after the restricted one',
    { phase: 'last' },
    afterSessions(async (t) => {
      const { before, after } = await of(t);
      requireAccepted(
        cite(t, () => before),
        `the request before ${what}`,
      );
      requireNotBusy(after, `the request after ${what}`);
      expectSuccess(
        cite(t, () => after),
        `the request after ${what}`,
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
