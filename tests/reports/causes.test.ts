import { describe, expect, test } from 'vitest';
import type { Exchange, RequirementResult } from '../../contracts/record.ts';
import { causes, findings, fingerprint, fingerprints } from '../../reports/causes.ts';
import { answer, check, conformance, everyVerdict, exchange, failing, judged, requirement } from './record-builder.ts';

const failed = (id: string, message: string, over = {}, of = {}) => judged(id, 'failed', { message, ...over }, of);
const idsOf = (requirements: readonly { id: string }[]) => requirements.map(({ id }) => id);

const of = (message: string, actual = '', pointer = '', id = 'cards.get.identifier') =>
  fingerprint(requirement(id, []), { message, difference: { expected: 'another', actual, pointer } });

test.each([
  ['identifiers', of('card c-1001 came back'), of('card c-77a2 came back')],
  ['UUIDs', of('card 0b54c8a5-6f0e-4b6a-8a27-7c2b8a4f3c11'), of('card 5c0e9a1f-1111-4b6a-9a27-000000000000')],
  ['times', of('at 2025-01-01T03:00:00.123Z'), of('at 2026-11-30T23:59:59Z')],
  ['HTTP dates', of('Date: Tue, 01 Apr 2025 10:00:00 GMT'), of('Date: Wed, 12 Nov 2025 11:01:10 GMT')],
  ['amounts', of('the balance fell by 10.00'), of('the balance fell by 9.5')],
  ['numbers of items', of('51 results'), of('137 results')],
  ['texts', of('wrong', '"c-1"', '/identifier'), of('wrong', '"other"', '/identifier')],
  ['places in a list', of('wrong', '250', '/results/3/balance'), of('wrong', '100', '/results/12/balance')],
])('the fingerprint of a failure is the same whatever the %s', (_, one, other) => expect(one).toBe(other));

test.each([
  ['statuses', of('answered 200'), of('answered 500')],
  ['statuses in words', of('the status is 200'), of('the status is 404')],
  ['actual statuses', of('wrong', '200'), of('wrong', '500')],
  ['types', of('wrong', '"1"'), of('wrong', '1')],
  ['members', of('wrong', '1', '/planId'), of('wrong', '1', '/status')],
  ['messages', of('another card'), of('no card')],
  ['requirements', of('x', '', '', 'cards.get.a'), of('x', '', '', 'cards.get.b')],
])('the fingerprint of a failure tells %s apart', (_, one, other) => expect(one).not.toBe(other));

test('the fingerprint of a failure is twelve hexadecimal digits, one for each way in which a requirement fails', () => {
  const { checks, ...failed } = failing('cards.get.shape', 'answered 500', 'a 7', 'a 8');
  const ways = fingerprints({ ...failed, checks: [...checks, check('passed')] });
  expect(ways.join()).toMatch(/^[0-9a-f]{12},[0-9a-f]{12}$/);
});

test('what guards all operations is one cause, however its failure shows, and comes before fewer, worse ones', () => {
  const guarded = ['users.list', 'users.get', 'cards.list', 'cards.get', 'cards.setPin'];
  const requirements = [
    failed('token.issue.ends-after-60-minutes', 'a token is accepted after 61 minutes'),
    ...guarded.map((operation, n) => failed(`${operation}.requires-live-token`, `accepted with status 20${n}`)),
    failed('cards.get.foreign', 'a foreign card is shown'),
    failed('cards.get.requires-token', 'accepted with status 200'),
  ];
  const { failures } = findings(conformance(requirements));
  const found = failures.map(({ requirements }) => `${requirements[0]!.id} ${requirements.length}`);
  expect(found).toEqual(['token.issue.ends-after-60-minutes 6', 'cards.get.foreign 1', 'cards.get.requires-token 1']);
});

test('what else a body breaks is told with its finding, and makes the failure another one', () => {
  const further = [{ message: 'the body at /b must be a string', times: 2, example: 'x00007' }];
  const one = failed('cards.get.shape', 'the body at /a must be a string');
  const both = failed('cards.get.shape', 'the body at /a must be a string', { further });
  expect(causes([both])[0]!.further).toEqual(['the body at /b must be a string (2 exchanges, such as x00007)']);
  expect(fingerprints(both)).toHaveLength(2);
  expect(fingerprints(both)).toEqual(expect.arrayContaining(fingerprints(one)));
});

test('an operation that is not there is one cause, and no advice', () => {
  const requirements = [
    failed('cards.setPin.required-only', 'answered 404'),
    failed('cards.setPin.missing-body', 'the status is 404'),
    failed('cards.setPin.pin-not-echoed', 'answered 404', {}, { level: 'should' }),
    failed('cards.get.required-only', 'answered 404'),
  ];
  const record = conformance(requirements, { run: { absent: [{ operation: 'cards.setPin', status: 404 }] } });
  const { failures, advice } = findings(record);
  const [absent, other] = failures.map(({ requirements }) => idsOf(requirements));
  expect(absent).toEqual(['cards.setPin.required-only', 'cards.setPin.missing-body']);
  expect(other).toEqual(['cards.get.required-only']);
  expect(failures[0]!.message).toContain('TARGET_OPERATIONS=-cards.setPin');
  expect(advice).toEqual([]);
});

test('causes are one for the same statement broken in the same way by several operations and requests', () => {
  const open = (operation: string, ...cited: string[][]) => {
    const message = `${operation} answered 200 without a token`;
    const checks = cited.map((exchanges) => check('failed', { message, exchanges }));
    return requirement(`${operation}.requires-token`, checks);
  };
  const requirements = [open('cards.suspend', ['x1'], ['x1', 'y']), open('cards.close', ['x2'], ['x2', 'y'])];
  const message = 'cards.suspend answered 200 without a token';
  expect(causes(requirements)).toMatchObject([{ exchanges: ['x1', 'y', 'x2'], message, requirements }]);
});

test('causes of different statements are not one', () => {
  expect(causes([failed('cards.get.shape', 'no'), failed('cards.get.status', 'no')])).toHaveLength(2);
});

test('causes of a requirement that failed without a failed check are its reason', () => {
  const found = causes([requirement('cards.get.shape', [], { verdict: 'failed', reason: 'because' })]);
  expect(found).toMatchObject([{ message: 'because', exchanges: [] }]);
});

test('findings tell failures, known ones, outdated ones and advice apart', () => {
  const { failures, known, outdated, advice } = findings(conformance(everyVerdict()));
  const failing = failures.flatMap(({ requirements }) => idsOf(requirements));
  expect(failing).toEqual(['cards.suspend.requires-token', 'cards.list.max-abc']);
  expect(idsOf(known)).toEqual(['cards.get.identifier']);
  expect(idsOf(outdated)).toEqual(['cards.get.shape', 'cards.list.max-abc']);
  expect(advice.flatMap(({ requirements }) => idsOf(requirements))).toEqual(['token.issue.no-store']);
});

/** An exchange about a card, and what it is found to break. */
const about = (id: string, operation: string, status: number, over: Partial<Exchange> = {}, ...broken: string[]) =>
  exchange(Number(id.slice(1)), {
    operation,
    request: { method: 'GET', url: `http://127.0.0.1/cards/cards/card-${over.check ?? 1}`, headers: {}, body: null },
    response: answer(status, {}),
    findings: broken.map((requirement) => ({
      requirement,
      message: `${requirement} is broken`,
      difference: { expected: 'a text', actual: '7', pointer: '/planId' },
    })),
    ...over,
  });
const evidenceOf = (...all: Exchange[]) => new Map(all.map((one) => [one.id, one]));
const hiding = (all: RequirementResult[], ...exchanges: Exchange[]) => hidingWith({}, all, ...exchanges);
const hidingWith = (options: Record<string, string>, all: RequirementResult[], ...exchanges: Exchange[]) =>
  Object.fromEntries(
    findings(conformance(all, { run: { options } }), evidenceOf(...exchanges)).failures.map((one) => [
      one.requirements[0]!.id,
      idsOf(one.unseen),
    ]),
  );

describe('what could not be judged is hidden', () => {
  const errors = failed('users.list.error-shape', 'errors', { exchanges: ['x00001'] });
  const balance = failed('cards.getBalance.shape', 'balance', { exchanges: ['x00002', 'x00003'] });
  const cited = { exchanges: ['x00001', 'x00002', 'x00003'] };
  const seen = [
    about('x00001', 'users.list', 200, {}, 'users.list.error-shape'),
    about('x00002', 'cards.getBalance', 200, {}, 'cards.getBalance.shape'),
    about('x00003', 'cards.getBalance', 200, {}, 'cards.getBalance.shape'),
  ];

  test('by the failure that most of what was read shows, where nothing was refused', () => {
    const hidden = judged('cards.transfer.shape', 'inconclusive', cited);
    expect(hiding([errors, balance, hidden], ...seen)).toEqual({
      'users.list.error-shape': [],
      'cards.getBalance.shape': ['cards.transfer.shape'],
    });
  });

  test('by nobody, where it was ended by a refusal that no failure is about, whatever else it read', () => {
    const hidden = judged('cards.activate.active', 'inconclusive', { exchanges: ['x00002', 'x00004'] });
    const refusal = about('x00004', 'cards.activate', 409, { check: 'another' });
    expect(hiding([balance, hidden], ...seen, refusal)).toEqual({ 'cards.getBalance.shape': [] });
  });

  test('by the failure that shows the card in the wrong state, if it was refused for that card', () => {
    const state = { expected: 'not Active', actual: 'Active', pointer: '/status' };
    const left = failed('cards.unsuspend.leaves-others', 'Active', {
      exchanges: ['x00001', 'x00002'],
      difference: state,
      shownBy: 'x00002',
    });
    const own = judged('cards.activate.active', 'inconclusive', { exchanges: ['x00003'] });
    const others = judged('cards.markLost.not-active', 'inconclusive', { exchanges: ['x00004'] });
    const changed = judged('cards.unmarkFraud.required-only', 'inconclusive', { exchanges: ['x00006'] });
    const exchanges = [
      about('x00001', 'cards.unsuspend', 200),
      about('x00002', 'cards.get', 200),
      about('x00003', 'cards.activate', 409),
      about('x00004', 'cards.markLost', 409, { check: 'another' }),
      // By that operation another card may have come into the wrong state, too.
      about('x00005', 'cards.unsuspend', 200, { check: 'changed' }),
      about('x00006', 'cards.unmarkFraud', 409, { check: 'changed' }),
    ];
    expect(hiding([left, own, others, changed], ...exchanges)).toEqual({
      'cards.unsuspend.leaves-others': ['cards.activate.active', 'cards.unmarkFraud.required-only'],
    });
  });

  test('by that of several failures of the operation that led a card there which shows the state that the card is in', () => {
    const led = (id: string, actual: string, shownBy: string) =>
      failed(id, `a card is ${actual}`, {
        difference: { expected: 'another', actual, pointer: '/status' },
        exchanges: [shownBy],
        shownBy,
      });
    const all = [
      led('cards.unsuspend.active', 'Suspended', 'x00001'),
      led('cards.unsuspend.leaves-others', 'Active', 'x00002'),
      judged('cards.unmarkFraud.required-only', 'inconclusive', { exchanges: ['x00004', 'x00005'] }),
    ];
    const read = [
      about('x00001', 'cards.get', 200, { check: '1' }),
      about('x00002', 'cards.get', 200, { check: '2' }),
      about('x00003', 'cards.unsuspend', 200, { check: '3' }),
      about('x00004', 'cards.get', 200, { check: '3', response: answer(200, { status: 'Active' }) }),
      about('x00005', 'cards.unmarkFraud', 409, { check: '3' }),
    ];
    expect(hiding(all, ...read)).toMatchObject({
      'cards.unsuspend.leaves-others': ['cards.unmarkFraud.required-only'],
    });
  });

  test('where it is about what an operation leaves alone, by what refused to be read last', () => {
    const all = [
      failed('cards.getBalance.required-only', 'a conflict', { exchanges: ['x00001'] }),
      failed('cards.get.required-only', 'refused', { exchanges: ['x00002'] }),
      judged('cards.getBalance.nothing-else', 'inconclusive', { exchanges: ['x00001', 'x00002'] }),
    ];
    const read = [about('x00001', 'cards.getBalance', 409), about('x00002', 'cards.get', 404)];
    expect(hiding(all, ...read)).toMatchObject({ 'cards.get.required-only': ['cards.getBalance.nothing-else'] });
    expect(Object.values(hiding(all, read[0]!, about('x00002', 'cards.get', 200))).flat()).toEqual([]);
  });

  test('by the failure that its reason names', () => {
    const money = failed('cards.transfer.conserves-money', 'money is lost', { exchanges: ['x00002'] });
    const message = 'not sent: money goes missing, see cards.transfer.conserves-money, and a run moves no more';
    const hidden = judged('cards.transfer.to-itself', 'blocked', { message, exchanges: [] });
    expect(hiding([balance, money, hidden], ...seen)).toMatchObject({
      'cards.transfer.conserves-money': ['cards.transfer.to-itself'],
    });
  });

  test('by what used up the limit that it needs, and not where nothing that has to be refused was accepted', () => {
    const orders = ['x00001', 'x00002'].map((id) => about(id, 'portal.orderCards', 200, { intent: 'refusable' }));
    const repeated = failed('portal.orderCards.duplicate-order', 'made twice', {
      exchanges: ['x00001', 'x00002'],
      difference: { expected: 'a refusal', actual: 'status 200' },
    });
    const message = 'needs a larger RUN_MAX_ORDERS: the limit is reached';
    const hidden = judged('portal.orderCards.digital-on', 'skipped', { message });
    const unhidden = judged('portal.getCIPCheck.zip-digits', 'skipped', {
      message: 'needs a larger RUN_MAX_CIP_CHECKS: the limit is reached',
    });
    expect(hiding([repeated, hidden, unhidden], ...orders)).toEqual({
      'portal.orderCards.duplicate-order': ['portal.orderCards.digital-on'],
    });
    const once = { ...repeated, checks: repeated.checks.map((one) => ({ ...one, exchanges: ['x00001'] })) };
    expect(hiding([once, hidden], orders[0]!)).toEqual({ 'portal.orderCards.duplicate-order': [] });
    // That is too small for a run on any target.
    expect(hidingWith({ 'max-orders': '10' }, [repeated, hidden], ...orders)).toEqual({
      'portal.orderCards.duplicate-order': [],
    });
  });
});

describe('failures are one cause', () => {
  const firstsOf = (all: RequirementResult[], ...exchanges: Exchange[]) =>
    causes(all, [], evidenceOf(...exchanges)).map(({ requirements }) => idsOf(requirements).join(' '));

  test('where the same exchange shows the same difference', () => {
    const shown = {
      shownBy: 'x00001',
      exchanges: ['x00001'],
      difference: { expected: '200 cents', actual: '400 cents' },
    };
    const two = [
      failed('cards.transfer.moves-amount', 'not moved exactly', shown),
      failed('cards.transfer.conserves-money', 'destroys money', shown),
      failed('cards.transfer.claims-truly', 'claims', { ...shown, difference: { expected: 'a', actual: 'b' } }),
    ];
    expect(firstsOf(two, about('x00001', 'cards.transfer', 200))).toEqual([
      'cards.transfer.moves-amount cards.transfer.conserves-money',
      'cards.transfer.claims-truly',
    ]);
  });

  test('where what is looked for is nowhere in the bodies, which a requirement of their own says', () => {
    const searches = ['x00001', 'x00002'].map((id) => about(id, 'users.list', 200, {}, 'users.list.entries-present'));
    const [one, other] = ['filter-name', 'filter-parent'].map((name, index) =>
      failed(`users.list.${name}`, `${name} is not found`, { exchanges: [searches[index]!.id] }),
    );
    const [cause, ...others] = causes([one!, other!], [], evidenceOf(...searches));
    expect(others).toEqual([]);
    expect(cause).toMatchObject({
      requirements: [one, other],
      rests: { id: 'users.list.entries-present', message: 'users.list.entries-present is broken' },
    });
  });

  test('where cards of others are found in a state, which the operation that leads there names', () => {
    const found = (id: string, operation: string) =>
      failed(id, `after ${operation}`, {
        exchanges: ['x00001', 'x00002'],
        difference: { expected: 'no change', actual: 'another card, which was Active, is Lost' },
      });
    const all = [
      found('cards.setPin.nothing-else', 'cards.setPin'),
      found('cards.markLost.nothing-else', 'cards.markLost'),
      failed('cards.get.identifier', 'another card'),
    ];
    const read = [
      about('x00001', 'cards.markLost', 200),
      about('x00002', 'cards.get', 200, { response: answer(200, { status: 'Lost' }) }),
    ];
    expect(firstsOf(all, ...read)).toEqual([
      'cards.markLost.nothing-else cards.setPin.nothing-else',
      'cards.get.identifier',
    ]);
    expect(causes(all, [], evidenceOf(...read))[0]!.message).toBe('after cards.markLost');
  });

  test('where a card is left in a state by an operation that does so to others, too', () => {
    const state = { expected: 'not Active', actual: 'Active', pointer: '/status' };
    const shown = { exchanges: ['x00001', 'x00002', 'x00003'], shownBy: 'x00003', difference: state };
    const all = [
      failed('cards.close.stays-closed', 'a closed card is Active', shown),
      failed('cards.unsuspend.leaves-others', 'an unused card is Active', {
        difference: state,
        exchanges: ['x00004', 'x00005'],
      }),
    ];
    const read = [
      about('x00001', 'cards.close', 200),
      about('x00002', 'cards.unsuspend', 200),
      about('x00003', 'cards.get', 200),
      about('x00004', 'cards.unsuspend', 200, { check: 'another' }),
      about('x00005', 'cards.get', 200, { check: 'another' }),
    ];
    expect(firstsOf(all, ...read)).toEqual(['cards.unsuspend.leaves-others cards.close.stays-closed']);
    expect(firstsOf(all, ...read.filter(({ id }) => id !== 'x00002'))).toHaveLength(2);
  });

  test('where one operation refuses in the same words and by the same wrong status', () => {
    const refused = (number: number, body: object) =>
      about(`x0000${number}`, 'portal.login', 404, { intent: 'unauthorised', response: answer(404, body) });
    const all = ['wrong-password', 'unknown-login-id', 'required-parameters'].map((name, index) =>
      failed(`portal.login.${name}`, `${name} is refused with status 404`, {
        exchanges: [`x0000${index + 1}`],
        difference: { expected: index === 0 ? '400 or 403' : '400', actual: '404' },
      }),
    );
    const read = [refused(1, { why: 'no such user' }), refused(2, { why: 'no such user' }), refused(3, { why: 'odd' })];
    expect(firstsOf(all, ...read)).toEqual([
      'portal.login.wrong-password portal.login.unknown-login-id',
      'portal.login.required-parameters',
    ]);
  });

  test('where a search by several filters shows what either excludes, whichever they are', () => {
    const searches = ['programIdentifier', 'orderIdentifier'].map((name, index) => {
      const request = {
        method: 'GET',
        url: `https://api.example/?${name}=none&max=9&customerIdentifier=c`,
        headers: {},
        body: null,
      };
      return about(`x0000${index + 1}`, 'cards.list', 200, { request });
    });
    const all = ['programIdentifier', 'orderIdentifier'].map((name, index) =>
      failed(`cards.list.filter-${name[0]}`, `a card is found by ${name} beside customerIdentifier`, {
        exchanges: [`x0000${index + 1}`],
      }),
    );
    expect(firstsOf(all, ...searches)).toEqual(['cards.list.filter-p cards.list.filter-o']);
  });

  test('where a request is refused with fewer of its parameters, too', () => {
    const search = (number: number, query: string) => {
      const request = { method: 'GET', url: `https://api.example/cards?${query}`, headers: {}, body: null };
      return about(`x0000${number}`, 'cards.list', 400, { request, intent: 'valid' });
    };
    const all = ['filter-order', 'max-accepted', 'filter-program'].map((name, index) =>
      failed(`cards.list.${name}`, `refused: ${name}`, { exchanges: [`x0000${index + 1}`] }),
    );
    const read = [search(1, 'orderIdentifier=o&max=1'), search(2, 'max=1'), search(3, 'programIdentifier=p&max=2')];
    expect(firstsOf(all, ...read)).toEqual([
      'cards.list.max-accepted cards.list.filter-order',
      'cards.list.filter-program',
    ]);
  });

  test('where an operation answers 500, and by that alone breaks its own status, whatever others answer', () => {
    const all = [
      failed('users.get.status', 'answered with status 500', { exchanges: ['x00001'] }),
      failed('cards.get.status', 'answered with status 500', { exchanges: ['x00002'] }),
      failed('cards.get.required-only', 'refused', { exchanges: ['x00002'] }),
    ];
    const read = [about('x00001', 'users.get', 500), about('x00002', 'cards.get', 500)];
    expect(firstsOf(all, ...read)).toEqual(['users.get.status', 'cards.get.required-only cards.get.status']);
  });

  test('where an operation needs no token, and so takes an expired one, which others take by themselves', () => {
    const request = { method: 'GET', url: 'https://api.example/', headers: {}, body: null };
    const all = [
      failed('cards.get.requires-token', 'accepted', { exchanges: ['x00001'] }),
      failed('cards.get.requires-live-token', 'accepted', { exchanges: ['x00002'] }),
      failed('users.get.requires-live-token', 'accepted', { exchanges: ['x00003'] }),
    ];
    const read = [
      about('x00001', 'cards.get', 200, { request }),
      about('x00002', 'cards.get', 200),
      about('x00003', 'users.get', 200),
    ];
    expect(firstsOf(all, ...read)).toEqual([
      'cards.get.requires-token cards.get.requires-live-token',
      'users.get.requires-live-token',
    ]);
  });

  test('where one operation takes an ended session, which the logout then does not end', () => {
    const all = [
      failed('portal.logout.ends-session', 'served after logout'),
      failed('portal.getCIPCheck.requires-session', 'served after logout'),
    ];
    expect(firstsOf(all)).toEqual(['portal.getCIPCheck.requires-session portal.logout.ends-session']);
    const both = [...all, failed('portal.getATMLocation.requires-session', 'served after logout')];
    expect(firstsOf(both)[0]).toMatch(/^portal\.logout\.ends-session /);
  });

  test('but not where some are let in, and others refused in a wrong way', () => {
    const all = [
      failed('cards.get.foreign', 'refused, but discloses', { exchanges: ['x00001'] }),
      failed('cards.close.foreign', 'accepted', { exchanges: ['x00002'] }),
    ];
    const read = [about('x00001', 'cards.get', 403), about('x00002', 'cards.close', 200)];
    expect(firstsOf(all, ...read)).toHaveLength(2);
  });
});
