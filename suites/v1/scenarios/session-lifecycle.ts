/**
 * The session lifecycle of the run's user, from a second login to logout, tried once (readings 32 to 34). A login may end the
 * user's earlier sessions, so everything else that needs a portal session comes before.
 */
import { type Answer, type Input, type Intent, member, succeeded } from '../../../helpers/answer.ts';
import { type Context, type Scenario, scenario } from '../../../helpers/check.ts';
import { attempt, inconclusive, type Step, skip, values } from '../../../helpers/verdict.ts';
import { CIP } from '../cip/person.ts';
import { baseOrders, ORDER } from '../orders/base-orders.ts';
import { programOf } from '../orders/bodies.ts';
import { repetitions } from '../orders/repetitions.ts';
import {
  isProbed,
  NO_SESSION,
  probe,
  probeElsewhere,
  probeWith,
  rotatedBadSessions,
  unauthorised,
} from './bad-sessions.ts';
import {
  besideLogin,
  bothLogins,
  needsLogin,
  orderAgain,
  restrictedEnded,
  restrictedLogout,
  restrictedUser,
} from './restricted-user.ts';
import {
  mayChange,
  READING_OPERATIONS,
  readAround,
  SESSION_OPERATIONS,
  validRequests,
  withoutParameters,
} from './valid-requests.ts';

/** Answers in the sessions of the run's user, from login to logout. */
export interface Lifecycle {
  /** A request in the run's session after another login of the user. */
  earlierSession: Step<Answer>;
  /** The logout from the run's session; where that was refused, from a new one. */
  logout: Step<Answer>;
  /** The logged-out session; undefined where no logout was accepted. */
  endedSessionId?: string | undefined;
}

/** What is wrong with a session that was logged out. */
const ENDED = 'the sessionId of an ended session';

const LOGIN = 'portal.login';
const LOGOUT = 'portal.logout';

/** Whether the run began its session itself: one given from outside is never ended. */
export const ownsSession = (t: Context) => t.run.client.sessions.renewable;

/** Logs in; the step throws Skipped where login is out of scope. */
export async function logIn(t: Context, query: Input['query'], intent: Intent): Promise<Step<Answer>> {
  const isClaimed = t.isInScope(LOGIN);
  return attempt(async () =>
    isClaimed ? t.call(LOGIN, { query }, { intent }) : skip(`needs ${LOGIN}, which is not in scope`),
  );
}

/** Logs out a session that is no longer needed. */
export async function logOut(t: Context, sessionId: string): Promise<Step<Answer>> {
  const logout = await attempt(() => t.call(LOGOUT, {}, unauthorised(sessionId)));
  await t.run.client.sessions.forget(sessionId);
  return logout;
}

/** Logs the run's user in and out, and the restricted user beside. For checks of phase 'last'. */
export const lifecycle = scenario('portal sessions from login to logout', async (t): Promise<Lifecycle> => {
  const { sessions } = t.run.client;
  await makeGoodRequests(t);
  const earlier = await sessions.current();
  await attempt(() => t.known(bothLogins));
  const later = await attempt(() => sessions.current());
  if (values([later]).length === 0) return endedWithoutAnother(t, earlier.id, later);
  const { id } = later();
  const [earlierSession] = await Promise.all([
    tryEarlier(t, earlier.id),
    attempt(() => tryBadLogouts(t)),
    ownsSession(t) ? attempt(() => repeatOrder(t)) : undefined,
    attempt(() => t.known(restrictedUser)),
  ]);
  await attempt(() => t.known(restrictedLogout));
  await attempt(() => t.known(besideLogin));
  if (!ownsSession(t)) {
    await attempt(() => t.known(restrictedEnded));
    await probeElsewhere(t, [NO_SESSION]);
    return { earlierSession: needsLogin, logout: needsLogin };
  }
  // A target may end all sessions of a user with one; endSession then begins another to end.
  const [{ logout, sessionId }, earlierLogout] = await Promise.all([
    endSession(t),
    earlier.id === id ? undefined : logOut(t, earlier.id),
    attempt(() => t.known(restrictedEnded)),
  ]);
  await t.settle();
  const endedSession = { what: ENDED, sessionId };
  const isEnded = isAccepted(logout);
  // The same requests were made in the earlier session, and a cache on the way may have kept the answers.
  const usedSession =
    earlierLogout && isAccepted(earlierLogout) ? { ...endedSession, sessionId: earlier.id } : endedSession;
  const isOddSeed = t.run.configuration.run.seed % 2 === 1;
  const sessionFor = (operation: string) =>
    (SESSION_OPERATIONS.indexOf(operation) % 2 === 1) === isOddSeed ? usedSession : endedSession;
  await Promise.all([
    isEnded && probe(t, (operation) => [sessionFor(operation)]),
    probeElsewhere(t, isEnded ? [NO_SESSION, endedSession] : [NO_SESSION]),
  ]);
  return { earlierSession, logout, endedSessionId: isEnded ? sessionId : undefined };
});

/**
 * Tries the logged-out session of the run if the user is given no other one afterwards, possibly because it lives on.
 * @throws Blocked like the login, if the logout is no longer accepted
 */
async function endedWithoutAnother(t: Context, sessionId: string, later: Step<unknown>): Promise<Lifecycle> {
  const logout = await attempt(() => t.call(LOGOUT, {}, unauthorised(sessionId)));
  if (!isAccepted(logout)) later();
  await t.settle();
  await probe(t, () => [{ what: ENDED, sessionId }]);
  const needsAnother = () => inconclusive('the user is given no session after a logout');
  return { earlierSession: needsAnother, logout, endedSessionId: sessionId };
}

/** A request in the logged-out session hours later by the target's clock; undefined where the clock was not moved. */
export const endedLater = scenario('a session that was logged out hours before', async (t) => {
  const { endedSessionId } = await t.known(lifecycle);
  const id = withoutParameters(t);
  if (endedSessionId === undefined || id === undefined || t.run.clockAdvanced === 0) return undefined;
  return t.call(id, {}, unauthorised(endedSessionId));
});

/** Repeats an order of the earlier session, after many others. */
async function repeatOrder(t: Context): Promise<Answer> {
  if (!mayChange(t, ORDER)) return skip('needs a run that may make orders');
  const { first } = await t.known(repetitions);
  return t.call(ORDER, first.input, { intent: 'refusable' });
}

/** Logs out of the run's session. It may have ended by itself, so a refused logout is tried again in a new session. */
async function endSession(t: Context): Promise<{ logout: Step<Answer>; sessionId: string }> {
  const { sessions } = t.run.client;
  const end = async () => {
    const { id: sessionId } = await sessions.current();
    const logout = await attempt(() => t.call(LOGOUT, {}, { authorisation: { sessionId } }));
    await sessions.forget(sessionId);
    return { logout, sessionId };
  };
  const first = await end();
  if (isAccepted(first.logout)) return first;
  await sessions.current();
  await t.settle();
  return end();
}

/** Tries logouts with bad sessionIds, and reads after that. */
const tryBadLogouts = (t: Context): Promise<void> =>
  readAround(t, async (sessionId) => () => probeWith(t, LOGOUT, rotatedBadSessions(t, sessionId)(LOGOUT)));

/** Adds an answer of the lifecycle to the evidence of a check. @throws Skipped when there is none, or what its step threw */
export function cite(t: Context, found: Step<Answer> | undefined): Answer {
  const answer = (found ?? (() => skip('needs an operation that is out of scope: see TARGET_OPERATIONS')))();
  t.exchanges.push(answer.exchange);
  return answer;
}

/** Makes a request in the earlier session, after another login of the user. */
async function tryEarlier(t: Context, sessionId: string): Promise<Step<Answer>> {
  const id = withoutParameters(t);
  if (!ownsSession(t) || id === undefined) return () => inconclusive('no earlier session can be tried');
  return attempt(() => t.call(id, {}, { intent: 'refusable', authorisation: { sessionId } }));
}

/** Makes all requests that must succeed in the run's session. */
async function makeGoodRequests(t: Context): Promise<void> {
  const make = (scenarios: Scenario<unknown>[]) => Promise.all(scenarios.map((one) => attempt(() => t.known(one))));
  const isNeeded = (id: string) => id === withoutParameters(t) || isProbed(t, id);
  await make(READING_OPERATIONS.filter(isNeeded).map((id) => validRequests[id]!));
  await make([validRequests[CIP]!, validRequests[ORDER]!]);
  if (mayChange(t, ORDER) && t.fixtures.portal?.programs)
    await make([repetitions, ...(programOf(t, 'uniqueOtherInfo') ? [baseOrders.uniqueOtherInfo] : [])]);
}

/** Whether the step returned an answer with a status of success. */
export const isAccepted = (found: Step<Answer>): boolean => values([found]).some(succeeded);

/** Repeats orders in a new session, where the clock was moved. */
export const ordersLater = scenario('orders of hours before', async (t): Promise<void> => {
  if (t.run.clockAdvanced === 0 || !ownsSession(t)) return;
  await attempt(() => t.known(endedLater));
  const [login] = values([await logIn(t, t.run.loginQuery(), 'refusable')]).filter(succeeded);
  const sessionId = login && member(login, 'sessionId');
  if (typeof sessionId !== 'string') return;
  await orderAgain(t, sessionId);
  await logOut(t, sessionId);
});
