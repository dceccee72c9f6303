/** What histories of a few exchanges show about sessions. */
import { describe, expect, test } from 'vitest';
import type { Monitor } from '../../helpers/evidence/monitor.ts';
import { servedBeside } from '../../suites/v1/beside-monitors.ts';
import * as monitors from '../../suites/v1/session-monitors.ts';
import { answerTo } from '../tools/answers.ts';

const OPERATIONS = { login: 'portal.login', read: 'portal.getCustomerList', logout: 'portal.logout' };
const STEP = /^(\d+) (login|read|logout) (\w+)(?: by (\w+))?( wrong)?( refused)?( again)?$/;

/**
 * A history in words: `0 login a, 10 read a, 20 logout a refused`, with the session, whose first letter is its user, unless `by` names another;
 * each request takes 2 ms. What is `wrong` must be refused; what was sent `again` may have been carried out before.
 */
const historyOf = (words: string) =>
  words.split(', ').map((step) => {
    const [, at, what, session, user = session![0], wrong, refused, again] = STEP.exec(step)!;
    const given = {
      exchange: `x${at}`,
      isRepetition: again !== undefined,
      ...(wrong && { intent: 'unauthorised' as const, wrong: { what: 'something wrong' } }),
      sentAt: Number(at),
      answeredAt: Number(at) + 2,
      status: refused ? (what === 'login' ? 400 : 401) : 200,
    };
    if (what !== 'login') return answerTo(OPERATIONS[what as 'read'], {}, { ...given, sessionId: session });
    return answerTo(OPERATIONS.login, { sessionId: session }, { ...given, input: { query: { loginID: user } } });
  });

const shownBy = (monitor: Monitor, words: string, settleMs = 0) =>
  [...monitor(historyOf(words), { fixtures: {}, settleMs })].map(({ shows }) => shows).join();

const { servedAfterLogout, loggedOutTwice, notLoggedOut, servedWhenNew, sessionsDiffer } = monitors;
const besideLogin = servedBeside('login');
const besideLogout = servedBeside('logout');
const besideRefused = servedBeside('refused logout');
const refusesPassword = monitors.refusesLogins('password');
const refusesUser = monitors.refusesLogins('user');

const OUT = '0 login a, 10 read a, 20 logout a';
const IN = '0 login a, 10 read a';
const TWO = '0 login a, 10 login b, 20 read a';
const GONE = '30 logout b, 40 read a refused, 50 login a2, 60 read a2';
const LOST = '0 login a, 10 read a, 20 logout a refused';
const LOST2 = '30 read a refused, 50 login a2, 60 read a2, 70 logout a2 refused, 80 read a2 refused';
const NO = '20 logout a refused';

test.each([
  ['a session that was logged out is served', servedAfterLogout, `${OUT}, 30 read a`, 'contradiction'],
  ['a session that was logged out is refused', servedAfterLogout, `${OUT}, 30 read a refused`, 'kept'],
  ['a session is served while its logout is under way', servedAfterLogout, `${OUT}, 21 read a`, ''],
  ['another session is served after a logout', servedAfterLogout, `${OUT}, 30 read b`, ''],
  ['a login gives what was logged out again', servedAfterLogout, `${OUT}, 30 login a, 40 read a`, ''],
  ['what every session is refused shows nothing', servedAfterLogout, '0 login a, 20 logout a, 30 read a refused', ''],
  ['a second logout is refused', loggedOutTwice, `${OUT}, 30 logout a refused`, 'kept'],
  ['a second logout is accepted', loggedOutTwice, `${OUT}, 30 logout a`, 'contradiction'],
  ['a session that is served is logged out', notLoggedOut, `${IN}, 20 logout a`, 'kept'],
  ['a logout is refused, and the session is served', notLoggedOut, `${IN}, ${NO}, 30 read a`, 'contradiction'],
  ['a logout is refused, and so is the session', notLoggedOut, `${IN}, ${NO}, 30 read a refused`, ''],
  ['a logout is refused, and a login gives the same one', notLoggedOut, `${IN}, ${NO}, 30 login a, 40 read a`, ''],
  ['a new session is served', servedWhenNew, IN, 'kept'],
  ['a new session is refused', servedWhenNew, '0 login a, 10 read a refused', ''],
  ['a session lives on after the logout of another', besideLogout, `${TWO}, 30 logout b, 40 read a`, 'kept'],
  ['a session is gone once', besideLogout, `${TWO}, ${GONE}`, 'nothing'],
  ['a session is gone twice', besideLogout, `${TWO}, ${GONE}, 70 logout b2, 80 read a2 refused`, 'contradiction'],
  ['a session is gone, another lives on', besideLogout, `${TWO}, ${GONE}, 70 logout b2, 80 read a2`, 'kept'],
  ['a session was logged out itself', besideLogout, `${TWO}, 30 logout a, 40 read a refused`, ''],
  ['a session lives on after another login', besideLogin, `${TWO}, 30 login b2, 40 read a`, 'kept'],
  ['a session is gone after a login of its own user', besideLogin, `${TWO}, 30 login a2, 40 read a refused`, ''],
  ['a session lives on after a refused logout', besideRefused, `${TWO}, 30 logout x refused, 40 read a`, 'kept'],
  ['a session is gone after its own refused logout', besideRefused, `${LOST}, ${LOST2}`, 'contradiction'],
  ['a session is gone after its own logout, sent again', besideRefused, `${LOST} again, ${LOST2}`, 'nothing'],
  ['a session was refused before', besideLogin, `${TWO}, 25 read a refused, 30 login b2, 40 read a refused`, ''],
  ['two users get different sessions', sessionsDiffer, '0 login a, 10 login b', 'kept'],
  ['two users get the same session', sessionsDiffer, '0 login a, 10 login a by b', 'contradiction'],
  ['two users get the same one in turn', sessionsDiffer, '0 login a, 5 logout a, 10 login a by b', 'kept'],
  ['a wrong password is refused', refusesPassword, '0 login a, 10 login x by a wrong refused', 'kept'],
  ['a wrong password is accepted', refusesPassword, '0 login a, 10 login x by a wrong', 'contradiction'],
  ['nobody has no wrong password', refusesPassword, '0 login a, 10 login x by nobody wrong', ''],
  ['a login of nobody is accepted', refusesUser, '0 login a, 10 login x by nobody wrong', 'contradiction'],
])('%s', (_, monitor, words, shown) => {
  expect(shownBy(monitor, words)).toBe(shown);
});

test.each([
  ['a session may be served for the settle time', servedAfterLogout, `${OUT}, 30 read a`, ''],
  ['a session may not be served longer', servedAfterLogout, `${OUT}, 130 read a`, 'contradiction'],
  ['a logout may be refused where the login may be unknown', notLoggedOut, `${IN}, ${NO}, 200 read a`, ''],
])('%s', (_, monitor, words, shown) => {
  expect(shownBy(monitor, words, 100)).toBe(shown);
});

/** Traffic of a target that gives one session to all logins, of one user or of many, who log out or do not. */
const TRAFFIC: Record<string, (place: number) => string> = {
  'one user logs in and reads': (at) => `${at} login s by one, ${at + 10} read s`,
  'one user logs in, reads and logs out': (at) => `${at} login s by one, ${at + 10} read s, ${at + 20} logout s`,
  'many users log in and read': (at) => `${at} login s by u${at}, ${at + 10} read s`,
  'many users log in, read and log out': (at) => `${at} login s by u${at}, ${at + 10} read s, ${at + 20} logout s`,
  'logouts are refused': (at) => `${at} login s by u${at}, ${at + 10} logout s refused, ${at + 20} read s refused`,
};

/** How often a monitor looks at a member of an answer, for so many logins. */
function looksOf(monitor: Monitor, traffic: (place: number) => string, logins: number): number {
  let looks = 0;
  const counted = historyOf(Array.from({ length: logins }, (_, index) => traffic(index * 100)).join(', ')).map(
    (answer) =>
      new Proxy(answer, {
        get(of, name) {
          looks++;
          return Reflect.get(of, name);
        },
      }),
  );
  for (const { by } of monitor(counted, { fixtures: {}, settleMs: 5 })) looks += by.length;
  return looks;
}

const ALL: Record<string, Monitor> = {
  servedAfterLogout,
  loggedOutTwice,
  notLoggedOut,
  servedWhenNew,
  customerAccepted: monitors.customerAccepted,
  sessionsDiffer,
  besideLogin,
  besideLogout,
  besideRefused,
  refusesPassword,
  refusesUser,
};

describe.each(Object.entries(TRAFFIC))('where %s in the same session', (_, traffic) => {
  test.each(Object.entries(ALL))('twice as many logins take %s about twice as long', (_name, monitor) => {
    expect(looksOf(monitor, traffic, 300)).toBeLessThan(2.5 * looksOf(monitor, traffic, 150));
  });
});

test.each([
  [undefined, true, ''],
  [false, false, 'contradiction'],
  [false, true, ''],
  [true, true, 'contradiction'],
])(
  'a session is served before the settle time of its logout is over, which was given: %s',
  (isSettleGiven, isMeant, shows) => {
    const known = { fixtures: {}, settleMs: 1000, ...(isSettleGiven !== undefined && { isSettleGiven }) };
    // Of a run, whose drivers wait for that time, nothing is said of it.
    const wanted = isSettleGiven === undefined ? false : isMeant;
    const found = [...monitors.servedSoonAfterLogout(wanted)(historyOf(`${OUT}, 30 read a`), known)];
    expect(found.map((one) => one.shows).join()).toBe(shows);
  },
);
