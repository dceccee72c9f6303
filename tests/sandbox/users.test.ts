import { expect, test } from 'vitest';
import { type Client, start } from './client.ts';

/** Identifiers of a whole walk. */
async function walk(client: Client, query: string): Promise<string[]> {
  const seen: string[] = [];
  let token: string | undefined;
  do {
    const next: string = token === undefined ? '' : `&token=${encodeURIComponent(token)}`;
    const { status, body } = await client.v3('GET', `/users/customers?${query}${next}`);
    expect(status).toBe(200);
    seen.push(...body.results.map((customer: { identifier: string }) => customer.identifier));
    token = body.continuationToken;
  } while (token);
  return seen;
}

test('a walk visits every customer once, whatever the page size', async () => {
  const client = await start();
  const whole = await walk(client, 'max=50');
  expect(whole.length).toBeGreaterThan(137);
  expect(new Set(whole).size).toBe(whole.length);
  for (const size of [1, 7, 49]) expect(await walk(client, `max=${size}`)).toEqual(whole);
});

test('filters narrow, some of them to more than a page', async () => {
  const client = await start();
  const { users } = client.fixtures;
  const named = await walk(client, `name=${users.nameFragment.toUpperCase()}`);
  expect(named.length).toBeGreaterThan(50);
  expect(named).toContain(users.nameMatchIdentifier);
  expect(named).not.toContain(users.nameMismatchIdentifier);
  const below = await walk(client, `parentIdentifier=${users.parentIdentifier}`);
  expect(below.length).toBeGreaterThan(50);
  expect(below).toContain(users.childIdentifier);
  expect(below).not.toContain(users.unrelatedIdentifier);
  expect(await walk(client, `v1Identifier=${users.v1Identifier}`)).toEqual([users.v1MatchIdentifier]);
  expect(await walk(client, 'name=matches-nothing')).toEqual([]);
  expect(await walk(client, 'parentIdentifier=unknown')).toEqual([]);
});

test.each(['51', '0', '-1', 'abc', '1.5'])('max=%s is refused with errors', async (max) => {
  const client = await start();
  const { status, body } = await client.v3('GET', `/users/customers?max=${max}`);
  expect(status).toBe(400);
  expect(body).toEqual([{ errorCode: expect.any(String), errorMessage: expect.any(String), fieldName: 'max' }]);
});

test('permissions take either member, both or none, and nothing else', async () => {
  const client = await start();
  const identifier = client.fixtures.users.writableCustomerIdentifier;
  const put = (body?: unknown) => client.v3('PUT', `/users/customers/${identifier}/permissions`, body);
  for (const body of [{}, { canSearchLoads: false }, { canSearchSpends: true }, { canSearchLoads: true }]) {
    expect(await put(body)).toMatchObject({ status: 200, body: { identifier } });
  }
  for (const body of [undefined, '', '[]', '{', 'null', { canSearchLoads: 'yes' }]) {
    expect((await put(body)).status).toBe(400);
  }
  expect((await client.v3('GET', '/users/customers/00000000-0000-4000-a000-000000000000')).status).toBe(404);
});
