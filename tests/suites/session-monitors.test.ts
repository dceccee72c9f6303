/** What histories of a few exchanges show about sessions. */
import { describe, expect, it } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import type { Monitor } from '../../helpers/evidence/monitor.ts';
import { readJson } from '../../helpers/json.ts';
import {
  loggedOutTwice,
  notLoggedOut,
  servedAfterLogout,
  servedBeside,
  servedWhenNew,
} from '../../suites/v1/session-monitors.ts';

/** A request of one word, `login`, `read` or `logout`, in a session, whose first letter is its user, and whether it was accepted; each takes 2 ms. */
type Line = readonly [sentAt: number, what: 'login' | 'read' | 'logout', session: string, isAccepted?: boolean];

const OPERATIONS = { login: 'portal.login', read: 'portal.getCustomerList', logout: 'portal.logout' };

function answered([sentAt, what, session, isAccepted = true]: Line): Answer {
  const bytes = Buffer.from(what === 'login' ? JSON.stringify({ sessionId: session }) : '{}');
  return {
    exchange: `x${sentAt}`,
    operation: operation(OPERATIONS[what]),
    input: what === 'login' ? { query: { loginID: session[0] } } : {},
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

describe('a session beside which something happens', () => {
  const begun: Line[] = [
    [0, 'login', 'a'],
    [10, 'login', 'b'],
    [20, 'read', 'a'],
  ];
  const gone: Line[] = [
    [40, 'read', 'a', false],
    [50, 'login', 'a2'],
    [60, 'read', 'a2'],
  ];

  it.each([
    [
      'lives on',
      'logout',
      [
        [30, 'logout', 'b'],
        [40, 'read', 'a'],
      ],
      ['kept'],
    ],
    ['is gone once', 'logout', [[30, 'logout', 'b'], ...gone], ['nothing']],
    [
      'is gone twice',
      'logout',
      [[30, 'logout', 'b'], ...gone, [70, 'logout', 'b2'], [80, 'read', 'a2', false]],
      ['contradiction'],
    ],
    [
      'is gone once, and another lives on',
      'logout',
      [[30, 'logout', 'b'], ...gone, [70, 'logout', 'b2'], [80, 'read', 'a2']],
      ['kept'],
    ],
    [
      'was logged out itself',
      'logout',
      [
        [30, 'logout', 'a'],
        [40, 'read', 'a', false],
      ],
      [],
    ],
    [
      'lives on after a login',
      'login',
      [
        [30, 'login', 'b2'],
        [40, 'read', 'a'],
      ],
      ['kept'],
    ],
    [
      "is gone after its own user's login",
      'login',
      [
        [30, 'login', 'a2'],
        [40, 'read', 'a', false],
      ],
      [],
    ],
    [
      'lives on after a refused logout',
      'refused logout',
      [
        [30, 'logout', 'x', false],
        [40, 'read', 'a'],
      ],
      ['kept'],
    ],
    [
      'is not used before',
      'login',
      [
        [25, 'read', 'a', false],
        [30, 'login', 'b2'],
        [40, 'read', 'a', false],
      ],
      [],
    ],
  ] satisfies [string, Parameters<typeof servedBeside>[0], Line[], string[]][])('%s', (_, beside, later, shown) => {
    expect(shownBy(servedBeside(beside), [...begun, ...later])).toEqual(shown);
  });
});
