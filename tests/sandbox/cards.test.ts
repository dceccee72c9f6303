import { expect, test } from 'vitest';
import { type Client, start } from './client.ts';

const path = (card: string, operation = '') => `/cards/cards/${card}${operation && `/${operation}`}`;
const statusOf = async (client: Client, card: string) => (await client.v3('GET', path(card))).body.status;

test('a listing shows 50 cards, or as many as asked', async () => {
  const client = await start();
  const count = async (query: string) => (await client.v3('GET', `/cards/cards?${query}`)).body.results.length;
  expect(await count('')).toBe(50);
  expect(await count('max=50')).toBe(50);
  expect(await count('max=3')).toBe(3);
  expect(await count('max=51')).toBe(51);
  expect((await client.v3('GET', '/cards/cards?max=abc')).status).toBe(400);
});

test.each(['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'])(
  '%s narrows the listing',
  async (name) => {
    const client = await start();
    const all = (await client.v3('GET', '/cards/cards?max=1000')).body.results;
    const value = client.fixtures.cards.filters[name];
    const { results } = (await client.v3('GET', `/cards/cards?max=1000&${name}=${value}`)).body;
    expect(results.length).toBeGreaterThan(0);
    expect(results.length).toBeLessThan(all.length);
    for (const card of results) if (card[name] !== undefined) expect(card[name]).toBe(value);
    expect((await client.v3('GET', `/cards/cards?${name}=unknown`)).body.results).toEqual([]);
  },
);

test('a card is found by identifier, temporary token and proxy', async () => {
  const client = await start();
  const { byProxy, withRelated } = client.fixtures.cards;
  const { status, body } = await client.v3('GET', path(withRelated, 'token'));
  expect(status).toBe(201);
  expect((await client.v3('GET', `${path(body.token)}?byToken=true`)).body.identifier).toBe(withRelated);
  expect((await client.v3('GET', path(body.token))).status).toBe(400);
  const proxy = (query: string) => client.v3('GET', `${path(byProxy.proxyNumber)}?byProxy=true${query}`);
  const { programIdentifier: program, isDigital } = byProxy;
  expect((await proxy(`&programIdentifier=${program}&isDigital=${isDigital}`)).body.identifier).toBe(
    byProxy.identifier,
  );
  for (const query of [
    '',
    `&programIdentifier=${program}`,
    `&isDigital=${isDigital}`,
    `&programIdentifier=none&isDigital=${isDigital}`,
  ]) {
    expect((await proxy(query)).status, query).toBe(400);
  }
  expect((await client.v3('GET', path(withRelated, 'related'))).body.results.length).toBeGreaterThan(0);
});

test('states follow the operations', async () => {
  const client = await start();
  const { active, unused, fraud, disposable } = client.fixtures.cards;
  const steps = [
    [active[0], 'suspend', 'Suspended'],
    [active[0], 'unsuspend', 'Active'],
    [unused[0], 'activate', 'Active'],
    [fraud[0], 'unmarkfraud', 'Active'],
    [disposable[0], 'marklost', 'Lost'],
    [disposable[1], 'close', 'Closed'],
  ] as const;
  for (const [card, operation, status] of steps) {
    expect(await client.v3('POST', path(card, operation))).toMatchObject({ status: 200, text: '' });
    expect((await client.v3('GET', path(card, 'status'))).body.status).toBeTypeOf('number');
    expect(await statusOf(client, card)).toBe(status);
    expect((await client.v3('POST', path(card, operation))).status).toBe(409);
  }
});

test('wallet provisioning, reissue, PIN and encryption answer as documented', async () => {
  const client = await start();
  const card = client.fixtures.cards.disposable[0];
  expect(await client.v3('POST', path(card, 'wallet-provisioned'))).toMatchObject({ status: 201, text: '' });
  expect((await client.v3('GET', path(card))).body).toMatchObject({ isProvisionedToWallet: true });
  expect(await client.v3('POST', path(card, 'reissue'), { externalIdentifier: 'r1' })).toMatchObject({
    status: 200,
    text: '',
  });
  expect(await client.v3('POST', path(card, 'pin'), { pin: '4711' })).toMatchObject({ status: 200, text: '' });
  for (const body of [{}, { nonce: 'once' }]) {
    const { status, body: payload } = await client.v3('POST', path(card, 'encrypt-for-vde'), body);
    expect(status).toBe(201);
    expect(payload.encryptedPayload).toBeTypeOf('string');
  }
  for (const operation of ['reissue', 'pin', 'transfer']) {
    expect((await client.v3('POST', path(card, operation))).status).toBe(400);
    const typed = { 'content-type': 'application/json' };
    expect((await client.v3('POST', path(card, operation), '', typed)).status).toBe(400);
  }
});

test('a body shows every documented member of a card', async () => {
  const client = await start();
  const { results } = (await client.v3('GET', '/cards/cards?max=1000')).body;
  const seen = new Set(results.flatMap((card: object) => Object.keys(card)));
  expect(seen.size).toBe(17);
  expect(results.some((card: { cardholder?: object }) => card.cardholder === undefined)).toBe(true);
  expect(new Set(results.map((card: { status: string }) => card.status)).size).toBe(7);
});

test('the listed-only operations exist', async () => {
  const client = await start();
  const card = client.fixtures.cards.disposable[0];
  expect((await client.v3('GET', path(card, 'resync'))).status).toBe(200);
  expect((await client.v3('POST', path(card, 'replace'))).status).toBe(200);
  const { results } = (await client.v3('GET', '/cards/cardholders')).body;
  const holder = `/cards/cardholders/${results[0].identifier}`;
  expect((await client.v3('PUT', holder, { firstName: 'Maxine' })).body.firstName).toBe('Maxine');
  expect((await client.v3('GET', holder)).body.firstName).toBe('Maxine');
  expect((await client.v3('GET', `${holder}/cards`)).body.results.length).toBeGreaterThan(0);
});
