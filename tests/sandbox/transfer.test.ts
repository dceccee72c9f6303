import { expect, test } from 'vitest';
import { type Client, start } from './client.ts';

const send = (client: Client, from: string, body: unknown) => client.v3('POST', `/cards/cards/${from}/transfer`, body);

test('a transfer moves exactly the amount', async () => {
  const client = await start();
  const [from, to] = client.fixtures.cards.active;
  const before = [await client.balance(from), await client.balance(to)];
  const { status, body } = await send(client, from, { targetCardIdentifier: to, amount: 1.15 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ amount: 1.15, senderIdentifier: from, receiverIdentifier: to });
  expect(await client.balance(from)).toBeCloseTo((before[0] ?? 0) - 1.15, 6);
  expect(await client.balance(to)).toBeCloseTo((before[1] ?? 0) + 1.15, 6);
});

test('what is no transfer moves nothing', async () => {
  const client = await start();
  const [from, to] = client.fixtures.cards.active;
  const before = client.sandbox.state();
  const refused: [unknown, number][] = [
    [undefined, 400],
    [{}, 400],
    [{ targetCardIdentifier: to }, 400],
    [{ amount: 1 }, 400],
    [{ targetCardIdentifier: from, amount: 1 }, 400],
    [{ targetCardIdentifier: 'unknown', amount: 1 }, 400],
    [{ targetCardIdentifier: client.fixtures.cards.foreign[0], amount: 1 }, 400],
    [{ targetCardIdentifier: client.fixtures.cards.unused[0], amount: 1 }, 409],
    [{ targetCardIdentifier: to, amount: -1 }, 400],
    [{ targetCardIdentifier: to, amount: 0 }, 400],
    [{ targetCardIdentifier: to, amount: 0.001 }, 400],
    [{ targetCardIdentifier: to, amount: '1' }, 400],
    [{ targetCardIdentifier: to, amount: 1_000_000 }, 400],
  ];
  for (const [body, status] of refused) {
    const answer = await send(client, from, body);
    expect(answer.status, JSON.stringify(body)).toBe(status);
    expect(answer.body).toBeInstanceOf(Array);
  }
  expect(client.sandbox.state()).toEqual(before);
});

test('a suspended card does not pay until it is unsuspended', async () => {
  const client = await start();
  const [from, to] = client.fixtures.cards.active;
  const body = { targetCardIdentifier: to, amount: 1 };
  await client.v3('POST', `/cards/cards/${from}/suspend`);
  expect((await send(client, from, body)).status).toBe(409);
  await client.v3('POST', `/cards/cards/${from}/unsuspend`);
  expect((await send(client, from, body)).status).toBe(200);
});
