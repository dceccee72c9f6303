/** Logout: it ends a session, and only that one (reading 33). */

import { defineSuite } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { requireNotBusy } from '../../helpers/engine/acceptance.ts';
import { monitored } from '../../helpers/engine/monitor.ts';
import { expectSuccess, requireAccepted } from '../../helpers/expect.ts';
import { hasClock } from '../../helpers/runner/target-clock.ts';
import { besideLogin, restrictedLogout } from './scenarios/restricted-user.ts';
import { afterSessions, cite, endedLater, lifecycle } from './scenarios/session-lifecycle.ts';
import { sequences } from './scenarios/session-sequences.ts';
import { loggedOutTwice, notLoggedOut, servedAfterLogout } from './session-monitors.ts';

const declared = defineSuite();
const { check } = declared;
export const logoutSuite = declared.suite;

check('portal.logout.required-only', 'the session of the run', { phase: 'last' }, async (t) => {
  expectSuccess(cite(t, (await t.known(lifecycle)).logout), 'logout from a session that lives');
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

const endsSession = monitored(declared, 'portal.logout.ends-session', servedAfterLogout);
endsSession('every operation', { phase: 'last' }, (t) => t.shared(lifecycle));
endsSession('in sequences of logins and logouts', { phase: 'end' }, (t) => t.shared(sequences));
endsSession('hours later', { phase: 'later', applies: hasClock }, (t) => t.shared(endedLater));

const refusesEnded = monitored(declared, 'portal.logout.requires-session', loggedOutTwice);
refusesEnded('in sequences of logins and logouts', { phase: 'end' }, (t) => t.shared(sequences));

const requiredOnly = monitored(declared, 'portal.logout.required-only', notLoggedOut);
requiredOnly('in sequences of logins and logouts', { phase: 'end' }, (t) => t.shared(sequences));
