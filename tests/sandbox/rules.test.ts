import { expect, test } from 'vitest';
import { orderFor, start } from './client.ts';

const card = (identifier: string, operation: string) => `/cards/cards/${identifier}/${operation}`;

test('a refusal that is not enforced lets the call go on', async () => {
  const client = await start({
    rules: { enforces: (refusal) => refusal.kind !== 'token' && refusal.kind !== 'foreign' },
  });
  const { active, foreign } = client.fixtures.cards;
  const none = { authorization: '' };
  expect((await client.v3('POST', card(active[0], 'suspend'), undefined, none)).status).toBe(200);
  expect((await client.v3('GET', card(foreign[0], 'balance'), undefined, none)).body.balance).toBe(200);
});

test('an unknown card that is let through is an invented one', async () => {
  const client = await start({ rules: { enforces: (refusal) => refusal.kind !== 'unknown' } });
  expect((await client.v3('GET', '/cards/cards/nobody')).body.identifier).toBe('nobody');
});

test('a refused call may have its effect, and an accepted one none', async () => {
  const client = await start({
    rules: {
      refusedStillTakesEffect: (refusal) => refusal.kind === 'token',
      takesEffect: (operation) => operation !== 'cards.close',
    },
  });
  const { active, disposable } = client.fixtures.cards;
  expect((await client.v3('POST', card(active[0], 'suspend'), undefined, { authorization: '' })).status).toBe(401);
  expect((await client.v3('GET', `/cards/cards/${active[0]}`)).body.status).toBe('Suspended');
  expect((await client.v3('POST', card(disposable[0], 'close'))).status).toBe(200);
  expect((await client.v3('GET', `/cards/cards/${disposable[0]}`)).body.status).toBe('Active');
});

test('an effect may come later, and the stored record lag', async () => {
  const client = await start({
    rules: {
      effectDelayMs: (operation) => (operation === 'cards.suspend' ? 40_000 : 0),
      recordFollows: (operation) => operation === 'cards.getStatus',
    },
  });
  const [first] = client.fixtures.cards.active;
  const shown = async () => (await client.v3('GET', `/cards/cards/${first}`)).body;
  await client.v3('POST', card(first, 'suspend'));
  expect(await shown()).toMatchObject({ status: 'Active', isRefreshing: true });
  client.sandbox.advance(60);
  expect(await shown()).toMatchObject({ status: 'Active', isRefreshing: false });
  await client.v3('GET', card(first, 'status'));
  expect(await shown()).toMatchObject({ status: 'Suspended' });
});

test('a token may be judged last', async () => {
  const client = await start({ rules: { judgesTokenLast: () => true } });
  const before = client.sandbox.state();
  const none = { authorization: '' };
  expect(
    (await client.v3('POST', card('00000000-0000-4000-a000-000000000000', 'suspend'), undefined, none)).status,
  ).toBe(404);
  expect((await client.v3('POST', card(client.fixtures.cards.active[0], 'suspend'), undefined, none)).status).toBe(401);
  expect((await client.v3('GET', '/users/customers', undefined, none)).status).toBe(401);
  expect(client.sandbox.state()).toEqual(before);
});

test('a transfer may be refused with 200, or make money', async () => {
  const client = await start({
    rules: {
      transferRefusalStyle: () => '200-with-error-code',
      transferCredit: (cents) => cents * 2,
    },
  });
  const [from, to] = client.fixtures.cards.active;
  const send = (amount: number) => client.v3('POST', card(from, 'transfer'), { targetCardIdentifier: to, amount });
  expect(await send(1_000_000)).toMatchObject({ status: 200, body: { errorCode: 'funds', status: 'Failed' } });
  const before = await client.balance(to);
  expect((await send(1)).status).toBe(200);
  expect(await client.balance(to)).toBe(before + 2);
});

test('required becomes optional, and optional required', async () => {
  const client = await start({
    rules: { requires: (_operation, name, byDefault) => (name === 'ssn' ? true : name === 'city' ? false : byDefault) },
  });
  const { pass } = client.fixtures.portal.cip;
  const check = (change: object) => client.portal('POST', 'getCIPCheck', {}, { ...pass, ...change });
  expect((await check({ city: undefined })).status).toBe(200);
  expect((await check({ ssn: undefined })).status).toBe(400);
});

test('each member that is let through when absent leaves an order that is taken', async () => {
  const client = await start({ rules: { enforces: (refusal) => refusal.kind !== 'missing-member' } });
  const base = orderFor(client, 'personalized', 'Personalized Payroll Order');
  for (const name of Object.keys(base)) {
    expect((await client.portal('POST', 'orderCards', {}, { ...base, [name]: undefined })).status, name).toBe(200);
  }
});

test('pages may overlap, listings show foreign things, and busy answers come first', async () => {
  const client = await start({
    rules: {
      pageWindow: ({ from }, byDefault) => ({ ...byDefault, from: Math.max(from - 1, 0) }),
      listsForeign: () => true,
      unavailable: ({ operation, callNumber }) =>
        operation === 'users.list' && callNumber === 1
          ? { status: 429, headers: { 'retry-after': '0' }, body: undefined }
          : undefined,
    },
  });
  expect(await client.v3('GET', '/users/customers?max=2')).toMatchObject({ status: 429, text: '' });
  const first = (await client.v3('GET', '/users/customers?max=2')).body;
  const second = (await client.v3('GET', `/users/customers?max=2&token=${first.continuationToken}`)).body;
  expect(second.results[0]).toEqual(first.results[1]);
  const { results } = (await client.v3('GET', '/cards/cards')).body;
  expect(results.map((shown: { identifier: string }) => shown.identifier)).toContain(client.fixtures.cards.foreign[0]);
});

test('a repeated order may be answered as the first', async () => {
  const client = await start({ rules: { duplicateOrders: 'repeat' } });
  const body = { ...orderFor(client, 'personalized', 'Personalized Payroll Order'), externalIdentifier: 'same' };
  const first = await client.portal('POST', 'orderCards', {}, body);
  expect((await client.portal('POST', 'orderCards', {}, body)).text).toBe(first.text);
  expect((client.sandbox.state() as { orders: unknown[] }).orders).toHaveLength(1);
});
