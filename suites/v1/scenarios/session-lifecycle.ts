/**
 * The session lifecycle of the run's user, from a second login to logout, tried once (readings 32 to 34). A login may end the
 * user's earlier sessions, so everything else that needs a portal session comes before.
 */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { type CheckOptions, type Context, type Scenario, scenario } from '../../../helpers/check.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { attempt, type Step, values } from '../../../helpers/verdict.ts';
import { CIP } from '../cip/person.ts';
import { baseOrderOf, ORDER } from '../orders/base-orders.ts';
import { programOf } from '../orders/bodies.ts';
import { repetitions } from '../orders/repetitions.ts';
import { isProbed, NO_SESSION, probe, probeWith, rotatedBadSessions } from './bad-sessions.ts';
import { bothLogins, orderAgain, restrictedBeside, restrictedEnded, restrictedUser } from './restricted-user.ts';
import {
  LOGIN,
  LOGOUT,
  logOut,
  needsLogin,
  ownsSession,
  requireCredentials,
  sessionOf,
  unauthorised,
} from './sessions.ts';
import {
  mayChange,
  READING_OPERATIONS,
  readAround,
  SESSION_OPERATIONS,
  validRequests,
  withoutParameters,
} from './valid-requests.ts';

/**
 * Logs the run's user in and out, and the restricted user beside. For checks of phase 'last'.
 * @returns the logout from the run's session; where that was refused, from a new one
 */
export const lifecycle = scenario('portal sessions from login to logout', async (t): Promise<Step<Answer>> => {
  const { sessions } = t.run.client;
  await makeGoodRequests(t);
  const earlier = await sessions.current();
  const { own } = await t.known(bothLogins);
  const later = await attempt(() => sessions.current());
  const { id } = later();
  const badLogouts = (session: string) => rotatedBadSessions(t, session)(LOGOUT);
  await Promise.all([
    values([own]).some(succeeded) && attempt(() => tryEarlier(t, earlier.id)),
    attempt(() => readAround(t, async (session) => () => probeWith(t, LOGOUT, { plainly: badLogouts(session) }))),
    ownsSession(t) && attempt(() => orderAgain(t, id)),
    attempt(() => t.known(restrictedUser)),
  ]);
  await attempt(() => t.known(restrictedBeside));
  if (!ownsSession(t)) {
    await attempt(() => t.known(restrictedEnded));
    await probe(t, () => ({ plainly: [], otherwise: [NO_SESSION] }));
    return needsLogin;
  }
  // A target may end all sessions of a user with one; endSession then begins another to end.
  const [logout, earlierLogout] = await Promise.all([
    endSession(t),
    earlier.id === id ? undefined : logOut(t, earlier.id),
    attempt(() => t.known(restrictedEnded)),
  ]);
  await t.settle();
  const endedBy = (step: Step<Answer>) =>
    values([step])
      .filter(succeeded)
      .map(({ sessionId }) => ({ what: 'the sessionId of an ended session', sessionId }));
  const [ended] = endedBy(logout);
  // The same requests were made in the earlier session, and a cache on the way may have kept the answers.
  const [used = ended] = earlierLogout ? endedBy(earlierLogout) : [];
  const { seed } = t.run.configuration.run;
  const sessionFor = (operation: string) => ((SESSION_OPERATIONS.indexOf(operation) + seed) % 2 === 0 ? used! : ended!);
  await probe(t, (operation) => ({
    plainly: ended ? [sessionFor(operation)] : [],
    otherwise: ended ? [NO_SESSION, ended] : [NO_SESSION],
  }));
  return logout;
});

/** A request in the logged-out session hours later by the target's clock; undefined where the clock was not moved. */
export const endedLater = scenario('a session that was logged out hours before', async (t) => {
  const [logout] = values([await t.known(lifecycle)]).filter(succeeded);
  const id = withoutParameters(t);
  if (!logout || id === undefined || t.run.clockAdvanced === 0) return undefined;
  return t.call(id, {}, unauthorised(logout.sessionId));
});

/** Logs out of the run's session. It may have ended by itself, so a refused logout is tried again in a new session. */
async function endSession(t: Context): Promise<Step<Answer>> {
  const { sessions } = t.run.client;
  const end = async () => logOut(t, (await sessions.current()).id, 'valid');
  const first = await end();
  if (values([first]).some(succeeded)) return first;
  await sessions.current();
  await t.settle();
  return end();
}

/** Adds the answer of a step to the evidence of a check. @throws what the step threw */
export function cite(t: Context, found: Step<Answer>): Answer {
  const answer = found();
  t.exchanges.push(answer.exchange);
  return answer;
}

/** Observes a request in the earlier session, after another login of the user. */
async function tryEarlier(t: Context, sessionId: string): Promise<void> {
  const id = withoutParameters(t);
  if (id === undefined) return;
  const answer = await t.call(id, {}, { intent: 'refusable', authorisation: { sessionId } });
  t.observe(LOGIN, 'session of an earlier login of the user', answer);
}

/** Makes all requests that must succeed in the run's session. */
async function makeGoodRequests(t: Context): Promise<void> {
  const make = (scenarios: Scenario<unknown>[]) => Promise.all(scenarios.map((one) => attempt(() => t.known(one))));
  const isNeeded = (id: string) => id === withoutParameters(t) || isProbed(t, id);
  await make(READING_OPERATIONS.filter(isNeeded).map((id) => validRequests[id]!));
  await make([validRequests[CIP]!, validRequests[ORDER]!]);
  if (mayChange(t, ORDER) && t.fixtures.portal?.programs)
    await make([repetitions, ...(programOf(t, 'uniqueOtherInfo') ? [baseOrderOf('uniqueOtherInfo')] : [])]);
}

/** Repeats orders in a new session, where the clock was moved. */
const ordersLater = scenario('orders of hours before', async (t): Promise<void> => {
  if (t.run.clockAdvanced === 0 || !ownsSession(t)) return;
  await attempt(() => t.known(endedLater));
  const login = await t.call(LOGIN, { query: requireCredentials(t) }, { intent: 'refusable' });
  const sessionId = sessionOf(login);
  if (sessionId === undefined) return;
  await orderAgain(t, sessionId);
  await logOut(t, sessionId);
});

/** What repeats orders later than all others, for checks of repeated orders to be driven by. */
export const REPEATED_LATER: readonly [string, CheckOptions, (t: Context) => Promise<unknown>][] = [
  [
    'in another session, and by another user',
    { phase: 'last' },
    async (t) => {
      await attempt(() => t.shared(lifecycle));
      await t.shared(restrictedUser);
    },
  ],
  ['hours later', { phase: 'later', applies: hasClock }, (t) => t.shared(ordersLater)],
];
