/** Logout: it ends a session, and only that one (reading 33). */
import { expectSuccess } from '../../helpers/expect.ts';
import { hasClock } from '../../helpers/runner/target-clock.ts';
import { check, monitored, watch } from '../declare.ts';
import * as BesideMonitors from './beside-monitors.ts';
import * as LastLogins from './scenarios/last-logins.ts';
import * as Lifecycle from './scenarios/lifecycle.ts';
import * as RestrictedUser from './scenarios/restricted-user.ts';
import * as Sessions from './scenarios/sessions.ts';
import * as SessionMonitors from './session-monitors.ts';

Lifecycle.sessions.reads('portal.logout.required-only', 'logout');
check('portal.logout.required-only', 'the session of the run', { phase: 'last' }, async (t) => {
  const { logout } = await Lifecycle.sessions.known(t);
  expectSuccess(Lifecycle.cite(t, logout), 'logout from a session that lives');
});

// What the restricted user does beside the run's user.
for (const [requirement, event] of [
  ['portal.logout.leaves-other-users', 'logout'],
  ['portal.login.leaves-other-users', 'login'],
] as const) {
  const leaves = monitored(requirement, BesideMonitors.servedBeside(event), { isSuspicion: true });
  Lifecycle.sessions.reads(requirement, 'otherUser');
  leaves('the session of the run, after the restricted user', { phase: 'last' }, async (t) => {
    await Lifecycle.sessions.known(t);
    await t.shared(RestrictedUser.beside);
  });
}

const endsSession = monitored('portal.logout.ends-session', SessionMonitors.servedAfterLogout);
const ended = ['ended session of the restricted user', ...Sessions.READS.map(Lifecycle.endedSessionOf)];
endsSession('every operation', { phase: 'last' }, Lifecycle.drive('portal.logout.ends-session', ...ended));
endsSession(
  'in sequences of logins and logouts',
  { phase: 'end' },
  LastLogins.drive('portal.logout.ends-session', 'sequences'),
);
endsSession('hours later', { phase: 'later', applies: hasClock }, (t) => t.shared(Lifecycle.endedLater));

const refusesEnded = monitored('portal.logout.requires-session', SessionMonitors.loggedOutTwice);
refusesEnded(
  'in sequences of logins and logouts',
  { phase: 'end' },
  LastLogins.drive('portal.logout.requires-session', 'sequences'),
);

for (const isSuspicion of [true, false]) {
  const { servedSoonAfterLogout, loggedOutTwiceSoon } = SessionMonitors;
  watch({ requirement: 'portal.logout.ends-session', monitor: servedSoonAfterLogout(isSuspicion), isSuspicion });
  watch({ requirement: 'portal.logout.requires-session', monitor: loggedOutTwiceSoon(isSuspicion), isSuspicion });
}

const servedBeside = BesideMonitors.servedBeside('refused logout');
const leavesSession = monitored('portal.logout.requires-session', servedBeside, { isSuspicion: true });
const logsOutBadly = Lifecycle.drive('portal.logout.requires-session', 'bad logouts');
leavesSession('a refused logout ends no session', { phase: 'last' }, logsOutBadly);

const requiredOnly = monitored('portal.logout.required-only', SessionMonitors.notLoggedOut, { isSuspicion: true });
requiredOnly(
  'in sequences of logins and logouts',
  { phase: 'end' },
  LastLogins.drive('portal.logout.required-only', 'sequences'),
);
