/** What the portal's exchanges show together about logins and sessions (readings 32 to 34 and 36). */
import { type Answer, describe, isBusy, member, succeeded } from '../../helpers/answer.ts';
import { judged } from '../../helpers/engine/monitor.ts';
import { answeredAt, latestUpTo, sentAt, type TimeOf } from '../../helpers/evidence/by-time.ts';
import { contradiction, type Known, kept, type Monitor, nothing, type Shown } from '../../helpers/evidence/monitor.ts';
import { expectStatus } from '../../helpers/expect.ts';
import * as Customers from './scenarios/customers.ts';
import * as Sessions from './scenarios/sessions.ts';

/** What finds the latest of the answers about a session; see {@link latestUpTo}. @param sessionOf the session that an answer is about */
function latestOfSession(
  answers: readonly Answer[],
  sessionOf: (answer: Answer) => string | undefined,
  timeOf: TimeOf,
  by = timeOf,
): (session: string | undefined, limit: number) => Answer | undefined {
  const bySession = new Map(
    Array.from(Map.groupBy(answers, sessionOf), ([session, own]) => [session, latestUpTo(own, timeOf, by)]),
  );
  return (session, limit) => (session ? bySession.get(session)?.(limit) : undefined);
}

/** Each accepted login, with what was sent in its session until a login gave the same identifier again. */
function* lives(history: readonly Answer[]): Generator<{ login: Answer; uses: Answer[] }> {
  const logins = Sessions.loginsIn(history);
  const latestLogin = latestOfSession(logins, Sessions.idIn, sentAt);
  const uses = Map.groupBy(history, (use) => {
    const login = latestLogin(use.sessionId, use.sentAt);
    return login && login.answeredAt <= use.sentAt ? login : undefined;
  });
  for (const login of logins) yield { login, uses: uses.get(login) ?? [] };
}

/** When something is sent after a logout: once an effect has had its time to show, or before that. */
type After = 'settled' | 'soon';

/** What finds the accepted logout that a request came after, unless a login may have given the session again. */
function logoutBefore(
  history: readonly Answer[],
  { settleMs }: Known,
  after: After,
): (answer: Answer) => Answer | undefined {
  const logouts = history.filter(Sessions.isLogout).filter(succeeded);
  const latestLogout = latestOfSession(logouts, ({ sessionId }) => sessionId, answeredAt, sentAt);
  const latestLogin = latestOfSession(Sessions.loginsIn(history), Sessions.idIn, sentAt, answeredAt);
  return (answer) => {
    const settledAt = answer.sentAt - settleMs;
    const logout = latestLogout(answer.sessionId, after === 'settled' ? settledAt : answer.sentAt);
    if (logout && after === 'soon' && logout.answeredAt <= settledAt) return undefined;
    const login = latestLogin(answer.sessionId, answer.answeredAt);
    return logout && login && login.answeredAt > logout.sentAt ? undefined : logout;
  };
}

/** An operation is served in a session after its logout. A refusal shows something where the same operation is accepted in another session. */
const refusedAfterLogout = (isMeant: (answer: Answer) => boolean, after: After = 'settled'): Monitor =>
  function* (history, known) {
    const inSessions = history.filter(({ sessionId }) => sessionId).filter(succeeded);
    const served = new Set(inSessions.map((one) => one.operation.id));
    const logoutOf = logoutBefore(history, known, after);
    for (const answer of history.filter(isMeant)) {
      const logout = logoutOf(answer);
      if (logout && succeeded(answer)) {
        const message = `${answer.operation.id} is served in a session that was logged out`;
        yield contradiction([logout, answer], message, 'a refusal', describe(answer));
      } else if (logout && served.has(answer.operation.id)) yield kept([logout, answer]);
    }
  };

const isNoLogout = (answer: Answer) => !Sessions.isLogout(answer) && !isBusy(answer);
export const servedAfterLogout = refusedAfterLogout(isNoLogout);

/** A session is logged out twice. */
export const loggedOutTwice = refusedAfterLogout(Sessions.isLogout);

/**
 * A session is served, or logged out again, before the settle time of its logout is over. That time is for effects to show, and an ended session is
 * none (readings 10 and 33), unless the target's owner said so: then it is a suspicion.
 */
export const servedSoonAfterLogout = (isSettleGiven: boolean, isMeant = isNoLogout): Monitor =>
  function* (history, known) {
    if ((known.isSettleGiven ?? true) !== isSettleGiven) return;
    for (const found of refusedAfterLogout(isMeant, 'soon')(history, known)) {
      const reason = `RUN_SETTLE_MS=${known.settleMs}, in which an effect may not show, may explain it`;
      yield found.shows === 'contradiction' && isSettleGiven
        ? { ...found, message: `${found.message}: ${reason}` }
        : found;
    }
  };

export const loggedOutTwiceSoon = (isSettleGiven: boolean): Monitor =>
  servedSoonAfterLogout(isSettleGiven, Sessions.isLogout);

/** A session is served before and after its logout was refused, though its login has had its settle time. */
export function* notLoggedOut(history: readonly Answer[], { settleMs }: Known): Generator<Shown> {
  const isKnown = (login: Answer, use: Answer) => use.sentAt >= login.answeredAt + settleMs;
  for (const { login, uses } of lives(history))
    for (const [place, logout] of uses.entries()) {
      if (!Sessions.isLogout(logout)) continue;
      const isServed = (use: Answer | undefined): use is Answer => !!use && !Sessions.isLogout(use) && succeeded(use);
      const [before, after] = [uses[place - 1], uses[place + 1]];
      if (!isServed(before) || before.answeredAt > logout.sentAt) continue;
      const message = 'the logout of a session that is served before and after it is refused';
      if (succeeded(logout)) yield kept([before, logout]);
      else if (isServed(after) && after.sentAt >= logout.answeredAt && isKnown(login, logout) && !isBusy(logout))
        yield contradiction([before, after, logout], message, 'success', describe(logout));
    }
}

/** A new session is served. Where it is not, the engine tries new sessions when all else is done. */
export function* servedWhenNew(history: readonly Answer[]): Generator<Shown> {
  for (const { login, uses } of lives(history)) {
    const served = uses.find((use) => !Sessions.isLogout(use) && succeeded(use));
    if (served) yield kept([login, served]);
  }
}

/** The customerId that a login names is accepted in its session by what takes one. 404, "failed to get list", may mean that it has no programs. */
export function* customerAccepted(history: readonly Answer[]): Generator<Shown> {
  for (const { login, uses } of lives(history)) {
    const named = Customers.idText(member(login, 'customerId'));
    const end = uses.find((use) => Sessions.isLogout(use) && succeeded(use))?.sentAt ?? Number.POSITIVE_INFINITY;
    const isAbout = (use: Answer) =>
      use.answeredAt < end &&
      [Customers.HIERARCHY, Customers.PROGRAM_LIST].includes(use.operation.id) &&
      Sessions.isByRight(use) &&
      Customers.askedIn(use) === named;
    for (const use of named === undefined ? [] : uses.filter(isAbout)) {
      const { id } = use.operation;
      if (succeeded(use)) yield kept([login, use]);
      else if (isBusy(use) || (id === Customers.PROGRAM_LIST && use.status === 404))
        yield nothing([login, use], `${id} answers ${use.status} for the customerId of the login`);
      else yield contradiction([login, use], `${id} refuses the customerId of the login`, 'success', describe(use));
    }
  }
}

/** The latest of some logins, and the latest of another user than that one's. */
class LatestLogins {
  #last: Answer | undefined;
  #other: Answer | undefined;

  /** The latest login of another user. */
  besides(user: string): Answer | undefined {
    return this.#last && Sessions.userOf(this.#last) !== user ? this.#last : this.#other;
  }

  add(login: Answer): void {
    this.#other = this.besides(Sessions.userOf(login));
    this.#last = login;
  }
}

/** Users who log in get sessions that differ, as far as nothing ended one before another began. */
export function* sessionsDiffer(history: readonly Answer[]): Generator<Shown> {
  const isMeant = (one: Answer) => Sessions.isByRight(one) && Sessions.idIn(one) !== undefined;
  const latestLogout = latestOfSession(history.filter(Sessions.isLogout), ({ sessionId }) => sessionId, sentAt);
  const ofAll = new LatestLogins();
  const bySession = new Map<unknown, LatestLogins>();
  for (const login of Sessions.loginsIn(history)
    .filter(isMeant)
    .toSorted((one, other) => one.sentAt - other.sentAt)) {
    const id = Sessions.idIn(login)!;
    const ofSession = bySession.get(id) ?? new LatestLogins();
    bySession.set(id, ofSession);
    const [earlier, same] = [ofAll, ofSession].map((latest) => latest.besides(Sessions.userOf(login)));
    const logout = latestLogout(id, login.answeredAt);
    const message = 'two users who log in get the same sessionId';
    const right = 'a session of its own for each user';
    if (same && !(logout && logout.sentAt > same.sentAt))
      yield contradiction([same, login], message, right, 'one session', '/sessionId');
    else if (earlier) yield kept([earlier, login]);
    for (const latest of [ofAll, ofSession]) latest.add(login);
  }
}

/** What is wrong with a login: something is absent, the password of a user who logs in otherwise, or the user. */
export type WrongLogin = 'absent' | 'password' | 'user';

/** Such logins are refused with 400; where a firewall may be why, with 403, too. */
export const refusesLogins = (kind: WrongLogin): Monitor =>
  function* (history) {
    const users = new Set(Sessions.loginsIn(history).filter(Sessions.isByRight).map(Sessions.userOf));
    const kindOf = (login: Answer): WrongLogin => {
      if (login.intent === 'malformed') return 'absent';
      return users.has(Sessions.userOf(login)) ? 'password' : 'user';
    };
    for (const login of history.filter(Sessions.isLogin))
      if (login.wrong && kindOf(login) === kind) {
        const { what, isFiltered } = login.wrong;
        yield judged([login], () => expectStatus(login, isFiltered ? [400, 403] : [400], `a login with ${what}`));
      }
  };
