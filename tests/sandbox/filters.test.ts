import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type AnswerFilter, RawText } from '../../sandbox/index.ts';
import { start } from './client.ts';

/** A sandbox whose answers to operations are changed. */
const changing = (changes: Record<string, AnswerFilter>) =>
  start({ middleware: [(answer, context) => changes[context.operation]?.(answer, context)] });

test('a filter bends status, members and headers of one page of one operation', async () => {
  const client = await changing({
    'users.list': (answer, { page }) => {
      if (page === 2) (answer.body as { results: { identifier: unknown }[] }).results[0]!.identifier = 7;
      return undefined;
    },
    'cards.getBalance': (answer, { card, refusal }) => {
      return { ...answer, status: 299, headers: { 'x-saw': `${card?.state}, ${refusal?.kind}` } };
    },
  });
  const first = (await client.v3('GET', '/users/customers')).body;
  expect(first.results[0].identifier).toBeTypeOf('string');
  const second = (await client.v3('GET', `/users/customers?token=${first.continuationToken}`)).body;
  expect(second.results[0].identifier).toBe(7);
  const balance = await client.v3('GET', `/cards/cards/${client.fixtures.cards.unused[0]}/balance`);
  expect([balance.status, balance.headers.get('x-saw')]).toEqual([299, 'unused, undefined']);
  const refused = await client.v3('GET', '/cards/cards/nobody/balance');
  expect(refused.headers.get('x-saw')).toBe('undefined, unknown');
});

test('changing a body changes no state', async () => {
  const client = await changing({
    'cards.get': (answer) => {
      Object.assign((answer.body as { customFields: object }).customFields, { customField1: 'changed' });
      return undefined;
    },
  });
  const before = client.sandbox.state();
  const shown = await client.v3('GET', `/cards/cards/${client.fixtures.cards.active[0]}`);
  expect(shown.body.customFields.customField1).toBe('changed');
  expect(client.sandbox.state()).toEqual(before);
});

test('bytes, encodings and transports are sent as they are', async () => {
  const zipped = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const client = await changing({
    'cards.getStatus': () => ({ status: 200, headers: zipped, body: gzipSync('{"status":1}') }),
    'cards.get': (answer) => ({ ...answer, body: new RawText('no json') }),
    'cards.list': (answer) => ({ ...answer, transport: { chunkBytes: 1000 } }),
    'users.list': (answer) => ({ ...answer, transport: { endsByClosing: true } }),
    'users.get': (answer) => ({ ...answer, transport: { cutAfterBytes: 3 } }),
    'cards.suspend': (answer) => ({ ...answer, body: {} }),
  });
  const card = `/cards/cards/${client.fixtures.cards.active[0]}`;
  expect((await client.v3('GET', `${card}/status`)).body).toEqual({ status: 1 });
  expect((await client.v3('GET', card)).text).toBe('no json');
  expect((await client.v3('POST', `${card}/suspend`)).text).toBe('{}');
  for (const [path, absent] of [
    ['/cards/cards', 'content-length'],
    ['/users/customers', 'transfer-encoding'],
  ] as const) {
    const { body, headers } = await client.v3('GET', path);
    expect([body.results.length, headers.get(absent)]).toEqual([50, null]);
  }
  await expect(client.v3('GET', `/users/customers/${client.fixtures.users.customerIdentifier}`)).rejects.toThrow();
});

test('an answer says its length and the time of the sandbox', async () => {
  const client = await start();
  client.sandbox.advance(600);
  const before = Date.now();
  const { headers } = await client.v3('GET', '/cards/cards?max=1');
  expect(headers.get('content-length')).toMatch(/^\d+$/);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const date = Date.parse(headers.get('date')!) - 600_000;
  expect(date).toBeGreaterThan(before - 1000);
  expect(date).toBeLessThanOrEqual(Date.now());
});
