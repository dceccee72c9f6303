import { expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { start } from './client.ts';

test('every key of the fixtures file is filled, and the seed is always the same', async () => {
  const [one, two] = await Promise.all([startSandbox(), startSandbox()]);
  expect(one.fixtures).toEqual(two.fixtures);
  expect(one.state()).toEqual(two.state());
  expect(JSON.stringify(one.fixtures)).not.toMatch(/null|""|\[\]|\{\}/);
  await Promise.all([one.close(), two.close()]);
});

test.each([
  ['active', 'Active'],
  ['disposable', 'Active'],
  ['unused', 'Unused'],
  ['fraud', 'Fraud'],
])('the cards of the pool %s are %s', async (pool, status) => {
  const client = await start();
  for (const identifier of client.fixtures.cards[pool]) {
    const { body } = await client.v3('GET', `/cards/cards/${identifier}`);
    expect(body.status).toBe(status);
    if (pool === 'active') expect(body.balance).toBeGreaterThanOrEqual(10);
  }
});

test('a target may be small', async () => {
  const client = await start({
    customers: 5,
    cards: 4,
    pools: { active: 2, disposable: 1, unused: 1, fraud: 0, foreign: 1 },
  });
  expect((await client.v3('GET', '/users/customers')).body.results).toHaveLength(5);
  expect((await client.v3('GET', '/cards/cards')).body.results).toHaveLength(8);
  expect(client.fixtures.cards.fraud).toEqual([]);
  await expect(startSandbox({ customers: 3 })).rejects.toThrow(RangeError);
});

test('a target may be large and still answer at once', async () => {
  const client = await start({ customers: 10_000, cards: 10_000 });
  const began = process.cpuUsage();
  for (let call = 0; call < 10; call += 1) await client.v3('GET', '/cards/cards?programIdentifier=PRG-1001');
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(2000);
});
