/** What the suite cannot tell of the sandbox: the sound one keeps every must requirement, and each of its rules breaks one (`proof/`). */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { sandboxFor } from '../tools/sandboxes.ts';
import { start } from './client.ts';

test('every key of the fixtures file is filled, and the seed is always the same', async () => {
  await using one = await startSandbox();
  await using two = await startSandbox();
  expect(one.fixtures).toEqual(two.fixtures);
  expect(one.state()).toEqual(two.state());
  expect(JSON.stringify(one.fixtures)).not.toMatch(/null|""|\[\]|\{\}/);
});

test('a target may be small', async () => {
  const pools = { active: 2, disposable: 1, unused: 1, fraud: 0, foreign: 1 };
  const client = await start({ customers: 5, cards: 4, pools });
  expect((await client.v3('GET', '/users/customers')).body.results).toHaveLength(5);
  expect((await client.v3('GET', '/cards/cards')).body.results).toHaveLength(8);
  expect(client.fixtures.cards.fraud).toEqual([]);
  await expect(startSandbox({ customers: 3 })).rejects.toThrow(RangeError);
});

test('a target may be large and still answer at once', async () => {
  const client = await start({ customers: 5_000, cards: 5_000 });
  const began = process.cpuUsage();
  for (let call = 0; call < 10; call++) await client.v3('GET', '/cards/cards?programIdentifier=PRG-1001');
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(1000);
});

test('a listing shows every documented member of a card, cards in every state, and some without a holder', async () => {
  const listing = (await (await start()).v3('GET', '/cards/cards?max=1000')).body;
  const results = listing.results as { cardholder?: object; status: string }[];
  expect(new Set(results.flatMap(Object.keys)).size).toBe(17);
  expect(results.some(({ cardholder }) => cardholder === undefined)).toBe(true);
  expect(new Set(results.map(({ status }) => status)).size).toBe(7);
});

test('the listed-only operations exist', async () => {
  const client = await start();
  const card = `/cards/cards/${client.fixtures.cards.disposable[0]}`;
  expect((await client.v3('GET', `${card}/resync`)).status).toBe(200);
  expect((await client.v3('POST', `${card}/replace`)).status).toBe(200);
  const { results } = (await client.v3('GET', '/cards/cardholders')).body;
  const holder = `/cards/cardholders/${results[0].identifier}`;
  expect((await client.v3('PUT', holder, { firstName: 'Maxine' })).body.firstName).toBe('Maxine');
  expect((await client.v3('GET', holder)).body.firstName).toBe('Maxine');
  expect((await client.v3('GET', `${holder}/cards`)).body.results.length).toBeGreaterThan(0);
});

test('sandboxes of one process share nothing', async () => {
  const client = await start();
  await using other = await startSandbox();
  await client.v3('POST', `/cards/cards/${client.fixtures.cards.active[0]}/suspend`);
  expect(client.sandbox.state()).not.toEqual(other.state());
  client.sandbox.reset();
  expect(client.sandbox.state()).toEqual(other.state());
});

test("a sandbox goes by its caller's clock, and is gone at the end of the block that it was made in", async () => {
  let now = Date.UTC(2030, 0, 1);
  const client = await start({ clock: () => now });
  const listing = () => client.v3('GET', '/users/customers');
  {
    await using _ = client.sandbox;
    const { status, headers } = await listing();
    expect([status, headers.get('date')]).toEqual([200, 'Tue, 01 Jan 2030 00:00:00 GMT']);
    now += 61 * 60_000;
    expect((await listing()).status).toBe(401);
  }
  await expect(listing()).rejects.toThrow();
});

test('what is no operation is answered 404, and a bad clock request 400', async () => {
  const client = await start();
  expect(await client.v3('DELETE', '/cards/cards')).toMatchObject({ status: 404, body: [{ errorCode: 'route' }] });
  expect(await client.portal('GET', 'nothing')).toMatchObject({ status: 404, body: { errorCode: 'route' } });
  expect(await client.v3('GET', '/cards/cards/%zz')).toMatchObject({ status: 400, body: [{ errorCode: 'request' }] });
  const advance = (body: string) => fetch(client.sandbox.environment.TARGET_TEST_CLOCK_URL!, { method: 'POST', body });
  expect((await advance('')).status).toBe(400);
  for (const bad of ['-1', '1e400', '1e300', '1e12'])
    expect((await advance(`{"advanceSeconds": ${bad}}`)).status, bad).toBe(400);
  expect((await advance('{"advanceSeconds": 3601}')).status).toBe(200);
  expect((await client.v3('GET', '/cards/cards')).status).toBe(401);
});

test.each([
  ['another origin', { origin: 'https://example.org' }, '__clock __reset', 403],
  ['a file or a sandboxed frame', { origin: 'null' }, '__clock __reset', 403],
  ['a name that somebody else lets resolve to this machine', { host: 'rebound.example.org' }, '__clock __reset', 403],
  ['its own origin', undefined, '__reset', 204],
])('a page of %s moves the clock and resets the state, or does not', async (_, headers, controls, expected) => {
  const sandbox = await sandboxFor();
  for (const control of controls.split(' ')) {
    const given = { method: 'POST', headers: headers ?? { origin: sandbox.url } };
    const sent = request(`${sandbox.url}/${control}`, given).end('{"advanceSeconds": 60}');
    const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
    expect(statusCode, control).toBe(expected);
  }
});
