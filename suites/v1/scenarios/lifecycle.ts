/**
 * The session lifecycle of the run's user, from a second login to logout (readings 32 to 34). A login may end the user's earlier sessions, so
 * everything else that needs a portal session comes before.
 */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { type CheckOptions, type Context, scenario } from '../../../helpers/check.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { type Fact, optional } from '../../../helpers/verdict.ts';
import { life } from '../../declare.ts';
import * as Repeats from '../orders/repeats.ts';
import * as BadSessions from './bad-sessions.ts';
import * as RestrictedUser from './restricted-user.ts';
import * as Sessions from './sessions.ts';
import * as ValidRequests from './valid-requests.ts';
import * as WhoAsks from './who-asks.ts';

const { LOGIN, LOGOUT } = Sessions;
const WITHOUT_LOGOUT = Sessions.OPERATIONS.filter((id) => id !== LOGOUT);

const goodRequestOf = (id: string) => `good request: ${id}`;
/** The step that asks an operation in sessions that have ended. */
export const endedSessionOf = (id: string) => `ended session: ${id}`;

/** The step that begins a session of the user beside those that have ended: it must not stand for one of them. */
const BESIDE_ENDED = 'a session beside those that have ended';

/** The step that asks for the hierarchy of the customer that a later login names. */
export const HIERARCHIES_OF_LOGINS = 'hierarchies of the customers that logins name';

/** Orders that repeat something, as far as that needs other sessions. */
const REPEATS = [Repeats.ofIdentifiers, Repeats.ofInfos];

/** Sessions that are no longer needed are logged out, whatever of the portal is judged (reading 33). */
const LOGS_OUT = { of: 'portal', leads: true };

/** Sessions of the run's user, from a second login to logout, with those of the restricted user beside. For checks of phase 'last'. */
export const sessions = life('portal sessions from login to logout', async () => ({}))
  .atOnce((begun) => {
    for (const id of WITHOUT_LOGOUT)
      begun.does(goodRequestOf(id), ({ t }) => t.isInScope(id) && t.known(ValidRequests.requestOf(id)));
    return begun;
  })
  .atOnce((begun) => {
    for (const id of Sessions.READS)
      begun.does(`asked again: ${id}`, ({ t }) => askAgain(t, id), { of: id, after: [goodRequestOf(id)] });
    return begun;
  })
  .shows('earlier', ({ t }) => t.run.client.sessions.current(), { leads: true })
  .shows('logins', ({ t }) => t.known(RestrictedUser.bothLogins), { leads: true })
  .shows('later', ({ t }) => t.run.client.sessions.current(), { leads: true })
  .does(HIERARCHIES_OF_LOGINS, ({ t, logins }) => RestrictedUser.askForAnother(t, logins.get()))
  .shows('isEarlierServed', readEarlier, { of: LOGIN })
  .showsEach(WhoAsks.steps, { after: ['isEarlierServed'] })
  .atOnce((begun) => {
    begun.does('bad logouts', tryBadLogouts);
    for (const repeats of REPEATS)
      begun
        .does(`${repeats.name}, in another session`, (on) => repeatInAnother(on, repeats))
        .does(`${repeats.name}, of another user`, (on) => repeatByAnother(on, repeats));
    return begun.shows('forbidden', ({ t }) => RestrictedUser.tryForbiddenTwice(t));
  })
  .shows('otherUser', ({ t }) => t.known(RestrictedUser.beside))
  .shows('forbiddenLater', ({ t, otherUser }) => RestrictedUser.tryForbiddenIn(t, otherUser.get().later), {
    after: ['otherUser'],
  })
  .shows('forbiddenFurther', ({ t }) => RestrictedUser.tryFurther(t), { after: ['otherUser'] })
  .atOnce((begun) =>
    begun
      .does('logout of the restricted user', logOutOther, { ...LOGS_OUT, after: ['otherUser'] })
      .shows('logout', ({ t }) => endSession(t), LOGS_OUT)
      .shows('earlierLogout', endEarlier, LOGS_OUT)
      .does('ended session of the restricted user', tryOtherEnded, { after: ['otherUser'] }),
  )
  .does(BESIDE_ENDED, beginBesideEnded)
  .does('the settle time after the logouts', ({ t }) => t.settle(), { leads: true })
  .atOnce((begun) => {
    for (const id of WITHOUT_LOGOUT)
      begun.does(endedSessionOf(id), (on) => tryEnded(on, id), { after: [goodRequestOf(id), BESIDE_ENDED] });
    return begun;
  })
  // It might end a session after all.
  .does(endedSessionOf(LOGOUT), (on) => tryEnded(on, LOGOUT), { after: [BESIDE_ENDED] });

/** Declares that what judges a requirement reads steps. @returns what drives these; it throws the verdict that ended the later session */
export function drive(requirement: string, ...steps: readonly string[]): (t: Context) => Promise<void> {
  const play = sessions.reads(requirement, ...steps);
  return async (t) => void (await play(t)).later.get();
}

type Session = Awaited<ReturnType<Context['run']['client']['sessions']['current']>>;
interface InSessions {
  t: Context;
  earlier: Fact<Session>;
  logins: Fact<RestrictedUser.Logins>;
  later: Fact<Session>;
}

/** Asks for the same once more in the same session, as it is this operation's turn: what a session was given before may be left out. */
async function askAgain(t: Context, id: string): Promise<void> {
  if (!t.isInScope(id) || !t.rotated('readings that are asked for again', Sessions.READS).includes(id)) return;
  await t.call(id, (await t.known(ValidRequests.requestOf(id))).again(), { intent: 'refusable' });
}

/** Observes a request in the earlier session, after another login of the user. @returns whether it is served */
async function readEarlier({ t, earlier, logins }: InSessions): Promise<boolean> {
  const id = Sessions.plainRead(t);
  if (id === undefined || !succeeded(logins.get().own.value)) return false;
  const { id: sessionId } = earlier.get();
  const answer = await t.call(id, {}, { intent: 'refusable', authorisation: { sessionId } });
  t.observe(LOGIN, 'session of an earlier login of the user', answer);
  return succeeded(answer);
}

/** Logs out with bad sessions, between requests in a good one, which these must not end. */
async function tryBadLogouts({ t, later }: InSessions): Promise<void> {
  later.get();
  await ValidRequests.readAround(t, async (living) => {
    const plainly = BadSessions.rotated(t, living)(LOGOUT);
    return () => BadSessions.probe(t, LOGOUT, { plainly });
  });
}

/** Repeats orders in the later session, of which the first may be made in the earlier one. */
async function repeatInAnother({ t, earlier, later }: InSessions, repeats: Repeats.Repeats): Promise<void> {
  if (Sessions.ownsSession(t)) await repeats.inAnother(t, { first: earlier.get().id, second: later.get().id });
}

/** Repeats orders as the restricted user: unique values are unique for all users. */
async function repeatByAnother({ t, later }: InSessions, repeats: Repeats.Repeats): Promise<void> {
  const { sessionId } = await RestrictedUser.requireRestrictedSession(t);
  await repeats.byAnother(t, { first: later.get().id, second: sessionId });
}

/**
 * Logs out of the run's session. It may have ended by itself, or with another session of its user, so a refused logout is tried again in a new one.
 * @throws Skipped where the session was given from outside
 */
async function endSession(t: Context): Promise<Answer> {
  if (!Sessions.ownsSession(t)) return Sessions.needsLogin();
  const { sessions } = t.run.client;
  const end = async () => Sessions.logOut(t, (await sessions.current()).id, 'valid');
  const first = await end();
  if (succeeded(first.value)) return first.get();
  await sessions.current();
  await t.settle();
  return (await end()).get();
}

/** Logs out of the earlier session, where the later one is another; undefined where it is not. */
async function endEarlier({ t, earlier, later }: InSessions): Promise<Answer | undefined> {
  const { id } = earlier.get();
  return id === later.get().id ? undefined : (await Sessions.logOut(t, id)).get();
}

interface BesideAnother {
  t: Context;
  otherUser: Fact<RestrictedUser.Beside>;
}

async function logOutOther({ t, otherUser }: BesideAnother): Promise<void> {
  const { later } = otherUser.get();
  if (later) await Sessions.logOutOf(t, later);
}

/** Asks an operation, of those that are asked in ended sessions, in that of the restricted user, unless a later login gave it again. */
async function tryOtherEnded({ t, otherUser }: BesideAnother): Promise<void> {
  const { hasEnded, later } = otherUser.get();
  const { sessionId } = await RestrictedUser.requireRestrictedSession(t);
  if (!hasEnded || (later && Sessions.idIn(later) === sessionId)) return;
  const asked = Sessions.OPERATIONS.filter((id) => t.isInScope(id) && sessions.plays(t, endedSessionOf(id)));
  const plainly = [{ what: "another user's ended sessionId", sessionId }];
  const tried = t.rotated('ended session of another user', asked);
  await Promise.all(tried.map((id) => BadSessions.probe(t, id, { plainly })));
}

interface Ended {
  t: Context;
  logout: Fact<Answer>;
  earlierLogout: Fact<Answer | undefined>;
}

/** Begins another session of the user. Where a login gives an ended one again, that is ended once more. */
async function beginBesideEnded({ t, logout, earlierLogout }: Ended): Promise<void> {
  if (!Sessions.ownsSession(t)) return;
  const { sessions } = t.run.client;
  const { id } = await sessions.current();
  if ([logout, earlierLogout].some(({ value }) => value?.sessionId === id)) await sessions.close();
}

/** Asks an operation in an ended session, and in none with other forms of its request. */
async function tryEnded({ t, logout, earlierLogout }: Ended, id: string): Promise<void> {
  const endedBy = ({ value: answer }: Fact<Answer | undefined>): BadSessions.BadSession | undefined =>
    succeeded(answer) ? { what: 'the sessionId of an ended session', sessionId: answer?.sessionId } : undefined;
  const ended = endedBy(logout);
  if (!ended) return BadSessions.probe(t, id, { plainly: [], otherwise: [BadSessions.NONE] });
  // The same requests were made in the earlier session, and a cache on the way may have kept the answers.
  const used = endedBy(earlierLogout);
  const sessions = [
    { name: 'the session that was logged out last', ended },
    ...(used ? [{ name: 'an earlier session', ended: used }] : []),
  ];
  const plainly = t.rotated(`${id}: ended sessions`, sessions).map(({ ended: session }) => session);
  await BadSessions.probe(t, id, { plainly, otherwise: [BadSessions.NONE, ended] });
}

/** A request in the logged-out session hours later by the target's clock; undefined where the clock was not moved. */
export const endedLater = scenario('a session that was logged out hours before', async (t) => {
  const { value: logout } = (await sessions.known(t)).logout;
  const id = Sessions.plainRead(t);
  if (!succeeded(logout) || id === undefined || t.run.clockAdvanced === 0) return undefined;
  return t.call(id, {}, Sessions.unauthorised(logout?.sessionId));
});

/** Adds the answer of a step to the evidence of a check. @throws what the step threw */
export function cite(t: Context, found: Fact<Answer>): Answer {
  const answer = found.get();
  t.exchanges.push(answer.exchange);
  return answer;
}

/** Repeats orders in a new session, where the clock was moved. */
async function repeatLater(t: Context, repeats: Repeats.Repeats): Promise<void> {
  if (t.run.clockAdvanced === 0 || !Sessions.ownsSession(t)) return;
  await optional(t.known(endedLater));
  const login = await Sessions.logIn(t, Sessions.requireCredentials(t));
  const sessionId = Sessions.idIn(login);
  if (sessionId === undefined) return;
  await repeats.later(t, sessionId);
  await Sessions.logOut(t, sessionId);
}

type Drive = (t: Context) => Promise<void>;

/** What repeats orders later than all others, for checks of repeated orders to be driven by. */
export const repeatedLast = (requirement: string, repeats: Repeats.Repeats): [string, CheckOptions, Drive][] => [
  ['in another session', { phase: 'last' }, drive(requirement, `${repeats.name}, in another session`)],
  ['by another user', { phase: 'last' }, drive(requirement, `${repeats.name}, of another user`)],
  ['days later', { phase: 'later', applies: hasClock }, (t) => repeatLater(t, repeats)],
];
