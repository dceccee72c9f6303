import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type AnswerFilter, RawText } from '../../sandbox/index.ts';
import { start } from './client.ts';

const on =
  (operation: string, change: AnswerFilter): AnswerFilter =>
  (answer, context) =>
    context.operation === operation ? change(answer, context) : undefined;

test('a filter bends status, members and headers of one page of one operation', async () => {
  const client = await start({
    middleware: [
      on('users.list', (answer, { page }) => {
        if (page === 2) (answer.body as { results: { identifier: unknown }[] }).results[0]!.identifier = 7;
        return undefined;
      }),
      on('cards.getBalance', (answer, { card, refusal }) => ({
        ...answer,
        status: 299,
        headers: { 'x-card': card?.state ?? 'none', 'x-refusal': refusal?.kind ?? 'none' },
      })),
    ],
  });
  const first = (await client.v3('GET', '/users/customers')).body;
  expect(first.results[0].identifier).toBeTypeOf('string');
  const second = (await client.v3('GET', `/users/customers?token=${first.continuationToken}`)).body;
  expect(second.results[0].identifier).toBe(7);
  const balance = await client.v3('GET', `/cards/cards/${client.fixtures.cards.unused[0]}/balance`);
  expect([balance.status, balance.headers.get('x-card')]).toEqual([299, 'unused']);
  const refused = await client.v3('GET', '/cards/cards/nobody/balance');
  expect(refused.headers.get('x-refusal')).toBe('unknown');
});

test('changing a body changes no state', async () => {
  const client = await start({
    middleware: [
      on('cards.get', (answer) => {
        Object.assign((answer.body as { customFields: object }).customFields, { customField1: 'changed' });
        return undefined;
      }),
    ],
  });
  const before = client.sandbox.state();
  const shown = await client.v3('GET', `/cards/cards/${client.fixtures.cards.active[0]}`);
  expect(shown.body.customFields.customField1).toBe('changed');
  expect(client.sandbox.state()).toEqual(before);
});

test('bytes, encodings and transports are sent as they are', async () => {
  const client = await start({
    middleware: [
      on('cards.getStatus', () => ({
        status: 200,
        headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
        body: gzipSync('{"status":1}'),
      })),
      on('cards.get', (answer) => ({ ...answer, body: new RawText('no json') })),
      on('cards.list', (answer) => ({ ...answer, transport: { chunkBytes: 1000 } })),
      on('users.list', (answer) => ({ ...answer, transport: { endsByClosing: true } })),
      on('users.get', (answer) => ({ ...answer, transport: { cutAfterBytes: 3 } })),
      on('cards.suspend', (answer) => ({ ...answer, body: {} })),
    ],
  });
  const card = `/cards/cards/${client.fixtures.cards.active[0]}`;
  expect((await client.v3('GET', `${card}/status`)).body).toEqual({ status: 1 });
  expect((await client.v3('GET', card)).text).toBe('no json');
  expect((await client.v3('POST', `${card}/suspend`)).text).toBe('{}');
  const chunked = await client.v3('GET', '/cards/cards');
  expect(chunked.body.results).toHaveLength(50);
  expect(chunked.headers.get('content-length')).toBeNull();
  const closed = await client.v3('GET', '/users/customers');
  expect(closed.body.results).toHaveLength(50);
  expect(closed.headers.get('transfer-encoding')).toBeNull();
  await expect(client.v3('GET', `/users/customers/${client.fixtures.users.customerIdentifier}`)).rejects.toThrow();
});

test('an answer says its length and the time of the sandbox', async () => {
  const client = await start();
  client.sandbox.advance(600);
  const before = Date.now();
  const headers = await new Promise<Record<string, unknown>>((done, failed) => {
    request(`${client.sandbox.environment.TARGET_BASE_URL}/cards/cards`, (response) => {
      response.resume();
      done(response.headers);
    })
      .on('error', failed)
      .end();
  });
  expect(headers['content-length']).toMatch(/^\d+$/);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const date = Date.parse(String(headers.date)) - 600_000;
  expect(date).toBeGreaterThan(before - 1000);
  expect(date).toBeLessThanOrEqual(Date.now());
});
