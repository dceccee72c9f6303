/** What the portal's exchanges show together about logins and sessions (readings 32 to 34 and 36). */
import { type Answer, describe, isBusy, member, succeeded } from '../../helpers/answer.ts';
import { judged } from '../../helpers/engine/monitor.ts';
import { contradiction, type Known, kept, type Monitor, nothing, type Shown } from '../../helpers/evidence/monitor.ts';
import { expectStatus } from '../../helpers/expect.ts';
import * as Customers from './scenarios/customers.ts';
import * as Sessions from './scenarios/sessions.ts';

const isOf = (operation: string) => (answer: Answer) => answer.operation.id === operation;
const isLogin = isOf(Sessions.LOGIN);
const isLogout = isOf(Sessions.LOGOUT);
const loginsIn = (history: readonly Answer[]) => history.filter(isLogin).filter(succeeded);

/** When the first of some logins was sent that gave an identifier again; never, where none did. */
const sentOfNext = (logins: readonly Answer[], id: unknown, isLater: (login: Answer) => boolean): number =>
  Math.min(...logins.filter((one) => member(one, 'sessionId') === id && isLater(one)).map(({ sentAt }) => sentAt));

/** Each accepted login, with what was sent in its session until a login gave the same identifier again. */
function* lives(history: readonly Answer[]): Generator<{ login: Answer; uses: Answer[] }> {
  const logins = loginsIn(history);
  for (const login of logins) {
    const id = member(login, 'sessionId');
    const until = sentOfNext(logins, id, (one) => one.sentAt > login.sentAt);
    const isIn = (one: Answer) => one.sessionId === id && one.sentAt >= login.answeredAt && one.sentAt < until;
    yield { login, uses: history.filter(isIn) };
  }
}

/** When something is sent after a logout: once an effect has had its time to show, or before that. */
type After = 'settled' | 'soon';

/** Each accepted logout, with what was sent in its session afterwards, until a login may have given the same identifier again. */
function* logouts(
  history: readonly Answer[],
  { settleMs }: Known,
  after: After,
): Generator<{ logout: Answer; later: Answer[] }> {
  const logins = loginsIn(history);
  for (const logout of history.filter(isLogout).filter(succeeded)) {
    const { sessionId, sentAt, answeredAt } = logout;
    if (!sessionId) continue;
    const until = sentOfNext(logins, sessionId, (login) => login.answeredAt > sentAt);
    const isSettled = (one: Answer) => one.sentAt >= answeredAt + settleMs;
    const isLater = (one: Answer) =>
      one.sentAt >= answeredAt && isSettled(one) === (after === 'settled') && one.answeredAt < until;
    yield { logout, later: history.filter((one) => one.sessionId === sessionId && isLater(one)) };
  }
}

/** An operation is served in a session after its logout. A refusal shows something where the same operation is accepted in another session. */
const refusedAfterLogout = (isMeant: (answer: Answer) => boolean, after: After = 'settled'): Monitor =>
  function* (history, known) {
    const inSessions = history.filter(({ sessionId }) => sessionId).filter(succeeded);
    const served = new Set(inSessions.map((one) => one.operation.id));
    for (const { logout, later } of logouts(history, known, after))
      for (const answer of later.filter(isMeant))
        if (succeeded(answer)) {
          const message = `${answer.operation.id} is served in a session that was logged out`;
          yield contradiction([logout, answer], message, 'a refusal', describe(answer));
        } else if (served.has(answer.operation.id)) yield kept([logout, answer]);
  };

const isNoLogout = (answer: Answer) => !isLogout(answer) && !isBusy(answer);
export const servedAfterLogout = refusedAfterLogout(isNoLogout);

/** A session is logged out twice. */
export const loggedOutTwice = refusedAfterLogout(isLogout);

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

export const loggedOutTwiceSoon = (isSettleGiven: boolean): Monitor => servedSoonAfterLogout(isSettleGiven, isLogout);

/** A session is served before and after its logout was refused, though its login has had its settle time. */
export function* notLoggedOut(history: readonly Answer[], { settleMs }: Known): Generator<Shown> {
  const isKnown = (login: Answer, use: Answer) => use.sentAt >= login.answeredAt + settleMs;
  for (const { login, uses } of lives(history))
    for (const [place, logout] of uses.entries()) {
      if (!isLogout(logout)) continue;
      const isServed = (use: Answer | undefined): use is Answer => !!use && !isLogout(use) && succeeded(use);
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
    const served = uses.find((use) => !isLogout(use) && succeeded(use));
    if (served) yield kept([login, served]);
  }
}

/** The customerId that a login names is accepted in its session by what takes one. 404, "failed to get list", may mean that it has no programs. */
export function* customerAccepted(history: readonly Answer[]): Generator<Shown> {
  for (const { login, uses } of lives(history)) {
    const named = Customers.idText(member(login, 'customerId'));
    const end = uses.find((use) => isLogout(use) && succeeded(use))?.sentAt ?? Number.POSITIVE_INFINITY;
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

/** Users who log in get sessions that differ, as far as nothing ended one before another began. */
export function* sessionsDiffer(history: readonly Answer[]): Generator<Shown> {
  const isMeant = (one: Answer) => Sessions.isByRight(one) && typeof member(one, 'sessionId') === 'string';
  const logins = loginsIn(history).filter(isMeant);
  for (const login of logins) {
    const earlier = logins.filter((one) => one.sentAt < login.sentAt && userOf(one) !== userOf(login));
    const id = member(login, 'sessionId');
    const ends = history.filter((one) => isLogout(one) && one.sessionId === id && one.sentAt < login.answeredAt);
    const isOpen = ({ sentAt }: Answer) => !ends.some((one) => one.sentAt > sentAt);
    const same = earlier.find((one) => member(one, 'sessionId') === id && isOpen(one));
    const message = 'two users who log in get the same sessionId';
    const right = 'a session of its own for each user';
    if (same) yield contradiction([same, login], message, right, 'one session', '/sessionId');
    else if (earlier.length > 0) yield kept([earlier.at(-1)!, login]);
  }
}

/** Who logs in, in lower case. */
const userOf = ({ input: { query } }: Answer) => String(query?.loginID).toLowerCase();

/** What is wrong with a login: something is absent, the password of a user who logs in otherwise, or the user. */
export type WrongLogin = 'absent' | 'password' | 'user';

/** Such logins are refused with 400; where a firewall may be why, with 403, too. */
export const refusesLogins = (kind: WrongLogin): Monitor =>
  function* (history) {
    const good = loginsIn(history).filter(Sessions.isByRight);
    const kindOf = (login: Answer): WrongLogin => {
      if (login.intent === 'malformed') return 'absent';
      return good.some((one) => userOf(one) === userOf(login)) ? 'password' : 'user';
    };
    for (const login of history.filter(isLogin))
      if (login.wrong && kindOf(login) === kind) {
        const { what, isFiltered } = login.wrong;
        yield judged([login], () => expectStatus(login, isFiltered ? [400, 403] : [400], `a login with ${what}`));
      }
  };

/** What may happen beside a session. */
const BESIDE = {
  login: 'another user logs in',
  logout: 'another user logs out',
  'refused logout': 'a logout is refused',
};
type Beside = keyof typeof BESIDE;

/** Whether a request names nothing but its session. */
const isPlain = ({ intent, input }: Answer) => intent !== 'unauthorised' && !input.query && input.json === undefined;

/**
 * A session is served before and after something happens beside it, and nothing else that may end it does. A session may also end by itself, so
 * one that was served no more contradicts only together with another, and where none was served.
 */
export const servedBeside = (beside: Beside): Monitor =>
  function* (history) {
    const users = new Map(loginsIn(history).map((login) => [member(login, 'sessionId'), userOf(login)]));
    const changes = history.filter((one) => isLogin(one) || isLogout(one));
    const kindOf = (event: Answer, session: string): Beside | 'other' | undefined => {
      const isOwn = users.get(isLogin(event) ? member(event, 'sessionId') : event.sessionId) === users.get(session);
      // A logout whose first answer was lost may have ended the session all the same.
      if (isOwn && isLogout(event) && event.isRepetition) return 'other';
      if (!succeeded(event)) return isLogin(event) ? undefined : 'refused logout';
      return isOwn ? 'other' : isLogin(event) ? 'login' : 'logout';
    };
    // What takes nothing but a session is refused for that alone.
    const isRead = (one: Answer) => one.operation.risk === 'safe' && !isLogout(one) && isPlain(one);
    const reads = history.filter((one) => isRead(one) && !isBusy(one));
    const served: Shown['by'][] = [];
    const ended: Shown['by'][] = [];
    for (const session of new Set(history.flatMap(({ sessionId }) => sessionId ?? []))) {
      const own = reads.filter((one) => one.sessionId === session);
      for (const after of own) {
        const before = own.findLast((one) => one.answeredAt <= after.sentAt);
        if (!before || !succeeded(before)) continue;
        const between = changes.filter((one) => one.answeredAt > before.sentAt && one.sentAt < after.answeredAt);
        const events = between.filter((one) => kindOf(one, session) !== undefined);
        const isAlone = events.every((one) => kindOf(one, session) === beside);
        // What was refused for a while only is served until its user logs in or out.
        const next = changes.find((one) => one.sentAt > after.sentAt && kindOf(one, session) === 'other');
        const until = next?.sentAt ?? Number.POSITIVE_INFINITY;
        const isServed = own.some((one) => one.sentAt >= after.sentAt && one.sentAt <= until && succeeded(one));
        if (isAlone && events.some((one) => one.answeredAt <= after.sentAt))
          (isServed ? served : ended).push([before, ...events, after]);
      }
    }
    for (const by of served) yield kept(by);
    const last = ended.at(-1);
    if (served.length > 0 || !last) return;
    const reason = `a session is served no more once ${BESIDE[beside]}`;
    if (ended.length > 1) yield contradiction(last, reason, 'success', describe(last.at(-1)!));
    else yield nothing(last, `${reason}, but this was seen once`);
  };
