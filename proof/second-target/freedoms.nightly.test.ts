import { describe, expect, test } from 'vitest';
import { admitted, type Client } from './client.ts';
import { type Freedom, freedoms } from './freedoms.ts';
import { startSecondTarget } from './index.ts';
import type { JsonObject } from './json.ts';

// biome-ignore lint/suspicious/noExplicitAny: the fixtures are of many shapes
type Loose = any;

async function patiently(send: () => ReturnType<Client['send']>, wanted = 200): Promise<void> {
  let answer = await send();
  for (let tries = 0; answer.headers.has('retry-after') && tries < 3; tries++) answer = await send();
  expect(`${answer.status} ${wanted === answer.status ? '' : answer.text}`.trim()).toBe(String(wanted));
}

/** Targets tried simultaneously; with more, connections stay idle until they are closed. */
const AT_ONCE = 16;

/** Asserts that the target accepts one request for each promise of its fixtures. */
async function keepsItsPromises(ids: readonly string[]): Promise<void> {
  await using target = await startSecondTarget({ freedoms: ids });
  const client = await admitted(target);
  const { cards, users, portal } = target.fixtures as Loose;
  const { least, most, step } = cards.transferAmounts;
  expect([least <= most, Math.round(least * 100) % Math.round(step * 100)], ids.join()).toEqual([true, 0]);
  const sent = { ...cards.transferBody, targetCardIdentifier: cards.active[1], amount: least };
  await patiently(() => client.card('POST transfer', cards.active[0], sent));
  await patiently(() => client.card('GET', cards.active[2]));
  await patiently(() => client.v3(`GET users/customers/${encodeURIComponent(users.customerIdentifier)}`));
  await patiently(() => client.card('POST suspend', cards.active[3]));
  const query = { customerId: String(portal.customerId), showAutoCreated: 'true', showBranded: 'false' };
  await patiently(() => client.portal('GET getCustomerHierarchy', query));
  await patiently(() => client.portal('GET getCustomerProgramList', query));
  for (const body of Object.values(portal.cip)) {
    await patiently(() => client.portal('POST getCIPCheck', {}, body as JsonObject));
  }
  const orders = Object.values(portal.programs).filter((program) => typeof program === 'object');
  for (const { order } of orders as Loose[]) {
    await new Promise((done) => setTimeout(done, ids.some((id) => id.includes('orders')) ? 60 : 0));
    await patiently(() => client.portal('POST orderCards', {}, order));
  }
}

/** Freedoms chosen by the seed that do not exclude each other. */
function mixed(seed: number, count: number): string[] {
  const picked: Freedom[] = [];
  for (let i = 1; picked.length < count; i++) {
    const next = freedoms[(seed * 7919 + i * i * 613) % freedoms.length]!;
    const fits = picked.every((other) => other !== next && !other.excludes?.includes(next.id));
    if (fits) picked.push(next);
  }
  return picked.map(({ id }) => id);
}

describe('the list of freedoms', () => {
  test('has each id once, each with a basis in a document', () => {
    expect(new Set(freedoms.map(({ id }) => id)).size).toBe(freedoms.length);
    for (const { id, basis } of freedoms) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(basis).toMatch(/^(v3|portal)( and portal)?, .{10,}/);
    }
  });

  test('is long, and has every family', () => {
    expect(freedoms.length).toBeGreaterThanOrEqual(250);
    expect(new Set(freedoms.map(({ family }) => family)).size).toBe(9);
    expect(freedoms.filter(({ family }) => family === 'business-rule').length).toBeGreaterThan(100);
  });

  test('excludes both ways', () => {
    const byId = new Map(freedoms.map((freedom) => [freedom.id, freedom]));
    for (const { id, excludes = [] } of freedoms) {
      for (const other of excludes) expect(byId.get(other)?.excludes).toContain(id);
    }
  });
});

test('every freedom starts', async () => {
  for (const { id } of freedoms) await (await startSecondTarget({ freedoms: [id] })).close();
}, 60_000);

describe('a target with a freedom takes what its fixtures promise', () => {
  for (const [family, members] of Object.entries(Object.groupBy(freedoms, ({ family }) => family))) {
    test(family, async () => {
      const tried = family === 'business-rule' ? members! : members!.filter((_, i) => i % 6 === 0);
      for (let from = 0; from < tried.length; from += AT_ONCE)
        await Promise.all(
          tried
            .slice(from, from + AT_ONCE)
            .map(({ id }) => keepsItsPromises([id]).catch((cause) => Promise.reject(new Error(id, { cause })))),
        );
    }, 60_000);
  }

  test('and so does one with several', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const ids = mixed(seed, 8);
      await keepsItsPromises(ids).catch((cause) => Promise.reject(new Error(ids.join(), { cause })));
    }
  }, 60_000);
});
