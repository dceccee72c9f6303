/** What histories of a few exchanges show about sessions. */
import { describe, expect, it } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import type { Monitor } from '../../helpers/evidence/monitor.ts';
import { readJson } from '../../helpers/json.ts';
import {
  loggedOutTwice,
  notLoggedOut,
  refusesLogins,
  servedAfterLogout,
  servedBeside,
  servedWhenNew,
  sessionsDiffer,
} from '../../suites/v1/session-monitors.ts';

const OPERATIONS = { login: 'portal.login', read: 'portal.getCustomerList', logout: 'portal.logout' };

/**
 * A history in words: `0 login a, 10 read a, 20 logout a refused`, with the session, whose first letter is its user, unless `by` names another;
 * each request takes 2 ms. What is `wrong` must be refused.
 */
const historyOf = (words: string): Answer[] =>
  words.split(', ').map((step) => {
    const [, at, what, session, user = session![0], wrong, refused] =
      /^(\d+) (login|read|logout) (\w+)(?: by (\w+))?( wrong)?( refused)?$/.exec(step)!;
    const sentAt = Number(at);
    const bytes = Buffer.from(what === 'login' ? JSON.stringify({ sessionId: session }) : '{}');
    return {
      exchange: `x${sentAt}`,
      operation: operation(OPERATIONS[what as 'login']),
      input: what === 'login' ? { query: { loginID: user } } : {},
      intent: wrong ? 'unauthorised' : 'refusable',
      wrong: wrong ? { what: 'something wrong' } : undefined,
      status: refused ? (what === 'login' ? 400 : 401) : 200,
      headers: {},
      bytes,
      json: readJson(bytes),
      sentAt,
      answeredAt: sentAt + 2,
      sessionId: what === 'login' ? undefined : session,
      change: undefined,
    };
  });

const shownBy = (monitor: Monitor, words: string, settleMs = 0) =>
  [...monitor(historyOf(words), { fixtures: {}, settleMs })].map(({ shows }) => shows);

describe('a session after its logout', () => {
  const before = '0 login a, 10 read a, 20 logout a';

  it.each([
    ['is served', '30 read a', ['contradiction']],
    ['is refused', '30 read a refused', ['kept']],
    ['was served when the logout was under way', '21 read a', []],
    ['is another one', '30 read b', []],
    ['lives again where a login gives the same identifier', '30 login a, 40 read a', []],
  ])('%s', (_, later, shown) => {
    expect(shownBy(servedAfterLogout, `${before}, ${later}`)).toEqual(shown);
  });

  it('may be served until the settle time is over', () => {
    expect(shownBy(servedAfterLogout, `${before}, 30 read a`, 100)).toEqual([]);
    expect(shownBy(servedAfterLogout, `${before}, 130 read a`, 100)).toEqual(['contradiction']);
  });

  it('shows nothing where the operation is refused in every session', () => {
    expect(shownBy(servedAfterLogout, '0 login a, 20 logout a, 30 read a refused')).toEqual([]);
  });

  it('is logged out once', () => {
    expect(shownBy(loggedOutTwice, `${before}, 30 logout a refused`)).toEqual(['kept']);
    expect(shownBy(loggedOutTwice, `${before}, 30 logout a`)).toEqual(['contradiction']);
  });
});

describe('the logout of a session that is served', () => {
  it.each([
    ['is accepted', '20 logout a', ['kept']],
    ['is refused, and the session is served', '20 logout a refused, 30 read a', ['contradiction']],
    ['is refused, and so is the session', '20 logout a refused, 30 read a refused', []],
    ['is refused, and a login gives the same one', '20 logout a refused, 30 login a, 40 read a', []],
  ])('%s', (_, later, shown) => {
    expect(shownBy(notLoggedOut, `0 login a, 10 read a, ${later}`)).toEqual(shown);
  });

  it('shows nothing while the login may still be unknown', () => {
    expect(shownBy(notLoggedOut, '0 login a, 10 read a, 20 logout a refused, 200 read a', 100)).toEqual([]);
  });
});

it('a new session is served', () => {
  expect(shownBy(servedWhenNew, '0 login a, 10 read a')).toEqual(['kept']);
  expect(shownBy(servedWhenNew, '0 login a, 10 read a refused')).toEqual([]);
});

describe('a session beside which something happens', () => {
  const gone = '40 read a refused, 50 login a2, 60 read a2';

  it.each<[string, Parameters<typeof servedBeside>[0], string, string[]]>([
    ['lives on', 'logout', '30 logout b, 40 read a', ['kept']],
    ['is gone once', 'logout', `30 logout b, ${gone}`, ['nothing']],
    ['is gone twice', 'logout', `30 logout b, ${gone}, 70 logout b2, 80 read a2 refused`, ['contradiction']],
    ['is gone once, and another lives on', 'logout', `30 logout b, ${gone}, 70 logout b2, 80 read a2`, ['kept']],
    ['was logged out itself', 'logout', '30 logout a, 40 read a refused', []],
    ['lives on after a login', 'login', '30 login b2, 40 read a', ['kept']],
    ["is gone after its own user's login", 'login', '30 login a2, 40 read a refused', []],
    ['lives on after a refused logout', 'refused logout', '30 logout x refused, 40 read a', ['kept']],
    ['is not used before', 'login', '25 read a refused, 30 login b2, 40 read a refused', []],
  ])('%s', (_, beside, later, shown) => {
    expect(shownBy(servedBeside(beside), `0 login a, 10 login b, 20 read a, ${later}`)).toEqual(shown);
  });
});

describe('two users who log in', () => {
  it.each([
    ['get different sessions', '10 login b', ['kept']],
    ['get the same one', '10 login a by b', ['contradiction']],
    ['get the same one once the first has logged out', '5 logout a, 10 login a by b', ['kept']],
  ])('%s', (_, later, shown) => {
    expect(shownBy(sessionsDiffer, `0 login a, ${later}`)).toEqual(shown);
  });
});

describe('a wrong login', () => {
  it.each<[string, Parameters<typeof refusesLogins>[0], string, string[]]>([
    ['of a user who logs in otherwise is refused', 'password', '10 login x by a wrong refused', ['kept']],
    ['of a user who logs in otherwise is accepted', 'password', '10 login x by a wrong', ['contradiction']],
    ['of nobody is accepted', 'user', '10 login x by nobody wrong', ['contradiction']],
    ['of nobody has no wrong password', 'password', '10 login x by nobody wrong', []],
  ])('%s', (_, kind, later, shown) => {
    expect(shownBy(refusesLogins(kind), `0 login a, ${later}`)).toEqual(shown);
  });
});
