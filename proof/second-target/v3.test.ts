import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admitted, type Client } from './client.ts';
import { type SecondTarget, startSecondTarget } from './index.ts';

let target: SecondTarget;
let client: Client;
// biome-ignore lint/suspicious/noExplicitAny: the fixtures are of many shapes
let cards: any;
// biome-ignore lint/suspicious/noExplicitAny: the fixtures are of many shapes
let users: any;

beforeAll(async () => {
  target = await startSecondTarget();
  client = await admitted(target);
  ({ cards, users } = target.fixtures);
});
afterAll(() => target.close());

const errors = [expect.objectContaining({ errorMessage: expect.any(String) })];

async function walk(path: string): Promise<{ identifier: string }[]> {
  const all: { identifier: string }[] = [];
  let token = '';
  do {
    const { json } = await client.v3(`GET ${path}${token && `&token=${encodeURIComponent(token)}`}`);
    all.push(...json.results);
    token = json.continuationToken ?? '';
  } while (token);
  return all;
}

describe('token', () => {
  test('issue', async () => {
    const { status, json } = await client.issue();
    expect(status).toBe(200);
    expect(json).toMatchObject({ access_token: expect.any(String), token_type: 'bearer', expires_in: 3600 });
    expect((await client.issue({ client_secret: 'x' })).status).toBe(401);
    expect((await client.v3('GET cards/cards', undefined, 'x')).status).toBe(401);
  });

  test('authorize', async () => {
    const { TARGET_AUTH_URL, TARGET_TENANT_PATH, TARGET_CLIENT_ID } = target.env;
    const url = `${TARGET_AUTH_URL}/${TARGET_TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/authorize`;
    const { json } = await client.send('GET', `${url}?client_id=${encodeURIComponent(TARGET_CLIENT_ID!)}`);
    const form = { grant_type: 'authorization_code', code: json.code };
    expect((await client.issue(form)).status).toBe(200);
    expect((await client.issue(form)).status).toBe(400);
  });

  test('a token lives sixty minutes', async () => {
    await using own = await startSecondTarget();
    const early = await admitted(own);
    const advance = (advanceSeconds: number) =>
      early.send('POST', own.env.TARGET_TEST_CLOCK_URL!, {}, JSON.stringify({ advanceSeconds }));
    await advance(3595);
    expect((await early.v3('GET users/customers')).status).toBe(200);
    await advance(6);
    expect((await early.v3('GET users/customers')).status).toBe(401);
  });
});

describe('users', () => {
  test('list', async () => {
    const all = await walk('users/customers?max=50');
    expect(all.length).toBeGreaterThan(120);
    expect(new Set(all.map(({ identifier }) => identifier)).size).toBe(all.length);
    const below = await walk(`users/customers?parentIdentifier=${encodeURIComponent(users.parentIdentifier)}`);
    const ids = below.map(({ identifier }) => identifier);
    expect(ids).toContain(users.childIdentifier);
    expect(ids).not.toContain(users.unrelatedIdentifier);
    const named = (await walk(`users/customers?name=${users.nameFragment}`)).map(({ identifier }) => identifier);
    expect(named).toContain(users.nameMatchIdentifier);
    expect(named).not.toContain(users.nameMismatchIdentifier);
    const { json } = await client.v3(`GET users/customers?v1Identifier=${users.v1Identifier}`);
    expect(json.results).toMatchObject([{ identifier: users.v1MatchIdentifier }]);
    const bad = await client.v3('GET users/customers?max=x');
    expect(bad.status).toBe(400);
    expect(bad.json).toEqual(errors);
  });

  test('get', async () => {
    const get = (identifier: string) => client.v3(`GET users/customers/${encodeURIComponent(identifier)}`);
    expect((await get(users.customerIdentifier)).json).toMatchObject({ identifier: users.customerIdentifier });
    expect((await get(users.foreignCustomerIdentifier)).status).toBe(403);
    expect((await get('nobody')).status).toBe(400);
  });

  test('setPermissions', async () => {
    const path = `PUT users/customers/${encodeURIComponent(users.writableCustomerIdentifier)}/permissions`;
    const { status, json } = await client.v3(path, users.writableCustomerPermissions);
    expect(status).toBe(200);
    expect(json).toMatchObject({ identifier: users.writableCustomerIdentifier });
    expect((await client.v3(path, { canSearchLoads: 'yes' })).status).toBe(400);
  });
});

describe('cards', () => {
  test('list', async () => {
    expect((await client.v3('GET cards/cards')).json.results).toHaveLength(50);
    expect((await walk('cards/cards?max=30')).length).toBeGreaterThan(60);
    const one = await walk(`cards/cards?${new URLSearchParams(cards.filters)}`);
    expect(one).toHaveLength(1);
    expect((await client.v3('GET cards/cards?max=0')).status).toBe(400);
  });

  test('get', async () => {
    const { json } = await client.card('GET', cards.active[0]);
    expect(json).toMatchObject({ identifier: cards.active[0], status: 'Active', balance: 250 });
    expect((await client.card('GET', cards.foreign[0])).status).toBe(403);
    expect((await client.card('GET', 'none')).status).toBe(410);
    const { proxyNumber, programIdentifier, isDigital, identifier } = cards.byProxy;
    const query = new URLSearchParams({ byProxy: 'true', programIdentifier, isDigital: String(isDigital) });
    expect((await client.v3(`GET cards/cards/${proxyNumber}?${query}`)).json.identifier).toBe(identifier);
    expect((await client.v3(`GET cards/cards/${proxyNumber}?byProxy=true`)).status).toBe(422);
  });

  test('createToken, and get by it', async () => {
    const { status, json } = await client.card('GET token', cards.active[1]);
    expect(status).toBe(201);
    const found = await client.v3(`GET cards/cards/${encodeURIComponent(json.token)}?byToken=true`);
    expect(found.json.identifier).toBe(cards.active[1]);
  });

  test('encryptForVde', async () => {
    const { status, json } = await client.card('POST encrypt-for-vde', cards.active[0], { nonce: 'once' });
    expect(status).toBe(201);
    expect(json).toEqual({ encryptedPayload: expect.any(String) });
    expect((await client.card('POST encrypt-for-vde', cards.active[0], { nonce: 'once' })).status).toBe(409);
  });

  test('listRelated', async () => {
    const { json } = await client.card('GET related', cards.withRelated);
    expect(json.results.length).toBeGreaterThan(0);
    expect(json.results.map((card: { identifier: string }) => card.identifier)).not.toContain(cards.withRelated);
    const mixed = await client.card('GET related', cards.active[3]);
    for (const card of mixed.json.results) expect(cards.foreign).not.toContain(card.identifier);
  });

  test('transfer and getBalance', async () => {
    const [from, to] = cards.active.slice(2, 4);
    const balance = async (id: string) => (await client.card('GET balance', id)).json.balance;
    const [a, b] = [await balance(from), await balance(to)];
    const sent = { targetCardIdentifier: to, amount: 0.3, comment: 'ü' };
    const { status, json } = await client.card('POST transfer', from, sent);
    expect(status).toBe(200);
    expect(json).toMatchObject({ senderIdentifier: from, receiverIdentifier: to, amount: 0.3, comment: 'ü' });
    expect(await balance(from)).toBeCloseTo(a - 0.3, 6);
    expect(await balance(to)).toBeCloseTo(b + 0.3, 6);
    for (const amount of [0, -1, 0.001, 1e6, '1']) {
      expect((await client.card('POST transfer', from, { ...sent, amount })).status).toBeGreaterThanOrEqual(400);
    }
  });

  test('suspend, unsuspend and getStatus', async () => {
    const [card, other] = cards.active.slice(4);
    const number = async () => (await client.card('GET status', card)).json.status;
    const active = await number();
    expect(await client.card('POST suspend', card)).toMatchObject({ status: 200, text: '' });
    expect(await number()).not.toBe(active);
    expect((await client.card('GET', card)).json.status).not.toBe('Active');
    const sent = { targetCardIdentifier: other, amount: 1 };
    expect((await client.card('POST transfer', card, sent)).status).toBe(409);
    expect((await client.card('POST unsuspend', card)).status).toBe(200);
    expect(await number()).toBe(active);
    expect((await client.card('POST unsuspend', card)).status).toBe(409);
  });

  test('the other changes', async () => {
    const [unused, fraud, lost, closed, wallet] = [cards.unused[0], cards.fraud[0], ...cards.disposable];
    expect((await client.card('POST activate', unused)).status).toBe(200);
    expect((await client.card('POST activate', unused)).status).toBe(409);
    expect((await client.card('POST unmarkfraud', fraud)).status).toBe(200);
    expect((await client.card('POST marklost', lost)).status).toBe(200);
    expect((await client.card('POST reissue', lost, { externalIdentifier: 'r' })).status).toBe(200);
    expect((await client.card('POST close', closed)).status).toBe(200);
    expect((await client.card('POST unsuspend', closed)).status).toBe(409);
    expect(await client.card('POST wallet-provisioned', wallet)).toMatchObject({ status: 201, text: '' });
    expect((await client.card('GET', wallet)).json.isProvisionedToWallet).toBe(true);
    expect((await client.card('POST pin', wallet, { pin: '2580' })).status).toBe(200);
    expect((await client.card('POST pin', wallet, { pin: 'x' })).status).toBe(422);
  });

  test('what is only listed', async () => {
    expect((await client.card('GET resync', cards.active[0])).json.identifier).toBe(cards.active[0]);
    expect((await client.card('POST replace', cards.disposable[4])).status).toBe(200);
    const { json } = await client.v3('GET cards/cardholders');
    const path = `cards/cardholders/${encodeURIComponent(json.results[0].identifier)}`;
    expect((await client.v3(`PUT ${path}`, { firstName: 'New' })).status).toBe(200);
    expect((await client.v3(`GET ${path}`)).json.firstName).toBe('New');
    expect((await client.v3(`GET ${path}/cards`)).json.results.length).toBeGreaterThan(0);
  });
});
