/** What the portal suites tell from listings and from answers whose shape is not documented. */
import { expect, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import { secondOrder } from '../../suites/v1/orders/identifiers.ts';
import { ordersWithOneIdentifier, ordersWithOneOtherInfo } from '../../suites/v1/orders/monitors.ts';
import { listed, parentsIn, placesIn } from '../../suites/v1/scenarios/customers.ts';
import { answerTo } from '../tools/answers.ts';

/** A hierarchy in words: `2<1 5` is customer 2 with the parent 1, and customer 5 without one; `somebody` has no customerId. */
function hierarchy(words: string) {
  const items = words.split(' ').map((one) => {
    const [id, parent] = one.split('<');
    if (id === 'somebody') return '{"name":"somebody"}';
    return parent === undefined ? `{"customerId":${id}}` : `{"customerId":${id},"parentId":${parent}}`;
  });
  return listed(answerTo('portal.getCustomerHierarchy', `{"items":[${items}]}`));
}

test.each([
  ['in a family', '2<1 1<9 3<2 4<3 5<1 9', 'given parent below below outside outside'],
  [
    'whose parents lead nowhere',
    '2<1 1<9 9 6 7<77 10<11 11<10',
    'given parent outside unknown unknown unknown unknown',
  ],
  ['without customerId', '2<1 1 somebody', 'given parent unknown'],
  ['where the parent of 2 is not known', '2 1 5<1', 'given unknown unknown'],
])('places of customers in the hierarchy of 2: %s', (_, words, places) => {
  const family = hierarchy(words);
  expect(placesIn(family, '2', parentsIn(family)).map(({ place }) => place)).toEqual(places.split(' '));
});

test('0, negative numbers and the customer itself are no parents; identifiers are told apart that no number can hold', () => {
  expect(hierarchy('2<0 3<-1 4<4').map(({ parent }) => parent)).toEqual([undefined, undefined, undefined]);
  const large = { id: '9007199254740993', parent: '9007199254740992' };
  expect(hierarchy('9007199254740993<9007199254740992')).toEqual([large]);
});

const SENT = { custProgId: 7001, customerId: 5001, externalIdentifier: 'order-1' };

/** What a second order shows with the answers to both, and to others. */
const shown = (first: string, later: string, status = 200, others: Answer[] = []) => {
  const order = (body: string, of = 200) => answerTo('portal.orderCards', body, { status: of, input: { json: SENT } });
  return secondOrder(order(first), order(later, status), others, 'a second order').shows;
};

test.each([
  ['the same orderId', '{"orderId":1}', '{"orderId":1}', 'kept'],
  ['the same proxies', '{"cards":[{"proxy":"8"},{"proxy":"9"}]}', '{"cards":[{"proxy":"9"},{"proxy":"8"}]}', 'kept'],
  ['another requestId', '{"orderId":1,"requestId":"a"}', '{"orderId":1,"requestId":"b"}', 'kept'],
  ['another time', '{"orderId":1,"orderDate":"1"}', '{"orderId":1,"orderDate":"2"}', 'kept'],
  ['another id of the answer', '{"orderId":1,"id":"a"}', '{"orderId":1,"id":"b"}', 'kept'],
  ['the same id', '{"order":{"id":1}}', '{"order":{"id":1}}', 'kept'],
  ['the proxy that came meanwhile', '{"orderId":1}', '{"orderId":1,"proxy":"8"}', 'kept'],
  ['fewer proxies left', '{"orderId":1,"leftProxies":8}', '{"orderId":1,"leftProxies":7}', 'kept'],
  ['the same proxy since another time', '{"proxy":"8","proxySince":"1"}', '{"proxy":"8","proxySince":"2"}', 'kept'],
  ['another orderId', '{"orderId":1}', '{"orderId":2}', 'contradiction'],
  ['another order_id', '{"result":{"order_id":"a"}}', '{"result":{"order_id":"b"}}', 'contradiction'],
  ['another proxy', '{"instantPersonalizedProxy":"8"}', '{"instantPersonalizedProxy":"9"}', 'contradiction'],
  ['another id', '{"order":{"id":1}}', '{"order":{"id":2}}', 'contradiction'],
  ['the same masked proxy', '{"orderId":1,"proxy":"****"}', '{"orderId":2,"proxy":"****"}', 'contradiction'],
  ['another beyond 2^53', '{"orderId":9007199254740993}', '{"orderId":9007199254740992}', 'contradiction'],
  ['no identifiers', '{"status":"ok"}', '{"status":"ok"}', 'nothing'],
  ['what was sent alone', '{"id":7001}', '{"id":7001}', 'nothing'],
  ['identifiers of the first alone', '{"orderId":1}', '{"status":"Duplicate"}', 'nothing'],
  ['no body', '', '', 'nothing'],
])('a second order that is answered with %s', (_, first, later, shows) => {
  expect(shown(first, later)).toBe(shows);
});

test('a second order is none when it is refused, and cannot be told where orders that have nothing in common are answered alike', () => {
  expect(shown('{"orderId":1}', '{"orderId":2}', 409)).toBe('kept');
  for (const [externalIdentifier, shows] of [
    ['order-1', 'kept'],
    ['order-2', 'nothing'],
  ]) {
    const alike = answerTo('portal.orderCards', '{"orderId":1}', { input: { json: { ...SENT, externalIdentifier } } });
    expect(shown('{"orderId":1}', '{"orderId":1}', 200, [alike])).toBe(shows);
  }
});

const order = (sentAt: number, body: string, json: object, status = 200) =>
  answerTo('portal.orderCards', body, {
    input: { json },
    status,
    exchange: `x${sentAt}`,
    sentAt,
    answeredAt: sentAt + 2,
  });
const forA = { custProgId: 7001, orderDetails: [{ otherInfo: 'a' }] };
const forBoth = { custProgId: 7001, orderDetails: [{ otherInfo: 'b' }, { otherInfo: 'a' }] };
const proxies = (...all: string[]) => JSON.stringify({ orderDetails: all.map((proxy) => ({ proxy })) });
const [EIGHT, NINE, PENDING, ID] = [proxies('8'), proxies('9'), '{"orderId":null}', '{"orderId":2}'];

test.each([
  ['at the same moment may leave the later without a card', order(1, EIGHT, forA), order(2, PENDING, forA), 'kept'],
  ['at the same moment may leave the earlier without a card', order(1, PENDING, forA), order(2, EIGHT, forA), 'kept'],
  ['at the same moment make one card', order(1, EIGHT, forA), order(2, NINE, forA), 'contradiction'],
  ['show nothing where the later has an orderId alone', order(1, EIGHT, forA), order(2, ID, forA), 'nothing'],
  ['show nothing where the earlier has an orderId alone', order(1, ID, forA), order(2, EIGHT, forA), 'nothing'],
  ['make one card where the later is refused', order(1, EIGHT, forA), order(9, '', forA, 400), 'kept'],
  ['make one card where the later shows the same', order(1, EIGHT, forA), order(9, EIGHT, forA), 'kept'],
  ['make two where the later shows another', order(1, EIGHT, forA), order(9, NINE, forA), 'contradiction'],
  ['may have a new employee in the later', order(1, EIGHT, forA), order(9, proxies('9', '8'), forBoth), 'kept'],
  ['make three cards', order(1, EIGHT, forA), order(9, proxies('9', '10'), forBoth), 'contradiction'],
])('two orders for one employee %s', (_, one, other, shows) => {
  const fixtures = { portal: { programs: { uniqueOtherInfo: 7001 } } };
  expect([...ordersWithOneOtherInfo([one, other], { fixtures, settleMs: 0 })]).toMatchObject([{ shows }]);
});

test('the same externalIdentifier on another program is another order', () => {
  const first = order(1, '{"orderId":1}', { custProgId: 7001, externalIdentifier: 'a' });
  const on = (custProgId: number) => order(9, '{"orderId":2}', { custProgId, externalIdentifier: 'a' });
  expect([...ordersWithOneIdentifier([first, on(7002)])]).toEqual([]);
  expect([...ordersWithOneIdentifier([first, on(7001)])]).toMatchObject([{ shows: 'contradiction' }]);
});

test('of two orders at the same moment the refused one may be answered first; one that was over before shows nothing', () => {
  const body = { custProgId: 7001, externalIdentifier: 'a' };
  const refused = order(1, '', body, 409);
  expect([...ordersWithOneIdentifier([refused, order(2, '{"orderId":1}', body)])]).toMatchObject([{ shows: 'kept' }]);
  expect([...ordersWithOneIdentifier([refused, order(9, '{"orderId":1}', body)])]).toEqual([]);
});
