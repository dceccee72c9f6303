import { expect, test } from 'vitest';
import { start } from './client.ts';

test('login refuses what is missing and what is wrong', async () => {
  const client = await start();
  const loginID = client.sandbox.environment.TARGET_PORTAL_LOGIN_ID;
  const login = (query: object) => client.portal('POST', 'login', { sessionId: undefined, ...query });
  for (const query of [
    {},
    { loginID },
    { password: 'x' },
    { loginID, password: 'x' },
    { loginID: 'x', password: 'x' },
  ]) {
    expect((await login(query)).status, JSON.stringify(query)).toBe(400);
  }
});

test('a user who is not entitled gets 401', async () => {
  const client = await start();
  const { loginID, password, forbiddenOperation } = client.fixtures.portal.restrictedLogin;
  const { sessionId } = (await client.portal('POST', 'login', { loginID, password })).body;
  expect((await client.portal('GET', forbiddenOperation, { sessionId })).status).toBe(401);
  expect((await client.portal('GET', 'getShippingMethods', { sessionId })).status).toBe(200);
});

test('a hierarchy holds the customer, those below it and its parent', async () => {
  const client = await start();
  const { customerId, foreignCustomerId } = client.fixtures.portal;
  const { items } = (await client.portal('GET', 'getCustomerHierarchy', { customerId })).body;
  const self = items.find((item: { customerId: number }) => item.customerId === customerId);
  const ids = new Set(items.map((item: { customerId: number }) => item.customerId));
  expect(ids.has(self.parentId)).toBe(true);
  for (const item of items) {
    if (item.customerId !== self.parentId) expect(ids.has(item.parentId)).toBe(true);
    expect(item.ein).toMatch(/^\d{2}-?\d{7}$/);
  }
  const list = (await client.portal('GET', 'getCustomerList')).body.items;
  expect(list.length).toBe(items.length - 1);
  for (const asked of [foreignCustomerId, 1, 'abc', undefined]) {
    expect([400, 401]).toContain((await client.portal('GET', 'getCustomerHierarchy', { customerId: asked })).status);
  }
});

test('programs are chosen by the two flags', async () => {
  const client = await start();
  const { customerId, foreignCustomerId, programs } = client.fixtures.portal;
  const list = (query: object) =>
    client.portal('GET', 'getCustomerProgramList', { customerId, showAutoCreated: true, showBranded: true, ...query });
  const rows = (reply: { body: { items: { rowId: number }[] } }) => reply.body.items.map((item) => item.rowId);
  const all = rows(await list({}));
  expect(all).toEqual(expect.arrayContaining(Object.values(programs)));
  expect(rows(await list({ showAutoCreated: false }))).not.toContain(programs.digitalOff);
  expect(rows(await list({ showBranded: false }))).not.toContain(programs.other);
  for (const name of ['customerId', 'showAutoCreated', 'showBranded']) {
    expect((await list({ [name]: undefined })).status).toBe(400);
    expect((await list({ [name]: 'abc' })).status).toBe(400);
  }
  for (const unknown of [1, foreignCustomerId]) expect((await list({ customerId: unknown })).status).toBe(404);
});

test('ATM locations and shipping options answer JSON', async () => {
  const client = await start();
  const query = { ...client.fixtures.portal.atm, pageOffset: 0, pageLength: 5 };
  expect((await client.portal('GET', 'getATMLocation', query)).body.items).toHaveLength(5);
  for (const name of Object.keys(query)) {
    expect((await client.portal('GET', 'getATMLocation', { ...query, [name]: undefined })).status).toBe(400);
    expect((await client.portal('GET', 'getATMLocation', { ...query, [name]: 'abc' })).status).toBe(400);
  }
  expect((await client.portal('GET', 'getShippingMethods')).body.items).toContain('Ground');
  expect((await client.portal('GET', 'getShippingFeeTypes')).body.items.length).toBeGreaterThan(0);
});
