/** Every operation except login is refused without a live session (reading 34). */
import * as Guard from '../../../helpers/engine/guard.ts';
import { allOf } from '../../../helpers/engine/monitor.ts';
import { triedBetween } from '../../../helpers/engine/refusal.ts';
import { monitored, watch } from '../../declare.ts';
import * as BadSessions from '../scenarios/bad-sessions.ts';
import * as Customers from '../scenarios/customers.ts';
import * as Lifecycle from '../scenarios/lifecycle.ts';
import * as Sessions from '../scenarios/sessions.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';

/** Operations that must refuse a bad session with 400; what the others answer is advised. */
const ONLY_400 = [Customers.PROGRAM_LIST, Sessions.LOGOUT];

/** A refusal of another kind may be for too many requests: then good ones are refused, too. */
const tryAgain = triedBetween((t, { operation: { id } }) => ValidRequests.rightTwin(t, id));

for (const id of Sessions.OPERATIONS) {
  const [requirement, refuses] = [`${id}.requires-session`, Guard.refusesBadCredentials(id)];
  const isOnly400 = ONLY_400.includes(id);
  // A request that is accepted shows it by itself.
  if (isOnly400) watch({ requirement, monitor: refuses, isSuspicion: false });
  const statuses = Guard.refusesWith(id, isOnly400 ? [400] : [400, 401]);
  const judges = isOnly400
    ? [[requirement, allOf(statuses, refuses), { tryAgain }] as const]
    : [[requirement, refuses] as const, [`${id}.session-status`, statuses, { tryAgain }] as const];
  for (const [judged, monitor, how] of judges) {
    const judge = monitored(judged, monitor, how);
    const isLogout = id === Sessions.LOGOUT;
    const steps = [Lifecycle.endedSessionOf(id), 'ended session of the restricted user'];
    // Logouts, which might end a session after all, come last.
    if (isLogout) steps.push('bad logouts');
    else judge('no, an empty and other sessionIds', {}, (t) => t.shared(BadSessions.probesOf(id)));
    const drive = Lifecycle.drive(judged, ...steps);
    judge('the sessionIds of ended sessions, and other requests', { phase: 'last' }, drive);
  }
}
