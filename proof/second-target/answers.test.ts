/** What the suite only observes of the second target. What it judges is proved by a run against it, in `selfcheck/proof.test.ts`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admitted, type Client } from './client.ts';
import { orderFor } from './fixtures.ts';
import { makeSecondTarget, type SecondTarget, startSecondTarget } from './index.ts';
import type { JsonObject } from './json.ts';

type Body = JsonObject | undefined;
type Pools = Record<'active' | 'disposable' | 'unused' | 'fraud' | 'foreign', string[]>;

const { fixtures } = makeSecondTarget();
const cards = fixtures.cards as Pools & { byProxy: { proxyNumber: string }; withRelated: string };
const { customerIdentifier, foreignCustomerIdentifier } = fixtures.users as Record<string, string>;
const portal = fixtures.portal as {
  programs: Record<string, number>;
  cip: Record<string, JsonObject>;
  atm: Record<string, string>;
};

let target: SecondTarget;
let client: Client;
beforeAll(async () => {
  target = await startSecondTarget();
  client = await admitted(target);
});
afterAll(() => target.close());

const customer = (identifier: string) => `users/customers/${encodeURIComponent(identifier)}`;

test.each<[string, number, Body?]>([
  [`GET ${customer(customerIdentifier!)}`, 200],
  [`GET ${customer('nobody')}`, 400],
  [`GET ${customer(foreignCustomerIdentifier!)}`, 403],
  [`PUT ${customer(customerIdentifier!)}/permissions`, 400, { canSearchLoads: 'yes' }],
  ['GET users/customers?max=x', 400],
  ['GET cards/cards?max=0', 400],
  ['GET cards/cards/none', 410],
  [`GET cards/cards/${cards.byProxy.proxyNumber}?byProxy=true`, 422],
])('%s is answered with %i', async (line, status, body) => {
  const answer = await client.v3(line, body);
  expect(answer.status).toBe(status);
  if (status >= 400) expect(answer.json).toEqual([expect.objectContaining({ errorMessage: expect.any(String) })]);
});

describe('a card', () => {
  const [active, other] = cards.active as [string, string];
  const sent = { targetCardIdentifier: other, amount: 1 };
  const [lost, closed, wallet, replaced] = cards.disposable as [string, string, string, string];
  test.each<[string, string, number, Body?]>([
    ['GET', cards.foreign[0]!, 403],
    ['POST encrypt-for-vde', active, 201, { nonce: 'once' }],
    ['POST encrypt-for-vde', active, 409, { nonce: 'once' }],
    ['POST transfer', active, 400, { ...sent, amount: 0.001 }],
    ['POST transfer', active, 400, { ...sent, amount: '1' }],
    ['POST transfer', active, 402, { ...sent, amount: 1e6 }],
    ['POST activate', cards.unused[0]!, 200],
    ['POST activate', cards.unused[0]!, 409],
    ['POST unmarkfraud', cards.fraud[0]!, 200],
    ['POST marklost', lost, 200],
    ['POST transfer', lost, 409, sent],
    ['POST reissue', lost, 200, { externalIdentifier: 'r' }],
    ['POST close', closed, 200],
    ['POST unsuspend', closed, 409],
    ['POST wallet-provisioned', wallet, 201],
    ['POST pin', wallet, 200, { pin: '2580' }],
    ['POST pin', wallet, 422, { pin: 'x' }],
    ['POST replace', replaced, 200],
    ['GET resync', active, 200],
  ])('%s %s is answered with %i', async (line, card, status, body) => {
    expect((await client.card(line, card, body)).status).toBe(status);
  });

  test('has related ones, neither itself nor foreign', async () => {
    for (const card of [cards.withRelated, cards.active[3]!]) {
      const related = (await client.card('GET related', card)).json.results.map((one: JsonObject) => one.identifier);
      expect(related.length).toBeGreaterThan(0);
      for (const none of [card, ...cards.foreign]) expect(related).not.toContain(none);
    }
  });
});

test('an authorization code serves once', async () => {
  const { TARGET_AUTH_URL, TARGET_TENANT_PATH, TARGET_CLIENT_ID } = target.env;
  const url = `${TARGET_AUTH_URL}/${TARGET_TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/authorize`;
  const { code } = (await client.send('GET', `${url}?client_id=${encodeURIComponent(TARGET_CLIENT_ID!)}`)).json;
  for (const status of [200, 400]) {
    expect((await client.issue({ grant_type: 'authorization_code', code })).status).toBe(status);
  }
});

test('cardholders can be listed and changed', async () => {
  const { json } = await client.v3('GET cards/cardholders');
  const path = `cards/cardholders/${encodeURIComponent(json.results[0].identifier)}`;
  expect((await client.v3(`PUT ${path}`, { firstName: 'New' })).status).toBe(200);
  expect((await client.v3(`GET ${path}`)).json.firstName).toBe('New');
  expect((await client.v3(`GET ${path}/cards`)).json.results.length).toBeGreaterThan(0);
});

test.each([
  ['pass', { summaryResult: 'Pass', questionList: null, diffQuestionList: null }],
  ['fail', { summaryResult: 'Fail' }],
  ['partialDifferentiator', { diffQuestionList: [expect.objectContaining({ type: 'street' }), expect.anything()] }],
  ['partialQuestions', { questionList: [expect.objectContaining({ type: 'year' })] }],
])('a person for %s', async (name, data) => {
  expect((await client.portal('POST getCIPCheck', {}, portal.cip[name])).json.data).toMatchObject(data);
});

test('pages of machines begin where they are asked to', async () => {
  const page = (pageOffset: string) =>
    client.portal('GET getATMLocation', { ...portal.atm, pageLength: '10', pageOffset });
  const [first, second] = [(await page('0')).json.machines, (await page('10')).json.machines];
  expect(first).toHaveLength(10);
  expect(second[0]).not.toEqual(first[0]);
  expect((await page('-1')).status).toBe(400);
});

test('an order of one card is answered with its proxy, one of several with its id', async () => {
  const program = { rowId: portal.programs.personalized, customer: { v1Id: fixtures.portal.customerId } };
  const one = orderFor(program as Parameters<typeof orderFor>[0], 'Personalized Payroll Order');
  const details = one.orderDetails as JsonObject[];
  const order = async (body: JsonObject) => (await client.portal('POST orderCards', {}, body)).json;
  expect((await order(one)).instant.proxy).toEqual(expect.any(String));
  expect((await order({ ...one, orderDetails: [...details, ...details] })).orderId).toEqual(expect.any(Number));
});
