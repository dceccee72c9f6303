/** Every operation except login is refused without a live session (reading 34). */
import { succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { refusesBadCredentials, refusesWith } from '../../../helpers/engine/guard.ts';
import { allOf, type TryAgain } from '../../../helpers/engine/monitor.ts';
import { attempt } from '../../../helpers/verdict.ts';
import { monitored, watch } from '../../declare.ts';
import { badSessions } from '../scenarios/bad-sessions.ts';
import { restrictedEnded } from '../scenarios/restricted-user.ts';
import { lifecycle } from '../scenarios/session-lifecycle.ts';
import { PROGRAM_LIST, requireAcceptedNow, requireServedNow, SESSION_OPERATIONS } from '../scenarios/valid-requests.ts';

const LOGOUT = 'portal.logout';

/** Operations that must refuse a bad session with 400; what the others answer is advised. */
const ONLY_400 = [PROGRAM_LIST, LOGOUT];

/** A refusal of another kind may be for too many requests: then good ones are refused, too. */
const ifServedNow: TryAgain = async (t, [stands]) => {
  const refused = stands.by.at(-1)!;
  const { id } = refused.operation;
  if (!succeeded(refused)) await (id === LOGOUT ? requireServedNow(t) : requireAcceptedNow(t, id));
  return { stands };
};

/** What requests in bad sessions show, by requirement. */
const RULES = SESSION_OPERATIONS.flatMap((id) =>
  ONLY_400.includes(id)
    ? [
        {
          id,
          judge: monitored(`${id}.requires-session`, allOf(refusesWith(id, [400]), refusesBadCredentials(id)), {
            tryAgain: ifServedNow,
          }),
        },
      ]
    : [
        { id, judge: monitored(`${id}.requires-session`, refusesBadCredentials(id)) },
        {
          id,
          judge: monitored(`${id}.session-status`, refusesWith(id, [400, 401]), { tryAgain: ifServedNow }),
        },
      ],
);

/** All that is tried in sessions that have ended, and in other forms than the plain one. */
async function sessions(t: Context): Promise<void> {
  const own = await attempt(() => t.shared(lifecycle));
  await attempt(() => t.shared(restrictedEnded));
  own();
}

// A request that is accepted shows it by itself.
for (const id of ONLY_400)
  watch({ requirement: `${id}.requires-session`, monitor: refusesBadCredentials(id), isSuspicion: false });

for (const { id, judge } of RULES) {
  // Logouts, which might end a session after all, come last.
  if (id !== LOGOUT) judge('no, an empty and other sessionIds', {}, (t) => t.shared(badSessions));
  judge('the sessionIds of ended sessions, and other requests', { phase: 'last' }, sessions);
}
