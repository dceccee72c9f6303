import { describe, expect, test } from 'vitest';
import { admitted, type Client } from './client.ts';
import { type Freedom, freedoms } from './freedoms.ts';
import { startSecondTarget } from './index.ts';
import type { JsonObject } from './json.ts';
import { sleep } from './tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: the fixtures are of many shapes
type Loose = any;

/** Asserts that a request succeeds, if need be when it is sent again. */
async function succeeds(send: () => ReturnType<Client['send']>): Promise<void> {
  let answer = await send();
  for (let tries = 0; answer.headers.has('retry-after') && tries < 3; tries++) answer = await send();
  expect(answer.status, answer.text).toBe(200);
}

/** Targets tried simultaneously; with more, connections stay idle until they are closed. */
const AT_ONCE = 16;

/** Asserts that a target with freedoms accepts one request for each promise of its fixtures. @throws Error that names them */
const keepsItsPromises = (ids: readonly string[]): Promise<void> =>
  promisesOf(ids).catch((cause) => Promise.reject(new Error(ids.join(), { cause })));

async function promisesOf(ids: readonly string[]): Promise<void> {
  await using target = await startSecondTarget({ freedoms: ids });
  const client = await admitted(target);
  const { cards, users, portal } = target.fixtures as Loose;
  const { least, most, step } = cards.transferAmounts;
  expect([least <= most, Math.round(least * 100) % Math.round(step * 100)], ids.join()).toEqual([true, 0]);
  const sent = { ...cards.transferBody, targetCardIdentifier: cards.active[1], amount: least };
  await succeeds(() => client.card('POST transfer', cards.active[0], sent));
  await succeeds(() => client.card('GET', cards.active[2]));
  await succeeds(() => client.v3(`GET users/customers/${encodeURIComponent(users.customerIdentifier)}`));
  await succeeds(() => client.card('POST suspend', cards.active[3]));
  const query = { customerId: String(portal.customerId), showAutoCreated: 'true', showBranded: 'false' };
  await succeeds(() => client.portal('GET getCustomerHierarchy', query));
  await succeeds(() => client.portal('GET getCustomerProgramList', query));
  for (const body of Object.values<JsonObject>(portal.cip))
    await succeeds(() => client.portal('POST getCIPCheck', {}, body));
  const orders = Object.values<Loose>(portal.programs).filter((program) => typeof program === 'object');
  for (const { order } of orders) {
    if (ids.some((id) => id.includes('orders'))) await sleep(60);
    await succeeds(() => client.portal('POST orderCards', {}, order));
  }
}

/** Freedoms chosen by the seed that do not exclude each other. */
function mixed(seed: number, count: number): string[] {
  const picked: Freedom[] = [];
  for (let i = 1; picked.length < count; i++) {
    const next = freedoms[(seed * 7919 + i * i * 613) % freedoms.length]!;
    const excludes = (one: Freedom, other: Freedom) => one.excludes?.includes(other.id) === true;
    const fits = picked.every((other) => other !== next && !excludes(other, next) && !excludes(next, other));
    if (fits) picked.push(next);
  }
  return picked.map(({ id }) => id);
}

test('the list of freedoms has each id once, and what a freedom excludes', () => {
  const ids = freedoms.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { excludes = [] } of freedoms) expect(ids).toEqual(expect.arrayContaining([...excludes]));
});

describe('a target with a freedom takes what its fixtures promise', () => {
  const families = Map.groupBy(freedoms, ({ family }) => family);
  test.each([...families])('%s', async (family, members) => {
    const tried = family === 'business-rule' ? members : members.filter((_, i) => i % 6 === 0);
    for (let from = 0; from < tried.length; from += AT_ONCE)
      await Promise.all(tried.slice(from, from + AT_ONCE).map(({ id }) => keepsItsPromises([id])));
  });

  test('and so does one with several', async () => {
    for (let seed = 1; seed <= 8; seed++) await keepsItsPromises(mixed(seed, 8));
  });
});
