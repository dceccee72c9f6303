/** What a session shows about what happens beside it: others log in and out, or a logout is refused (reading 33). */
import { type Answer, describe, isBusy, succeeded } from '../../helpers/answer.ts';
import { answeredAt, countUpTo, inFlight, latestUpTo, sentAt } from '../../helpers/evidence/by-time.ts';
import { contradiction, kept, type Monitor, nothing, type Shown } from '../../helpers/evidence/monitor.ts';
import * as Sessions from './scenarios/sessions.ts';

/** What may happen beside a session. */
const BESIDE = {
  login: 'another user logs in',
  logout: 'another user logs out',
  'refused logout': 'a logout is refused',
};
type Beside = keyof typeof BESIDE;

/** What a login or logout is to a session: `own` where it may end the session or begin it anew, undefined where it changes nothing. */
function kindOf(event: Answer, isOfSameUser: boolean): Beside | 'own' | undefined {
  // A logout whose first answer was lost may have ended the session all the same.
  if (isOfSameUser && Sessions.isLogout(event) && event.isRepetition) return 'own';
  if (!succeeded(event)) return Sessions.isLogin(event) ? undefined : 'refused logout';
  if (isOfSameUser) return 'own';
  return Sessions.isLogin(event) ? 'login' : 'logout';
}

/** The logins and logouts of a history, as they concern its sessions. */
class Events {
  readonly #users: ReadonlyMap<unknown, string>;
  readonly #inFlight: ReturnType<typeof inFlight>;
  /** When each user logged in or out, ascending. */
  readonly #ownTimes: ReadonlyMap<string | undefined, readonly number[]>;

  constructor(history: readonly Answer[]) {
    this.#users = new Map(Sessions.loginsIn(history).map((login) => [Sessions.idIn(login), Sessions.userOf(login)]));
    const events = history.filter((one) => Sessions.isLogin(one) || Sessions.isLogout(one));
    this.#inFlight = inFlight(events);
    const own = Map.groupBy(
      events.filter((event) => kindOf(event, true) === 'own'),
      (event) => this.#userOf(event),
    );
    const timesOf = (some: readonly Answer[]) => some.map(sentAt).toSorted((one, other) => one - other);
    this.#ownTimes = new Map(Array.from(own, ([user, some]) => [user, timesOf(some)]));
  }

  #userOf(event: Answer): string | undefined {
    return this.#users.get(Sessions.isLogin(event) ? Sessions.idIn(event) : event.sessionId);
  }

  /** All that happened between two reads in a session, where that was of one kind alone, and began to show; else nothing. */
  alone(beside: Beside, session: string, before: Answer, after: Answer): Answer[] {
    const events: Answer[] = [];
    for (const event of this.#inFlight(before.sentAt, after.answeredAt)) {
      const kind = kindOf(event, this.#userOf(event) === this.#users.get(session));
      if (kind === undefined) continue;
      if (kind !== beside) return [];
      events.push(event);
    }
    return events.some((event) => event.answeredAt <= after.sentAt) ? events : [];
  }

  /** When the user of a session logs in or out next; never, where this does not happen. */
  nextOwn(session: string, since: number): number {
    const times = this.#ownTimes.get(this.#users.get(session)) ?? [];
    return times[countUpTo(times, since)] ?? Number.POSITIVE_INFINITY;
  }
}

/** Whether a request is a reading one that names nothing but its session: it is refused for that alone, unless the target is busy. */
const isPlainRead = (one: Answer): boolean =>
  one.operation.risk === 'safe' &&
  !Sessions.isLogout(one) &&
  one.intent !== 'unauthorised' &&
  !one.input.query &&
  one.input.json === undefined &&
  !isBusy(one);

/** Each read in a session that was served before something happened beside it, and whether the session is served then, or still later. */
function* readsAfter(
  beside: Beside,
  session: string,
  reads: readonly Answer[],
  events: Events,
): Generator<{ by: Shown['by']; isServed: boolean }> {
  const latestRead = latestUpTo(reads, answeredAt);
  const servedTimes = reads
    .filter(succeeded)
    .map(sentAt)
    .toSorted((one, other) => one - other);
  for (const after of reads) {
    const before = latestRead(after.sentAt);
    if (!before || !succeeded(before)) continue;
    const between = events.alone(beside, session, before, after);
    if (between.length === 0) continue;
    // What was refused for a while only is served until its user logs in or out.
    const nextServed = servedTimes[countUpTo(servedTimes, after.sentAt)];
    const isServedLater = nextServed !== undefined && nextServed <= events.nextOwn(session, after.sentAt);
    yield { by: [before, ...between, after], isServed: succeeded(after) || isServedLater };
  }
}

/**
 * A session is served before and after something happens beside it, and nothing else that may end it does. A session may also end by itself, so
 * one that was served no more contradicts only together with another, and where none was served.
 */
export const servedBeside = (beside: Beside): Monitor =>
  function* (history) {
    const events = new Events(history);
    const reads = Map.groupBy(history.filter(isPlainRead), ({ sessionId }) => sessionId);
    const found = [...reads].flatMap(([session, own]) =>
      session ? [...readsAfter(beside, session, own, events)] : [],
    );
    const served = found.filter(({ isServed }) => isServed);
    for (const { by } of served) yield kept(by);
    const last = found.at(-1)?.by;
    if (served.length > 0 || !last) return;
    const reason = `a session is served no more once ${BESIDE[beside]}`;
    if (found.length > 1) yield contradiction(last, reason, 'success', describe(last.at(-1)!));
    else yield nothing(last, `${reason}, but this was seen once`);
  };
