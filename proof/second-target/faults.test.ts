import { describe, expect, test } from 'vitest';
import { admitted } from './client.ts';
import { faults } from './faults.ts';
import { makeSecondTarget, startSecondTarget } from './index.ts';

// biome-ignore lint/suspicious/noExplicitAny: the fixtures are of many shapes
type Loose = any;

test('the list of faults has each id once', () => {
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  for (const { id } of faults) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('every fault can be had', () => {
  for (const { id } of faults) makeSecondTarget({ faults: [id] });
}, 60_000);

describe('some faults, seen from outside', () => {
  async function broken(id: string) {
    const target = await startSecondTarget({ faults: [id] });
    return { target, client: await admitted(target), fixtures: target.fixtures as Loose };
  }

  test('a check that is overlooked', async () => {
    const { target, client, fixtures } = await broken('foreign-cards-reached-by-cards-suspend');
    await using _ = target;
    expect((await client.card('POST suspend', fixtures.cards.foreign[0])).status).toBe(200);
  });

  test('a refusal that has the effect all the same', async () => {
    const { target, client, fixtures } = await broken('without-token-refused-yet-done-cards-suspend');
    await using _ = target;
    const [card] = fixtures.cards.active;
    const { token } = client;
    client.token = '';
    expect((await client.card('POST suspend', card)).status).toBe(401);
    client.token = token;
    await client.card('GET status', card);
    expect((await client.card('GET', card)).json.status).not.toBe('Active');
  });

  test('money that is spent twice', async () => {
    const { target, client, fixtures } = await broken('transfers-at-once-spend-the-same-money');
    await using _ = target;
    const [to, , , from] = fixtures.cards.active;
    const { balance } = (await client.card('GET balance', from)).json;
    const sent = { targetCardIdentifier: to, amount: balance };
    const both = await Promise.all([1, 2].map(() => client.card('POST transfer', from, sent)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await client.card('GET balance', from)).json.balance).toBeLessThan(0);
  });

  test('answers that are swapped', async () => {
    const { target, client, fixtures } = await broken('answers-at-once-swapped-of-cards-get');
    await using _ = target;
    const [one, other] = fixtures.cards.active;
    const both = await Promise.all([one, other].map((card) => client.card('GET', card)));
    expect(both.map(({ json }) => json.identifier)).toEqual([other, one]);
    expect((await client.card('GET', one)).json.identifier).toBe(one);
  });
});
