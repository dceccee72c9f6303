import { describe, expect, test } from 'vitest';
import { causes, findings, fingerprint, fingerprints } from '../../reports/causes.ts';
import { check, conformance, everyVerdict, requirement } from './record-builder.ts';

const failed = (message: string, over = {}) => check('failed', { message, ...over });

describe('the fingerprint of a failure', () => {
  const of = (message: string, actual = '', pointer?: string, id = 'cards.get.identifier') =>
    fingerprint(requirement(id, []), {
      message,
      difference: { expected: 'the card asked for', actual, ...(pointer && { pointer }) },
    });

  test.each([
    ['identifiers', 'card c-1001 came back', 'card c-77a2 came back'],
    ['UUIDs', 'card 0b54c8a5-6f0e-4b6a-8a27-7c2b8a4f3c11', 'card 5c0e9a1f-1111-4b6a-9a27-000000000000'],
    ['times', 'at 2025-01-01T03:00:00.123Z', 'at 2026-11-30T23:59:59Z'],
    ['HTTP dates', 'Date: Tue, 01 Apr 2025 10:00:00 GMT', 'Date: Wed, 12 Nov 2025 11:01:10 GMT'],
    ['amounts', 'the balance fell by 10.00', 'the balance fell by 9.5'],
    ['numbers of items', '51 results', '137 results'],
  ])('is the same whatever the %s', (_, one, other) => expect(of(one)).toBe(of(other)));

  test('is the same whatever value of a type comes', () => {
    expect(of('wrong', '"c-1"', '/identifier')).toBe(of('wrong', '"other"', '/identifier'));
    expect(of('wrong', '250', '/results/3/balance')).toBe(of('wrong', '100', '/results/12/balance'));
  });

  test.each([
    ['statuses', of('answered 200'), of('answered 500')],
    ['statuses in words', of('the status is 200'), of('the status is 404')],
    ['actual statuses', of('wrong', '200'), of('wrong', '500')],
    ['types', of('wrong', '"1"'), of('wrong', '1')],
    ['members', of('wrong', '1', '/planId'), of('wrong', '1', '/status')],
    ['messages', of('another card'), of('no card')],
    ['requirements', of('x', '', '', 'cards.get.a'), of('x', '', '', 'cards.get.b')],
  ])('tells %s apart', (_, one, other) => expect(one).not.toBe(other));

  test('is twelve hexadecimal digits, one for each way in which a requirement fails', () => {
    const both = requirement('cards.get.shape', [
      failed('answered 500'),
      failed('a 7'),
      failed('a 8'),
      check('passed'),
    ]);
    expect(fingerprints(both)).toHaveLength(2);
    expect(fingerprints(both).join()).toMatch(/^[0-9a-f]{12},[0-9a-f]{12}$/);
  });
});

test('what guards all operations is one cause, however its failure shows, and comes before fewer, worse ones', () => {
  const guarded = ['users.list', 'users.get', 'cards.list', 'cards.get', 'cards.setPin'];
  const requirements = [
    requirement('token.issue.ends-after-60-minutes', [failed('a token is accepted after 61 minutes')]),
    ...guarded.map((operation, n) =>
      requirement(`${operation}.requires-live-token`, [failed(`accepted with status 20${n}`)]),
    ),
    requirement('cards.get.foreign', [failed('a foreign card is shown')]),
    requirement('cards.get.requires-token', [failed('accepted with status 200')]),
  ];
  const { failures } = findings(conformance(requirements));
  expect(failures.map(({ requirements }) => [requirements[0]!.id, requirements.length])).toEqual([
    ['token.issue.ends-after-60-minutes', 6],
    ['cards.get.foreign', 1],
    ['cards.get.requires-token', 1],
  ]);
});

test('what else a body breaks is told with its finding, and makes the failure another one', () => {
  const further = [{ message: 'the body at /b must be a string', times: 2, example: 'x00007' }];
  const [both, one] = [{ further }, {}].map((over) =>
    requirement('cards.get.shape', [failed('the body at /a must be a string', over)]),
  );
  expect(causes([both!])[0]!.further).toEqual(['the body at /b must be a string (2 exchanges, such as x00007)']);
  expect(fingerprints(both!)).toHaveLength(2);
  expect(fingerprints(both!)).toEqual(expect.arrayContaining(fingerprints(one!)));
});

test('an operation that is not there is one cause, and no advice', () => {
  const requirements = [
    requirement('cards.setPin.required-only', [failed('answered 404')]),
    requirement('cards.setPin.missing-body', [failed('the status is 404')]),
    requirement('cards.setPin.pin-not-echoed', [failed('answered 404')], { level: 'should' }),
    requirement('cards.get.required-only', [failed('answered 404')]),
  ];
  const record = conformance(requirements, { run: { absent: [{ operation: 'cards.setPin', status: 404 }] } });
  const { failures, advice } = findings(record);
  expect(failures.map(({ requirements }) => requirements.map(({ id }) => id))).toEqual([
    ['cards.setPin.required-only', 'cards.setPin.missing-body'],
    ['cards.get.required-only'],
  ]);
  expect(failures[0]!.message).toContain('TARGET_OPERATIONS=-cards.setPin');
  expect(advice).toEqual([]);
});

describe('causes', () => {
  test('are one for the same statement broken in the same way by several operations and requests', () => {
    const open = (operation: string, number: number) =>
      requirement(`${operation}.requires-token`, [
        failed(`${operation} answered 200 without a token`, { exchanges: [`x${number}`] }),
        failed(`${operation} answered 200 without a token`, { name: 'other scheme', exchanges: [`x${number}`, 'y'] }),
      ]);
    const found = causes([open('cards.suspend', 1), open('cards.close', 2)]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      exchanges: ['x1', 'y', 'x2'],
      message: 'cards.suspend answered 200 without a token',
    });
    expect(found[0]?.requirements.map(({ id }) => id)).toEqual([
      'cards.suspend.requires-token',
      'cards.close.requires-token',
    ]);
  });

  test('of different statements are not one', () => {
    const found = causes([
      requirement('cards.get.shape', [failed('no')]),
      requirement('cards.get.status', [failed('no')]),
    ]);
    expect(found).toHaveLength(2);
  });

  test('of a requirement that failed without a failed check are its reason', () => {
    const found = causes([requirement('cards.get.shape', [], { verdict: 'failed', reason: 'because' })]);
    expect(found).toMatchObject([{ message: 'because', exchanges: [] }]);
  });
});

test('findings tell failures, known ones, outdated ones and advice apart', () => {
  const { failures, known, outdated, advice } = findings(conformance(everyVerdict()));
  const ids = (list: { requirements: { id: string }[] }[]) =>
    list.flatMap(({ requirements }) => requirements.map(({ id }) => id));
  expect(ids(failures)).toEqual(['cards.suspend.requires-token', 'cards.list.max-abc']);
  expect(known.map(({ id }) => id)).toEqual(['cards.get.identifier']);
  expect(outdated.map(({ id }) => id)).toEqual(['cards.get.shape', 'cards.list.max-abc']);
  expect(ids(advice)).toEqual(['token.issue.no-store']);
});

test('what could not be seen is attributed to the failure that most of what it looked at shows', () => {
  const failed = (id: string, exchanges: string[]) => requirement(id, [check('failed', { message: id, exchanges })]);
  const balance = failed('cards.getBalance.shape', ['x00002', 'x00003']);
  const errors = failed('users.list.error-shape', ['x00001']);
  const hidden = requirement('cards.transfer.shape', [
    check('inconclusive', { exchanges: ['x00001', 'x00002', 'x00003'] }),
  ]);
  const { failures } = findings(conformance([errors, balance, hidden]));
  const unseenBy = Object.fromEntries(failures.map((one) => [one.requirements[0]!.id, one.unseen.map(({ id }) => id)]));
  expect(unseenBy).toEqual({ 'users.list.error-shape': [], 'cards.getBalance.shape': ['cards.transfer.shape'] });
});
