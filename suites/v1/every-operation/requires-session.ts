/** Every operation except login is refused without a live session (reading 34). */
import type { Context } from '../../../helpers/check.ts';
import * as Guard from '../../../helpers/engine/guard.ts';
import { allOf } from '../../../helpers/engine/monitor.ts';
import { triedBetween } from '../../../helpers/engine/refusal.ts';
import { attempt } from '../../../helpers/verdict.ts';
import { monitored, watch } from '../../declare.ts';
import * as BadSessions from '../scenarios/bad-sessions.ts';
import * as Customers from '../scenarios/customers.ts';
import * as Lifecycle from '../scenarios/lifecycle.ts';
import * as RestrictedUser from '../scenarios/restricted-user.ts';
import * as Sessions from '../scenarios/sessions.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';

/** Operations that must refuse a bad session with 400; what the others answer is advised. */
const ONLY_400 = [Customers.PROGRAM_LIST, Sessions.LOGOUT];

/** A refusal of another kind may be for too many requests: then good ones are refused, too. */
const tryAgain = triedBetween((t, { operation: { id } }) => ValidRequests.rightTwin(t, id));

/** All that is tried in sessions that have ended, and in other forms than the plain one. */
async function sessions(t: Context): Promise<void> {
  const own = await attempt(() => t.shared(Lifecycle.tried));
  await attempt(() => t.shared(RestrictedUser.ended));
  own.get();
}

for (const id of Sessions.OPERATIONS) {
  const [requirement, refuses] = [`${id}.requires-session`, Guard.refusesBadCredentials(id)];
  const isOnly400 = ONLY_400.includes(id);
  // A request that is accepted shows it by itself.
  if (isOnly400) watch({ requirement, monitor: refuses, isSuspicion: false });
  const judges = isOnly400
    ? [monitored(requirement, allOf(Guard.refusesWith(id, [400]), refuses), { tryAgain })]
    : [
        monitored(requirement, refuses),
        monitored(`${id}.session-status`, Guard.refusesWith(id, [400, 401]), { tryAgain }),
      ];
  for (const judge of judges) {
    // Logouts, which might end a session after all, come last.
    if (id !== Sessions.LOGOUT) judge('no, an empty and other sessionIds', {}, (t) => t.shared(BadSessions.all));
    judge('the sessionIds of ended sessions, and other requests', { phase: 'last' }, sessions);
  }
}
