import { expect, test } from 'vitest';
import type { Exchange } from '../../contracts/record.ts';
import { faults } from '../../proof/faults/index.ts';
import { pointedAt } from '../../proof/hostile/target.ts';
import { symptomOf } from '../../reports/causes.ts';
import { page } from '../../reports/page/index.ts';
import { readRecord } from '../../reports/record.ts';
import { scriptOf } from '../../reports/script.ts';
import { viewOf } from '../../reports/view.ts';
import { addressesOf, replay, requestsOf } from '../../run/replay.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { runHere } from '../tools/run-in-process.ts';
import { serve } from '../tools/servers.ts';
import { configurationOf } from './real-targets/runs.ts';

test('the requests of a failure are sent again with fresh credentials, and no riskier than is allowed', async () => {
  await using sandbox = await startSandbox({ rules: { enforces: ({ kind }) => kind !== 'unknown' } });
  const { environment: env, fixtures } = sandbox;
  const ended = await runHere(pointedAt(sandbox.url, sandbox), ['--only', 'cards.getBalance.unknown-identifier']);
  const record = readRecord(ended.reports);
  const view = viewOf(record.conformance, { exchanges: record.exchanges() });
  const script = requestsOf(view, record.exchanges(), 'cards.getBalance.unknown-identifier');
  const configuration = await configurationOf(env, fixtures, { risk: 'safe' });
  expect(addressesOf(script, configuration, false)).toEqual([env.TARGET_BASE_URL]);
  const results = await replay(configuration, script, {});
  expect(results.length).toBeGreaterThan(0);
  for (const { before, now } of results) expect(now).toBe(before);
  expect(() => requestsOf(view, record.exchanges(), 'cards.get.shape')).toThrow('did not fail in that run');
  const { exchange } = script.steps.at(-1)!;
  const sending = (over: Partial<Exchange>) => scriptOf([{ ...exchange, ...over }], [], new Map());
  const risky = replay(configuration, sending({ operation: 'cards.close' }), {});
  await expect(risky).rejects.toThrow('RUN_RISK: cards.close needs irreversible (--risk irreversible)');
  const pathless = replay(configuration, sending({ request: { ...exchange.request, url: 'cards' } }), {});
  await expect(pathless).rejects.toThrow('the record holds no address for it');
  const request = { ...exchange.request, url: `${env.TARGET_BASE_URL}/users/customers?name=Xxxx` };
  const masked = replay(configuration, sending({ operation: 'users.list', request }), {});
  await expect(masked).rejects.toThrow('set first:\n  TARGET_PERSON_NAME: name of the form Xxxx');
  const other = await configurationOf({ ...env, TARGET_BASE_URL: 'http://127.0.0.1:9/api' }, fixtures, {
    risk: 'safe',
  });
  expect(() => addressesOf(script, other, false)).toThrow('with --elsewhere it is sent there');
  expect(addressesOf(script, other, true)).toEqual(['http://127.0.0.1:9/api']);
});

test('what reproduced a failure is shown first, and sent again', async () => {
  await using sandbox = await startSandbox({
    rules: {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault ||
        (operation === 'cards.list' && name === 'orderIdentifier' && request.query.programIdentifier !== undefined),
    },
  });
  const { environment: env, fixtures } = sandbox;
  const ended = await runHere(pointedAt(sandbox.url, sandbox), ['--only', 'cards.list.filter-order', '--thorough']);
  const record = readRecord(ended.reports);
  const view = viewOf(record.conformance, { exchanges: record.exchanges() });
  const { retrial } = record.conformance.requirements.find(({ id }) => id === 'cards.list.filter-order')!;
  expect(retrial).toMatchObject({ tries: 2, shown: 2 });
  const script = requestsOf(view, record.exchanges(), 'cards.list.filter-order');
  expect(script.steps.map(({ exchange: { id } }) => id)).toEqual(retrial!.once);
  const configuration = await configurationOf(env, fixtures, { risk: 'safe' });
  for (const { before, now } of await replay(configuration, script, {})) expect(symptomOf(now)).toBe(symptomOf(before));
  expect(ended.stdout).toContain('tried again alone: the same 2 of 2 times');
  const markup = page(view, record.exchanges());
  const [timeline] = markup.slice(markup.indexOf('Tried again alone')).split('</ol>') as [string];
  for (const id of retrial!.exchanges) expect(timeline.includes(id)).toBe(retrial!.once!.includes(id));
  expect(markup).toMatch(/And \d+ others that lead there/);
});

test('what is unique is fresh, so that the second of two orders repeats the first alone', async () => {
  const fault = faults.find(({ name }) => name === 'orders: a duplicate makes a second order')!;
  await using sandbox = await startSandbox(fault.sandbox);
  const id = 'portal.orderCards.duplicate-order';
  const ended = await runHere(pointedAt(sandbox.url, sandbox), ['--only', id]);
  const record = readRecord(ended.reports);
  const script = requestsOf(viewOf(record.conformance, { exchanges: record.exchanges() }), record.exchanges(), id);
  const { environment: env, fixtures } = sandbox;
  const configuration = await configurationOf(env, fixtures, { risk: 'irreversible' });
  const set = Object.fromEntries(script.variables.map(({ name }) => [name, name.endsWith('FRESH') ? '' : 'Ada']));
  const results = await replay(configuration, script, set);
  expect(results.map(({ now }) => now.slice(0, 3))).toEqual(results.map(() => '200'));
  const [first, second] = results.map(
    ({ now }) => (JSON.parse(now.slice(4)) as Record<string, string>).externalIdentifier,
  );
  expect(second).toBe(first);
  expect(JSON.stringify([...record.exchanges()])).not.toContain(first);
});

test('a record of somebody else has no secret sent but where it belongs', async () => {
  const sent: string[] = [];
  const url = await serve((request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => sent.push(body));
    sent.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end('{"access_token":"a-token-0123","token_type":"Bearer","expires_in":3600}');
  });
  const configuration = await configurationOf(
    {
      TARGET_AUTH_URL: url,
      TARGET_BASE_URL: url,
      TARGET_TENANT_PATH: 't',
      TARGET_CLIENT_ID: 'client',
      TARGET_CLIENT_SECRET: 'canary-of-the-client',
      TARGET_ACCESS_TOKEN: 'canary-of-the-token',
    },
    {},
    { risk: 'safe' },
  );
  const [query, body] = ['max=<REDACTED_CLIENT_SECRET>', 'client_id=<REDACTED_ACCESS_TOKEN>'];
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const exchange = {
    id: 'x00001',
    check: 'check',
    intent: 'refusable',
    startedAt: '',
    durationMs: 1,
    response: null,
  };
  const request = {
    method: 'GET',
    url: `http://elsewhere.invalid/users/customers?${query}`,
    headers: {},
    body: null,
  };
  const exchanges = [
    { ...exchange, operation: 'users.list', request },
    { ...exchange, id: 'x00002', operation: 'token.issue', request: { ...request, method: 'POST', headers, body } },
  ];
  await replay(configuration, scriptOf(exchanges, [], new Map()), { TARGET_CLIENT_SECRET: 'canary-of-the-client' });
  expect(sent).toContain('GET /users/customers?max=%3CREDACTED_CLIENT_SECRET%3E');
  expect(sent.join('\n')).not.toContain('canary-of-the-token');
});
