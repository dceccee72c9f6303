/**
 * The session lifecycle of the run's user, from a second login to logout, tried once (readings 32 to 34). A login may end the
 * user's earlier sessions, so everything else that needs a portal session comes before.
 */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { type CheckOptions, type Context, type Scenario, scenario } from '../../../helpers/check.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { attempt, type Fact } from '../../../helpers/verdict.ts';
import * as Persons from '../cip/persons.ts';
import * as Orders from '../orders/orders.ts';
import * as BadSessions from './bad-sessions.ts';
import * as RestrictedUser from './restricted-user.ts';
import * as Sessions from './sessions.ts';
import * as ValidRequests from './valid-requests.ts';

/**
 * Logs the run's user in and out, and the restricted user beside. For checks of phase 'last'.
 * @returns the logout from the run's session; where that was refused, from a new one
 */
export const tried = scenario('portal sessions from login to logout', async (t): Promise<Fact<Answer>> => {
  const { sessions } = t.run.client;
  await makeGoodRequests(t);
  const earlier = await sessions.current();
  const { own } = await t.known(RestrictedUser.bothLogins);
  const later = await attempt(() => sessions.current());
  const { id } = later.get();
  const tryBadLogouts = (session: string) =>
    BadSessions.probeWith(t, Sessions.LOGOUT, { plainly: BadSessions.rotated(t, session)(Sessions.LOGOUT) });
  await Promise.all([
    succeeded(own.value) && attempt(() => tryEarlier(t, earlier.id)),
    t.needs('portal.logout.requires-session') &&
      attempt(() => ValidRequests.readAround(t, async (session) => () => tryBadLogouts(session))),
    Sessions.ownsSession(t) && attempt(() => RestrictedUser.orderAgain(t, id)),
    attempt(() => t.known(RestrictedUser.tried)),
  ]);
  const isBeside = (id: string) =>
    BadSessions.isProbed(t, id) || t.needsOperation(id, 'leaves-other-users', 'sessions-differ');
  if ([Sessions.LOGIN, ...Sessions.OPERATIONS].some(isBeside)) await attempt(() => t.known(RestrictedUser.beside));
  if (!Sessions.ownsSession(t)) {
    await attempt(() => t.known(RestrictedUser.ended));
    await BadSessions.probe(t, () => ({ plainly: [], otherwise: [BadSessions.NONE] }));
    return attempt(Sessions.needsLogin);
  }
  // A target may end all sessions of a user with one; endSession then begins another to end.
  const [logout, earlierLogout] = await Promise.all([
    endSession(t),
    earlier.id === id ? undefined : Sessions.logOut(t, earlier.id),
    attempt(() => t.known(RestrictedUser.ended)),
  ]);
  await t.settle();
  const endedBy = ({ value: answer }: Fact<Answer>) =>
    succeeded(answer) ? { what: 'the sessionId of an ended session', sessionId: answer?.sessionId } : undefined;
  const ended = endedBy(logout);
  // The same requests were made in the earlier session, and a cache on the way may have kept the answers.
  const used = (earlierLogout && endedBy(earlierLogout)) ?? ended;
  const { seed } = t.run.configuration.run;
  const sessionFor = (operation: string) =>
    (Sessions.OPERATIONS.indexOf(operation) + seed) % 2 === 0 ? used! : ended!;
  await BadSessions.probe(t, (operation) => ({
    plainly: ended ? [sessionFor(operation)] : [],
    otherwise: ended ? [BadSessions.NONE, ended] : [BadSessions.NONE],
  }));
  return logout;
});

/** A request in the logged-out session hours later by the target's clock; undefined where the clock was not moved. */
export const endedLater = scenario('a session that was logged out hours before', async (t) => {
  const { value: logout } = await t.known(tried);
  const id = Sessions.plainRead(t);
  if (!succeeded(logout) || id === undefined || t.run.clockAdvanced === 0) return undefined;
  return t.call(id, {}, Sessions.unauthorised(logout?.sessionId));
});

/** Logs out of the run's session. It may have ended by itself, so a refused logout is tried again in a new session. */
async function endSession(t: Context): Promise<Fact<Answer>> {
  const { sessions } = t.run.client;
  const end = async () => Sessions.logOut(t, (await sessions.current()).id, 'valid');
  const first = await end();
  if (succeeded(first.value)) return first;
  await sessions.current();
  await t.settle();
  return end();
}

/** Adds the answer of a step to the evidence of a check. @throws what the step threw */
export function cite(t: Context, found: Fact<Answer>): Answer {
  const answer = found.get();
  t.exchanges.push(answer.exchange);
  return answer;
}

/** Observes a request in the earlier session, after another login of the user. */
async function tryEarlier(t: Context, sessionId: string): Promise<void> {
  const id = Sessions.plainRead(t);
  if (id === undefined) return;
  const answer = await t.call(id, {}, { intent: 'refusable', authorisation: { sessionId } });
  t.observe(Sessions.LOGIN, 'session of an earlier login of the user', answer);
}

/** Makes all requests that must succeed in the run's session. */
async function makeGoodRequests(t: Context): Promise<void> {
  const make = (scenarios: Scenario<unknown>[]) => Promise.all(scenarios.map((one) => attempt(() => t.known(one))));
  const isNeeded = (id: string) => id === Sessions.plainRead(t) || BadSessions.isProbed(t, id);
  await make(Sessions.READS.filter(isNeeded).map((id) => ValidRequests.of(id)));
  const changing = [Persons.CIP, Orders.ORDER].filter((id) => isNeeded(id) || ValidRequests.mayChange(t, id));
  await make(changing.map((id) => ValidRequests.of(id)));
  await Promise.all(RestrictedUser.ordersAgain(t).map(attempt));
}

/** Repeats orders in a new session, where the clock was moved. */
const ordersLater = scenario('orders of hours before', async (t): Promise<void> => {
  if (t.run.clockAdvanced === 0 || !Sessions.ownsSession(t)) return;
  await attempt(() => t.known(endedLater));
  const login = await Sessions.logIn(t, Sessions.requireCredentials(t));
  const sessionId = Sessions.of(login);
  if (sessionId === undefined) return;
  await RestrictedUser.orderAgain(t, sessionId);
  await Sessions.logOut(t, sessionId);
});

/** What repeats orders later than all others, for checks of repeated orders to be driven by. */
export const REPEATED_LATER: readonly [string, CheckOptions, (t: Context) => Promise<unknown>][] = [
  [
    'in another session, and by another user',
    { phase: 'last' },
    async (t) => {
      await attempt(() => t.shared(tried));
      await t.shared(RestrictedUser.tried);
    },
  ],
  ['hours later', { phase: 'later', applies: hasClock }, (t) => t.shared(ordersLater)],
];
