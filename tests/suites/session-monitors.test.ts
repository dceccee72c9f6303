/** What histories of a few exchanges show about sessions. */
import { describe, expect, it } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import type { Monitor } from '../../helpers/engine/monitor.ts';
import { readJson } from '../../helpers/json.ts';
import { loggedOutTwice, notLoggedOut, servedAfterLogout, servedWhenNew } from '../../suites/v1/session-monitors.ts';

/** A request of one word, `login`, `read` or `logout`, in a session, and whether it was accepted; each takes 2 ms. */
type Line = readonly [sentAt: number, what: 'login' | 'read' | 'logout', session: string, isAccepted?: boolean];

const OPERATIONS = { login: 'portal.login', read: 'portal.getCustomerList', logout: 'portal.logout' };

function answered([sentAt, what, session, isAccepted = true]: Line): Answer {
  const bytes = Buffer.from(what === 'login' ? JSON.stringify({ sessionId: session }) : '{}');
  return {
    exchange: `x${sentAt}`,
    operation: operation(OPERATIONS[what]),
    input: {},
    intent: 'refusable',
    status: isAccepted ? 200 : 401,
    headers: {},
    bytes,
    json: readJson(bytes),
    sentAt,
    answeredAt: sentAt + 2,
    sessionId: what === 'login' ? undefined : session,
    change: undefined,
  };
}

const shownBy = (monitor: Monitor, lines: readonly Line[], settleMs = 0) =>
  [...monitor(lines.map(answered), { fixtures: {}, settleMs })].map(({ shows }) => shows);

describe('a session after its logout', () => {
  const before: Line[] = [
    [0, 'login', 'a'],
    [10, 'read', 'a'],
    [20, 'logout', 'a'],
  ];

  it.each([
    ['is served', [[30, 'read', 'a']], ['contradiction']],
    ['is refused', [[30, 'read', 'a', false]], ['kept']],
    ['was served when the logout was under way', [[21, 'read', 'a']], []],
    ['is another one', [[30, 'read', 'b']], []],
  ] satisfies [string, Line[], string[]][])('%s', (_, later, shown) => {
    expect(shownBy(servedAfterLogout, [...before, ...later])).toEqual(shown);
  });

  it('may be served until the settle time is over', () => {
    expect(shownBy(servedAfterLogout, [...before, [30, 'read', 'a']], 100)).toEqual([]);
    expect(shownBy(servedAfterLogout, [...before, [130, 'read', 'a']], 100)).toEqual(['contradiction']);
  });

  it('lives again where a login gives the same identifier', () => {
    expect(shownBy(servedAfterLogout, [...before, [30, 'login', 'a'], [40, 'read', 'a']])).toEqual([]);
  });

  it('shows nothing where the operation is refused in every session', () => {
    const refused: Line[] = [
      [0, 'login', 'a'],
      [20, 'logout', 'a'],
      [30, 'read', 'a', false],
    ];
    expect(shownBy(servedAfterLogout, refused)).toEqual([]);
  });

  it('is logged out once', () => {
    expect(shownBy(loggedOutTwice, [...before, [30, 'logout', 'a', false]])).toEqual(['kept']);
    expect(shownBy(loggedOutTwice, [...before, [30, 'logout', 'a']])).toEqual(['contradiction']);
  });
});

describe('the logout of a session that is served', () => {
  const before: Line[] = [
    [0, 'login', 'a'],
    [10, 'read', 'a'],
  ];

  it.each([
    ['is accepted', [[20, 'logout', 'a']], ['kept']],
    [
      'is refused, and the session is served',
      [
        [20, 'logout', 'a', false],
        [30, 'read', 'a'],
      ],
      ['contradiction'],
    ],
    [
      'is refused, and so is the session',
      [
        [20, 'logout', 'a', false],
        [30, 'read', 'a', false],
      ],
      [],
    ],
    [
      'is refused, and a login gives the same one',
      [
        [20, 'logout', 'a', false],
        [30, 'login', 'a'],
        [40, 'read', 'a'],
      ],
      [],
    ],
  ] satisfies [string, Line[], string[]][])('%s', (_, later, shown) => {
    expect(shownBy(notLoggedOut, [...before, ...later])).toEqual(shown);
  });

  it('shows nothing while the login may still be unknown', () => {
    const refused: Line[] = [...before, [20, 'logout', 'a', false], [200, 'read', 'a']];
    expect(shownBy(notLoggedOut, refused, 100)).toEqual([]);
  });
});

it('a new session is served', () => {
  expect(
    shownBy(servedWhenNew, [
      [0, 'login', 'a'],
      [10, 'read', 'a'],
    ]),
  ).toEqual(['kept']);
  expect(
    shownBy(servedWhenNew, [
      [0, 'login', 'a'],
      [10, 'read', 'a', false],
    ]),
  ).toEqual([]);
});
