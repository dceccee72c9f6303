/** What the portal suites tell from listings and from answers whose shape is not documented. */
import { describe, expect, it } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import { readJson } from '../../helpers/json.ts';
import type { Run } from '../../helpers/run.ts';
import { Inconclusive, Nonconformance } from '../../helpers/verdict.ts';
import { expectNoSecond, expectOneCard, isRepeated } from '../../suites/v1/orders/identifiers.ts';
import { listed, parentsIn, placesIn } from '../../suites/v1/scenarios/hierarchy.ts';

function answer(
  id: string,
  body: string,
  { status = 200, sent = {} }: { status?: number; sent?: unknown } = {},
): Answer {
  const bytes = Buffer.from(body);
  return {
    exchange: 'x1',
    operation: operation(id),
    input: { json: sent },
    intent: 'valid',
    status,
    headers: {},
    bytes,
    json: bytes.length === 0 ? undefined : readJson(bytes),
    sentAt: 0,
    answeredAt: 0,
    change: undefined,
  };
}

const hierarchy = (body: string) => listed(answer('portal.getCustomerHierarchy', `{"items":${body}}`));

describe('the place of a customer in the hierarchy of 2', () => {
  const family = hierarchy(`[
    {"customerId":2,"parentId":1},
    {"customerId":1,"parentId":9},
    {"customerId":3,"parentId":2},
    {"customerId":4,"parentId":3},
    {"customerId":5,"parentId":1},
    {"customerId":9},
    {"customerId":6},
    {"customerId":7,"parentId":77},
    {"name":"somebody"},
    {"customerId":10,"parentId":11},
    {"customerId":11,"parentId":10}
  ]`);
  const placed = placesIn(family, '2', parentsIn(family));
  const place = (id: number | undefined) => placed.find((one) => one.id === (id && String(id)))!.place;

  it.each([
    [2, 'given'],
    [1, 'parent'],
    [3, 'below'],
    [4, 'below'],
    [5, 'outside'],
    [9, 'outside'],
  ])('customer %i is %s', (id, expected) => expect(place(id)).toBe(expected));

  it.each([6, 7, 10])('customer %i cannot be told, since its chain of parents leads nowhere', (id) =>
    expect(place(id)).toBe('unknown'),
  );

  it('is not known of a customer without customerId', () => {
    expect(place(undefined)).toBe('unknown');
  });

  it('accuses nobody where the parent of the customer asked for is not known', () => {
    const siblings = hierarchy('[{"customerId":2},{"customerId":1},{"customerId":5,"parentId":1}]');
    const places = placesIn(siblings, '2', parentsIn(siblings)).map(({ place }) => place);
    expect(places).toEqual(['given', 'unknown', 'unknown']);
  });

  it('takes 0, negative numbers and the customer itself for no parent', () => {
    const tops = hierarchy(
      '[{"customerId":2,"parentId":0},{"customerId":3,"parentId":-1},{"customerId":4,"parentId":4}]',
    );
    expect(tops.map(({ parent }) => parent)).toEqual([undefined, undefined, undefined]);
  });

  it('tells identifiers apart that a number cannot hold', () => {
    const large = hierarchy('[{"customerId":9007199254740993,"parentId":9007199254740992}]');
    expect(large).toEqual([{ id: '9007199254740993', parent: '9007199254740992' }]);
  });
});

describe('the second of two orders', () => {
  const sent = { custProgId: 7001, customerId: 5001, externalIdentifier: 'order-1' };
  const order = (body: string, status = 200) => answer('portal.orderCards', body, { status, sent });
  const second =
    (first: string, later: string, { status = 200, run = {} as Run } = {}) =>
    () =>
      expectNoSecond(run, order(first), order(later, status), 'order');

  it('is none when it is refused', () => {
    expect(second('{"orderId":1}', '{"orderId":2}', { status: 409 })).not.toThrow();
  });

  it.each([
    ['the same orderId', '{"orderId":1}', '{"orderId":1}'],
    ['the same proxies', '{"cards":[{"proxy":"8"},{"proxy":"9"}]}', '{"cards":[{"proxy":"9"},{"proxy":"8"}]}'],
    ['the same orderId and another requestId', '{"orderId":1,"requestId":"a"}', '{"orderId":1,"requestId":"b"}'],
    ['the same orderId and another time', '{"orderId":1,"orderDate":"1"}', '{"orderId":1,"orderDate":"2"}'],
    ['the same orderId and another id of the answer', '{"orderId":1,"id":"a"}', '{"orderId":1,"id":"b"}'],
    ['the same id', '{"order":{"id":1}}', '{"order":{"id":1}}'],
    ['the same orderId, and the proxy that came meanwhile', '{"orderId":1}', '{"orderId":1,"proxy":"8"}'],
    ['the same orderId, and fewer proxies left', '{"orderId":1,"leftProxies":8}', '{"orderId":1,"leftProxies":7}'],
    ['the same proxy since another time', '{"proxy":"8","proxySince":"1"}', '{"proxy":"8","proxySince":"2"}'],
  ])('is none when it is answered with %s', (_, first, later) => expect(second(first, later)).not.toThrow());

  it.each([
    ['orderId', '{"orderId":1}', '{"orderId":2}'],
    ['order_id', '{"result":{"order_id":"a"}}', '{"result":{"order_id":"b"}}'],
    ['proxy', '{"instantPersonalizedProxy":"8"}', '{"instantPersonalizedProxy":"9"}'],
    ['id', '{"order":{"id":1}}', '{"order":{"id":2}}'],
    ['orderId, and the same masked proxy', '{"orderId":1,"proxy":"****"}', '{"orderId":2,"proxy":"****"}'],
    ['orderId beyond 2^53', '{"orderId":9007199254740993}', '{"orderId":9007199254740992}'],
  ])('is made when it has another %s', (_, first, later) => expect(second(first, later)).toThrow(Nonconformance));

  it.each([
    ['no identifiers', '{"status":"ok"}', '{"status":"ok"}'],
    ['what was sent alone', '{"id":7001}', '{"id":7001}'],
    ['identifiers of the first alone', '{"orderId":1}', '{"status":"Duplicate"}'],
    ['no body', '', ''],
  ])('cannot be told from %s', (_, first, later) => expect(second(first, later)).toThrow(Inconclusive));

  it('cannot be told where orders that have nothing in common are answered alike', () => {
    const run = {} as Run;
    isRepeated(run, order('{"orderId":1}'));
    expect(second('{"orderId":1}', '{"orderId":1}', { run })).not.toThrow();
    isRepeated(run, answer('portal.orderCards', '{"orderId":1}', { sent: { ...sent, externalIdentifier: 'order-2' } }));
    expect(second('{"orderId":1}', '{"orderId":1}', { run })).toThrow(Inconclusive);
  });
});

describe('two orders for a card at the same moment', () => {
  const order = (body: string) => answer('portal.orderCards', body, { sent: { custProgId: 7001 } });
  const made = '{"orderDetails":[{"proxy":"8"}]}';
  const judged = (one: string, other: string) => () => expectOneCard(order(one), order(other), 'order');

  it.each([
    ['the later', made, '{"orderId":null}'],
    ['the earlier', '{"orderId":null}', made],
  ])('may leave %s without', (_which, one, other) => {
    expect(judged(one, other)).not.toThrow();
  });

  it('make one card in all', () => {
    expect(judged(made, '{"orderDetails":[{"proxy":"9"}]}')).toThrow(Nonconformance);
  });

  it.each([
    ['the later', made, '{"orderId":2}'],
    ['the earlier', '{"orderId":2}', made],
  ])('say nothing where %s has an orderId alone', (_which, one, other) => {
    expect(judged(one, other)).toThrow(Inconclusive);
  });
});
