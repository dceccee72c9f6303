/** Logout: it ends a session, and only that one (reading 33). */
import { expectSuccess } from '../../helpers/expect.ts';
import { hasClock } from '../../helpers/runner/target-clock.ts';
import { attempt } from '../../helpers/verdict.ts';
import { check, monitored, watch } from '../declare.ts';
import * as LastLogins from './scenarios/last-logins.ts';
import * as Lifecycle from './scenarios/lifecycle.ts';
import * as RestrictedUser from './scenarios/restricted-user.ts';
import * as SessionMonitors from './session-monitors.ts';

check('portal.logout.required-only', 'the session of the run', { phase: 'last' }, async (t) => {
  expectSuccess(Lifecycle.cite(t, await t.known(Lifecycle.tried)), 'logout from a session that lives');
});

// What the restricted user does beside the run's user.
for (const [requirement, event] of [
  ['portal.logout.leaves-other-users', 'logout'],
  ['portal.login.leaves-other-users', 'login'],
] as const)
  monitored(requirement, SessionMonitors.servedBeside(event), { isSuspicion: true })(
    'the user of the run, after the restricted one',
    { phase: 'last' },
    async (t) => {
      await attempt(() => t.known(Lifecycle.tried));
      await t.shared(RestrictedUser.beside);
    },
  );

const endsSession = monitored('portal.logout.ends-session', SessionMonitors.servedAfterLogout);
endsSession('every operation', { phase: 'last' }, (t) => t.shared(Lifecycle.tried));
endsSession('in sequences of logins and logouts', { phase: 'end' }, (t) => t.shared(LastLogins.sequences));
endsSession('hours later', { phase: 'later', applies: hasClock }, (t) => t.shared(Lifecycle.endedLater));

const refusesEnded = monitored('portal.logout.requires-session', SessionMonitors.loggedOutTwice);
refusesEnded('in sequences of logins and logouts', { phase: 'end' }, (t) => t.shared(LastLogins.sequences));

for (const isSuspicion of [true, false]) {
  const { servedSoonAfterLogout, loggedOutTwiceSoon } = SessionMonitors;
  watch({ requirement: 'portal.logout.ends-session', monitor: servedSoonAfterLogout(isSuspicion), isSuspicion });
  watch({ requirement: 'portal.logout.requires-session', monitor: loggedOutTwiceSoon(isSuspicion), isSuspicion });
}

const servedBeside = SessionMonitors.servedBeside('refused logout');
const leavesSession = monitored('portal.logout.requires-session', servedBeside, { isSuspicion: true });
leavesSession('a refused logout ends no session', { phase: 'last' }, (t) => t.shared(Lifecycle.tried));

const requiredOnly = monitored('portal.logout.required-only', SessionMonitors.notLoggedOut, { isSuspicion: true });
requiredOnly('in sequences of logins and logouts', { phase: 'end' }, (t) => t.shared(LastLogins.sequences));
