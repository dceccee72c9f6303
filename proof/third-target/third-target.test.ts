import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtures as schema } from '../../contracts/fixtures.ts';
import { KINDS } from './core/changes.ts';
import { newWorld } from './core/world.ts';
import { faults } from './faults.ts';
import { freedoms } from './freedoms.ts';
import { startThirdTarget, type ThirdTarget } from './index.ts';

interface Shown {
  users: Record<string, string>;
  cards: Record<string, string[]> & { byProxy: Record<string, string> };
  portal: {
    customerId: number;
    programs: Record<string, { custProgId: number; order: Record<string, unknown> }>;
    cip: Record<string, Record<string, unknown>>;
    restrictedLogin: Record<string, string>;
  };
}

let target: ThirdTarget;
let shown: Shown;
let token: string;

async function ask(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
}

async function newToken(): Promise<string> {
  const { env } = target;
  const path = `/${env.TARGET_TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/token`;
  const response = await fetch(env.TARGET_AUTH_URL + path, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: env.TARGET_CLIENT_ID!,
      client_secret: env.TARGET_CLIENT_SECRET!,
    }),
  });
  const body = (await response.json()) as { access_token: string; expires_in: number };
  expect(body.expires_in).toBe(3600);
  return body.access_token;
}

const v3 = (method: string, path: string, body?: unknown) =>
  ask(method, target.env.TARGET_BASE_URL + path, body, { authorization: `Bearer ${token}` });

const desk = (method: string, name: string, query: Record<string, unknown>, body?: unknown) =>
  ask(
    method,
    `${target.env.TARGET_PORTAL_URL}/_ah/api/${name}?${new URLSearchParams(query as Record<string, string>)}`,
    body,
  );

async function login(loginID = target.env.TARGET_PORTAL_LOGIN_ID, password = target.env.TARGET_PORTAL_PASSWORD) {
  const { status, body } = await desk('POST', 'login', { loginID, password });
  expect(status).toBe(200);
  return body as { sessionId: string; customerId: number };
}

beforeAll(async () => {
  target = await startThirdTarget();
  shown = target.fixtures as Shown;
  token = await newToken();
});

afterAll(() => target.close());

describe('what it offers', () => {
  it('fills in a fixtures file of the contract', () => {
    expect(schema.safeParse(JSON.parse(JSON.stringify(target.fixtures))).error).toBeUndefined();
  });

  it('names each freedom and each fault once', () => {
    const names = [...freedoms, ...faults].map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has enough freedoms, and faults of each kind', () => {
    expect(freedoms.length).toBeGreaterThanOrEqual(110);
    for (const kind of KINDS)
      expect(faults.filter((fault) => fault.kind === kind).length, kind).toBeGreaterThanOrEqual(15);
  });

  it('is changed by each of them', () => {
    for (const { name, apply } of [...freedoms, ...faults]) {
      const world = newWorld();
      expect(() => apply(world), name).not.toThrow();
      for (const timer of world.timers) clearInterval(timer);
    }
  }, 60_000);
});

describe('users and cards', () => {
  it('walks through all customers, each once', async () => {
    const seen: string[] = [];
    let next: string | undefined = '';
    while (next !== undefined) {
      const { body } = await v3('GET', `/users/customers?max=40${next && `&token=${next}`}`);
      seen.push(...body.results.map(({ identifier }: { identifier: string }) => identifier));
      next = body.continuationToken;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe(105);
    expect(seen).not.toContain(shown.users.foreignCustomerIdentifier);
  });

  it('refuses bad requests with an array of errors', async () => {
    for (const query of ['max=51', 'max=abc', 'max=1.5', 'name=a&name=b'])
      expect((await v3('GET', `/users/customers?${query}`)).body[0].errorMessage, query).toMatch(/./);
  });

  it('lists fifty cards, and none of another customer', async () => {
    expect((await v3('GET', '/cards/cards')).body.results).toHaveLength(50);
    const all = (await v3('GET', '/cards/cards?max=500')).text;
    for (const foreign of shown.cards.foreign!) {
      expect(all).not.toContain(foreign);
      expect((await v3('GET', `/cards/cards/${foreign}`)).status).toBe(404);
    }
  });

  it('finds a card by its proxy and by its token', async () => {
    const { proxyNumber, programIdentifier, isDigital, identifier } = shown.cards.byProxy;
    const query = `byProxy=true&programIdentifier=${programIdentifier}&isDigital=${isDigital}`;
    expect((await v3('GET', `/cards/cards/${proxyNumber}?${query}`)).body.identifier).toBe(identifier);
    expect((await v3('GET', `/cards/cards/${proxyNumber}?byProxy=true`)).status).toBe(400);
    const made = await v3('GET', `/cards/cards/${identifier}/token`);
    expect(made.status).toBe(201);
    expect((await v3('GET', `/cards/cards/${made.body.token}?byToken=true`)).body.identifier).toBe(identifier);
  });

  it('moves money to the cent, and not from a suspended card', async () => {
    const [source, other] = shown.cards.active!;
    const balance = async (card = source) => (await v3('GET', `/cards/cards/${card}/balance`)).body.balance as number;
    const before = [await balance(), await balance(other)];
    const move = () => v3('POST', `/cards/cards/${source}/transfer`, { targetCardIdentifier: other, amount: 1.15 });
    expect((await move()).body.amount).toBe(1.15);
    expect((await v3('POST', `/cards/cards/${source}/suspend`)).text).toBe('');
    expect((await move()).status).toBe(409);
    expect((await v3('POST', `/cards/cards/${source}/unsuspend`)).status).toBe(200);
    expect(await balance()).toBeCloseTo(before[0]! - 1.15, 5);
    expect(await balance(other)).toBeCloseTo(before[1]! + 1.15, 5);
  });

  it('wants a token', async () => {
    const header = `${token.slice(0, 60)}${token[60] === 'x' ? 'y' : 'x'}${token.slice(61)}`;
    const url = `${target.env.TARGET_BASE_URL}/cards/cards`;
    expect((await ask('GET', url)).status).toBe(401);
    expect((await ask('GET', url, undefined, { authorization: `Bearer ${header}` })).status).toBe(401);
    expect((await ask('GET', url, undefined, { authorization: `Basic ${token}` })).status).toBe(401);
  });
});

describe('the portal', () => {
  it('knows a session until its logout', async () => {
    const { sessionId, customerId } = await login();
    expect(customerId).toBe(shown.portal.customerId);
    expect((await desk('GET', 'getCustomerHierarchy', { sessionId, customerId })).body.items.length).toBeGreaterThan(9);
    expect((await desk('POST', 'logout', { sessionId })).text).toBe('');
    expect((await desk('POST', 'logout', { sessionId })).status).toBe(400);
    expect((await desk('GET', 'getShippingMethods', { sessionId })).status).toBe(401);
  });

  it('refuses a user who is not entitled', async () => {
    const { loginID, password } = shown.portal.restrictedLogin;
    const { sessionId, customerId } = await login(loginID, password);
    expect((await desk('GET', 'getCustomerHierarchy', { sessionId, customerId })).status).toBe(401);
  });

  it('checks persons, with forty characters of an address', async () => {
    const { sessionId } = await login();
    const check = (person: object) => desk('POST', 'getCIPCheck', { sessionId }, person);
    const { pass, partialQuestions } = shown.portal.cip;
    expect((await check(pass!)).body).toMatchObject({
      returnCode: 1,
      data: { summaryResult: 'Pass', questionList: null },
    });
    expect((await check(partialQuestions!)).body.data.questionList).not.toBeNull();
    expect((await check({ ...pass, address: 'ä'.repeat(40) })).status).toBe(200);
    expect((await check({ ...pass, address: 'a'.repeat(41) })).status).toBe(400);
    expect(
      (await ask('POST', `${target.env.TARGET_PORTAL_URL}/_ah/api/getCIPCheck?sessionId=${sessionId}`)).status,
    ).toBe(400);
  });

  it('takes each order of the fixtures once', async () => {
    const { sessionId } = await login();
    for (const [name, program] of Object.entries(shown.portal.programs)) {
      if (typeof program !== 'object') continue;
      const order = () => desk('POST', 'orderCards', { sessionId }, program.order);
      expect((await order()).status, name).toBe(200);
      expect((await order()).status, name).toBe(409);
    }
  });
});

describe('the clock', () => {
  it('ends a token after sixty minutes', async () => {
    const forward = (advanceSeconds: number) => ask('POST', target.env.TARGET_TEST_CLOCK_URL!, { advanceSeconds });
    token = await newToken();
    expect((await forward(59 * 60)).status).toBe(200);
    expect((await v3('GET', '/cards/cards?max=1')).status).toBe(200);
    await forward(120);
    expect((await v3('GET', '/cards/cards?max=1')).status).toBe(401);
  });
});
