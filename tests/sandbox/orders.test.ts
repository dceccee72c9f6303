import { expect, test } from 'vitest';
import { type Client, orderFor, start } from './client.ts';

const payroll = 'Personalized Payroll Order';
const reward = 'Reloadable-Corporate Reward Order';
const order = (client: Client, body: unknown) => client.portal('POST', 'orderCards', {}, body);
/** The order with its only card changed. */
const withCard = (body: Record<string, unknown>, ...changes: Record<string, unknown>[]) => {
  const [card] = body.orderDetails as object[];
  return { ...body, orderDetails: changes.map((change) => ({ ...card, ...change })) };
};

const types = [
  payroll,
  'Instant Issue Payroll Order',
  reward,
  'Non Reloadable-Corporate Reward Orde',
  'Instant Corporate Reward Order',
  'Direct Order - CORP',
  'Personalized Purchasing Order',
  'Instant Issue Purchase Order',
];

test('each fixture program takes a listed type with nothing but what is required', async () => {
  const client = await start();
  for (const program of Object.keys(client.fixtures.portal.programs)) {
    if (program === 'uniqueOtherInfo') continue;
    const statuses = await Promise.all(
      types.map(async (type) => (await order(client, orderFor(client, program, type))).status),
    );
    expect(statuses, program).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
  }
});

test('one card is answered with a proxy, several with an order id', async () => {
  const client = await start();
  const one = (await order(client, orderFor(client, 'personalized', payroll))).body;
  expect(Object.keys(one).some((name) => /proxy/i.test(name))).toBe(true);
  expect((await order(client, orderFor(client, 'personalized', payroll, 2))).body.orderId).toBeTypeOf('number');
});

test('each required member is missed, at top level and in a card', async () => {
  const client = await start();
  const base = orderFor(client, 'personalized', payroll);
  const before = client.sandbox.state();
  for (const name of Object.keys(base)) {
    expect((await order(client, { ...base, [name]: undefined })).status, name).toBe(400);
  }
  for (const name of ['firstName', 'lastName', 'phone', 'ssn']) {
    expect((await order(client, withCard(base, { [name]: undefined }))).status, name).toBe(400);
  }
  for (const change of [
    { orderProdType: 'Bogus' },
    { orderProdType: 'Non Reloadable-Corporate Reward Order' },
    { cardType: 'Paper' },
    { custProgId: 1 },
    { customerId: client.fixtures.portal.foreignCustomerId },
    { zip: 62_701 },
    { orderDetails: [] },
  ]) {
    expect((await order(client, { ...base, ...change })).status, JSON.stringify(change)).toBe(400);
  }
  expect((await client.portal('POST', 'orderCards')).status).toBe(400);
  expect(client.sandbox.state()).toEqual(before);
});

test('cardType and the program options', async () => {
  const client = await start();
  const base = orderFor(client, 'personalized', payroll);
  for (const cardType of ['', null, 'Physical']) expect((await order(client, { ...base, cardType })).status).toBe(200);
  const digital = { ...orderFor(client, 'digitalOn', reward), cardType: 'Digital' };
  expect((await order(client, digital)).status).toBe(200);
  expect((await order(client, { ...digital, shippingMethod: null })).status).toBe(200);
  expect((await order(client, { ...orderFor(client, 'digitalOff', payroll), cardType: 'Digital' })).status).toBe(400);
  const load = { totalValue: 20, externalIdentifier: 'load-1' };
  expect(
    (await order(client, withCard({ ...orderFor(client, 'loadOn', reward), ...load }, { amount: 20 }))).status,
  ).toBe(200);
  expect(
    (await order(client, withCard({ ...orderFor(client, 'loadOff', payroll), ...load }, { amount: 20 }))).status,
  ).toBe(400);
});

test('duplicates are refused within their program', async () => {
  const client = await start();
  const first = { ...orderFor(client, 'personalized', payroll), externalIdentifier: 'o-1' };
  expect((await order(client, first)).status).toBe(200);
  expect((await order(client, first)).status).toBe(400);
  const elsewhere = { ...orderFor(client, 'other', 'Personalized Purchasing Order'), externalIdentifier: 'o-1' };
  expect((await order(client, elsewhere)).status).toBe(200);

  const unique = orderFor(client, 'uniqueOtherInfo', payroll);
  expect((await order(client, unique)).status).toBe(400);
  expect((await order(client, withCard(unique, { otherInfo: 'e1' }, { otherInfo: 'e1' }))).status).toBe(400);
  expect((await order(client, withCard(unique, { otherInfo: 'e1' }))).status).toBe(200);
  expect((await order(client, withCard(unique, { otherInfo: 'e1' }))).status).toBe(400);

  const load = (orderId: string) =>
    withCard(
      { ...orderFor(client, 'duplicateLoadChecker', reward), totalValue: 5, externalIdentifier: orderId },
      { amount: 5, externalIdentifier: 'card-1' },
    );
  expect((await order(client, load('l-1'))).status).toBe(200);
  expect((await order(client, load('l-2'))).status).toBe(400);
});
