/** What the portal suites tell from listings and from answers whose shape is not documented. */

import { describe, expect, it } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import { readJson } from '../../helpers/json.ts';
import { secondOrder } from '../../suites/v1/orders/identifiers.ts';
import { ordersWithOneIdentifier, ordersWithOneOtherInfo } from '../../suites/v1/orders/monitors.ts';
import { listed, parentsIn, placesIn } from '../../suites/v1/scenarios/customers.ts';

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
  const shown = (first: string, later: string, others: Answer[] = []) =>
    secondOrder(order(first), order(later), others, 'a second order').shows;

  it('is none when it is refused', () => {
    expect(secondOrder(order('{"orderId":1}'), order('{"orderId":2}', 409), [], 'a second order').shows).toBe('kept');
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
  ])('is none when it is answered with %s', (_, first, later) => expect(shown(first, later)).toBe('kept'));

  it.each([
    ['orderId', '{"orderId":1}', '{"orderId":2}'],
    ['order_id', '{"result":{"order_id":"a"}}', '{"result":{"order_id":"b"}}'],
    ['proxy', '{"instantPersonalizedProxy":"8"}', '{"instantPersonalizedProxy":"9"}'],
    ['id', '{"order":{"id":1}}', '{"order":{"id":2}}'],
    ['orderId, and the same masked proxy', '{"orderId":1,"proxy":"****"}', '{"orderId":2,"proxy":"****"}'],
    ['orderId beyond 2^53', '{"orderId":9007199254740993}', '{"orderId":9007199254740992}'],
  ])('is made when it has another %s', (_, first, later) => expect(shown(first, later)).toBe('contradiction'));

  it.each([
    ['no identifiers', '{"status":"ok"}', '{"status":"ok"}'],
    ['what was sent alone', '{"id":7001}', '{"id":7001}'],
    ['identifiers of the first alone', '{"orderId":1}', '{"status":"Duplicate"}'],
    ['no body', '', ''],
  ])('cannot be told from %s', (_, first, later) => expect(shown(first, later)).toBe('nothing'));

  it('cannot be told where orders that have nothing in common are answered alike', () => {
    const alike = (externalIdentifier: string) =>
      answer('portal.orderCards', '{"orderId":1}', { sent: { ...sent, externalIdentifier } });
    expect(shown('{"orderId":1}', '{"orderId":1}', [alike('order-1')])).toBe('kept');
    expect(shown('{"orderId":1}', '{"orderId":1}', [alike('order-2')])).toBe('nothing');
  });
});

describe('what orders show together', () => {
  const fixtures = { portal: { programs: { uniqueOtherInfo: 7001 } } };
  const at = (sentAt: number, body: string, sent: unknown, status = 200): Answer => ({
    ...answer('portal.orderCards', body, { sent, status }),
    exchange: `x${sentAt}`,
    sentAt,
    answeredAt: sentAt + 2,
  });
  const cards = (...infos: string[]) => ({
    custProgId: 7001,
    orderDetails: infos.map((otherInfo) => ({ otherInfo })),
  });
  const ofOtherInfo = (...history: Answer[]) =>
    [...ordersWithOneOtherInfo(history, { fixtures, settleMs: 0 })].map(({ shows }) => shows);
  const proxies = (...all: string[]) => JSON.stringify({ orderDetails: all.map((proxy) => ({ proxy })) });

  it.each([
    ['the later', proxies('8'), '{"orderId":null}', 'kept'],
    ['the earlier', '{"orderId":null}', proxies('8'), 'kept'],
    ['none', proxies('8'), proxies('9'), 'contradiction'],
    ['the later, which has an orderId alone,', proxies('8'), '{"orderId":2}', 'nothing'],
    ['the earlier, which has an orderId alone,', '{"orderId":2}', proxies('8'), 'nothing'],
  ])('of two for one employee at the same moment, %s may be without a card', (_, one, other, shows) => {
    expect(ofOtherInfo(at(1, one, cards('a')), at(2, other, cards('a')))).toEqual([shows]);
  });

  it.each([
    ['makes no card when it is refused', '', 400, 'kept'],
    ['makes no card when it shows the existing one', proxies('8'), 200, 'kept'],
    ['makes a card when it shows another one', proxies('9'), 200, 'contradiction'],
  ])('a later one for the same employee %s', (_, body, status, shows) => {
    expect(ofOtherInfo(at(1, proxies('8'), cards('a')), at(9, body, cards('a'), status))).toEqual([shows]);
  });

  it('a later one for a new employee, too, makes one card', () => {
    const [first, both] = [at(1, proxies('8'), cards('a')), cards('b', 'a')];
    expect(ofOtherInfo(first, at(9, proxies('9', '8'), both))).toEqual(['kept']);
    expect(ofOtherInfo(first, at(9, proxies('9', '10'), both))).toEqual(['contradiction']);
  });

  it('the same externalIdentifier on another program is another order', () => {
    const order = (sentAt: number, custProgId: number, id: number) =>
      at(sentAt, JSON.stringify({ orderId: id }), { custProgId, externalIdentifier: 'a' });
    const shown = (...history: Answer[]) => [...ordersWithOneIdentifier(history)].map(({ shows }) => shows);
    expect(shown(order(1, 7001, 1), order(9, 7002, 2))).toEqual([]);
    expect(shown(order(1, 7001, 1), order(9, 7001, 2))).toEqual(['contradiction']);
  });
});
