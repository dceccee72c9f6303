import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admitted, type Client } from './client.ts';
import { orderFor } from './fixtures.ts';
import { type SecondTarget, startSecondTarget } from './index.ts';

let target: SecondTarget;
let client: Client;
// biome-ignore lint/suspicious/noExplicitAny: the fixtures are of many shapes
let portal: any;

beforeAll(async () => {
  target = await startSecondTarget();
  client = await admitted(target);
  portal = target.fixtures.portal;
});
afterAll(() => target.close());

test('login and logout', async () => {
  const own = await admitted(target);
  expect((await own.login()).json).toMatchObject({ loginId: target.env.TARGET_PORTAL_LOGIN_ID, userId: 927 });
  expect((await own.portal('POST login', { loginID: 'x', password: 'y' })).status).toBe(400);
  expect((await own.portal('GET getShippingMethods')).status).toBe(200);
  expect(await own.portal('POST logout')).toMatchObject({ status: 200, text: '' });
  expect((await own.portal('GET getShippingMethods')).status).toBe(400);
  expect((await own.portal('POST logout')).status).toBe(400);
});

test('getCustomerList', async () => {
  const { json } = await client.portal('GET getCustomerList');
  expect(json.items.length).toBeGreaterThan(120);
  const { loginID, password } = portal.restrictedLogin;
  const sessionId = (await client.portal('POST login', { loginID, password })).json.sessionId;
  expect((await client.portal('GET getCustomerList', { sessionId })).status).toBe(401);
});

test('getCustomerHierarchy', async () => {
  const { json } = await client.portal('GET getCustomerHierarchy', { customerId: portal.customerId });
  expect(json.items.length).toBeGreaterThan(120);
  const foreign = await client.portal('GET getCustomerHierarchy', { customerId: portal.foreignCustomerId });
  expect(foreign.status).toBe(401);
  expect((await client.portal('GET getCustomerHierarchy', { customerId: 'x' })).status).toBe(400);
});

test('getCIPCheck', async () => {
  const check = async (name: string) => (await client.portal('POST getCIPCheck', {}, portal.cip[name])).json.data;
  expect(await check('pass')).toMatchObject({ summaryResult: 'Pass', questionList: null, diffQuestionList: null });
  expect(await check('fail')).toMatchObject({ summaryResult: 'Fail' });
  expect((await check('partialDifferentiator')).diffQuestionList[0].Options.length).toBeGreaterThan(1);
  expect((await check('partialQuestions')).questionList[0].type).toBe('year');
  const long = { ...portal.cip.pass, address: 'x'.repeat(41) };
  expect((await client.portal('POST getCIPCheck', {}, long)).status).toBe(400);
});

test('shipping', async () => {
  expect((await client.portal('GET getShippingFeeTypes')).status).toBe(200);
  expect((await client.portal('GET getShippingMethods')).json.items).toContain('Mule');
});

test('getCustomerProgramList', async () => {
  const list = async (showAutoCreated: string, showBranded: string) => {
    const query = { customerId: String(portal.customerId), showAutoCreated, showBranded };
    return (await client.portal('GET getCustomerProgramList', query)).json.items;
  };
  for (const auto of ['true', 'false']) {
    const items = [...(await list(auto, 'true')), ...(await list(auto, 'false'))];
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) expect(item.autoCreated).toBe(auto === 'true');
  }
  expect((await client.portal('GET getCustomerProgramList', { customerId: '1' })).status).toBe(400);
});

test('getATMLocation', async () => {
  const query = { ...portal.atm, pageLength: '10' };
  const first = await client.portal('GET getATMLocation', { ...query, pageOffset: '0' });
  const second = await client.portal('GET getATMLocation', { ...query, pageOffset: '10' });
  expect(first.json.machines).toHaveLength(10);
  expect(second.json.machines[0]).not.toEqual(first.json.machines[0]);
  expect((await client.portal('GET getATMLocation', { ...query, pageOffset: '-1' })).status).toBe(400);
});

describe('orderCards', () => {
  const order = (body: object) => client.portal('POST orderCards', {}, JSON.parse(JSON.stringify(body)));
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the order that is made
  const made = (program: number, more = {}): any => {
    const known = { load: false, otherInfoRequired: false, duplicateLoadChecker: false };
    const whole = { ...known, rowId: program, customer: { v1Id: portal.customerId } };
    return { ...orderFor(whole as never, 'Personalized Payroll Order'), ...more };
  };

  test('a proxy for one card, an order id for several', async () => {
    const one = made(portal.programs.personalized);
    expect((await order(one)).json.instant.proxy).toEqual(expect.any(String));
    const two = { ...one, orderDetails: [...one.orderDetails, ...one.orderDetails] };
    expect((await order(two)).json.orderId).toEqual(expect.any(Number));
    expect((await order(portal.programs.instantIssue.order)).json.orderId).toEqual(expect.any(Number));
    expect((await order({ ...one, orderProdType: 'Cake' })).status).toBe(400);
    expect((await order({ ...one, attn: undefined })).status).toBe(400);
  });

  test('duplicate orders, per program', async () => {
    const marked = { externalIdentifier: 'unique %_' };
    expect((await order(made(portal.programs.personalized, marked))).status).toBe(200);
    expect((await order(made(portal.programs.personalized, marked))).status).toBe(409);
    expect((await order(made(portal.programs.other, marked))).status).toBe(200);
  });

  test('digital cards', async () => {
    expect(
      (await order({ ...portal.programs.digitalOn.order, cardType: 'Digital', shippingMethod: null })).status,
    ).toBe(200);
    expect((await order(made(portal.programs.digitalOff, { cardType: 'Digital' }))).status).toBe(403);
  });

  test('loads', async () => {
    const { order: loaded } = portal.programs.loadOn;
    expect((await order(loaded)).status).toBe(200);
    const off = { ...loaded, custProgId: portal.programs.loadOff, orderProdType: 'Personalized Payroll Order' };
    expect((await order(off)).status).toBe(403);
    const { order: checked } = portal.programs.duplicateLoadChecker;
    expect((await order(checked)).status).toBe(200);
    expect((await order({ ...checked, externalIdentifier: 'another' })).status).toBe(409);
  });

  test('unique other info', async () => {
    const one = made(portal.programs.uniqueOtherInfo);
    const withInfo = { ...one, orderDetails: [{ ...one.orderDetails[0], otherInfo: 'E1' }] };
    expect((await order(one)).status).toBe(400);
    expect((await order(withInfo)).status).toBe(200);
    expect((await order(withInfo)).status).toBe(409);
  });
});
