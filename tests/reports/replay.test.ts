import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { pointedAt } from '../../proof/hostile/target.ts';
import { symptomOf } from '../../reports/causes.ts';
import { page } from '../../reports/page/index.ts';
import { readRecord } from '../../reports/record.ts';
import { viewOf } from '../../reports/view.ts';
import { replay, requestsOf } from '../../run/replay.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { configurationOf } from '../real-targets/runs.ts';
import { runHere } from '../run-in-process.ts';

test('the requests of a failure are sent again with fresh credentials, and no riskier than is allowed', async () => {
  const sandbox = await startSandbox({ rules: { enforces: ({ kind }) => kind !== 'unknown' } });
  try {
    const { environment: env, fixtures } = sandbox;
    const ended = await runHere(pointedAt(sandbox.url, sandbox), ['--only', 'cards.getBalance.unknown-identifier']);
    const record = readRecord(ended.reports);
    const view = viewOf(record.conformance, { exchanges: record.exchanges() });
    const requests = requestsOf(view, 'cards.getBalance.unknown-identifier');
    const configuration = await configurationOf(env, fixtures, { risk: 'safe' });
    const results = await replay(configuration, requests);
    expect(results.length).toBeGreaterThan(0);
    for (const { before, now } of results) expect(now).toBe(before);
    expect(() => requestsOf(view, 'cards.get.shape')).toThrow('did not fail in that run');
    const risky = { ...requests[0]!, operation: 'cards.close' };
    await expect(replay(configuration, [risky])).rejects.toThrow('RUN_RISK: cards.close needs irreversible');
    const pathless = { ...requests[0]!, request: { ...requests[0]!.request, url: 'cards' } };
    await expect(replay(configuration, [pathless])).rejects.toThrow('the record holds no address for it');
  } finally {
    await sandbox.close();
  }
});

test('what reproduced a failure is shown first, and sent again', async () => {
  const sandbox = await startSandbox({
    rules: {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault ||
        (operation === 'cards.list' && name === 'orderIdentifier' && request.query.programIdentifier !== undefined),
    },
  });
  try {
    const { environment: env, fixtures } = sandbox;
    const ended = await runHere(pointedAt(sandbox.url, sandbox), ['--only', 'cards.list.filter-order', '--thorough']);
    const record = readRecord(ended.reports);
    const view = viewOf(record.conformance, { exchanges: record.exchanges() });
    const { retrial } = record.conformance.requirements.find(({ id }) => id === 'cards.list.filter-order')!;
    expect(retrial).toMatchObject({ tries: 2, shown: 2 });
    const requests = requestsOf(view, 'cards.list.filter-order');
    expect(requests.map(({ id }) => id)).toEqual(retrial!.exchanges);
    const configuration = await configurationOf(env, fixtures, { risk: 'safe' });
    for (const { before, now } of await replay(configuration, requests)) expect(symptomOf(now)).toBe(symptomOf(before));
    expect(ended.stdout).toContain('tried again alone: the same 2 of 2 times');
    const markup = page(view, record.exchanges());
    const [timeline] = markup.slice(markup.indexOf('Tried again alone')).split('</ol>') as [string];
    for (const id of retrial!.exchanges) expect(timeline).toContain(id);
    expect(markup).toContain('What it was suspected from');
  } finally {
    await sandbox.close();
  }
});

test('a record of somebody else has no secret sent but where it belongs', async () => {
  const sent: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => sent.push(body));
    sent.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end('{"access_token":"a-token-0123","token_type":"Bearer","expires_in":3600}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
    await replay(configuration, [
      { ...exchange, operation: 'users.list', request },
      { ...exchange, operation: 'token.issue', request: { ...request, method: 'POST', headers, body } },
    ]);
    expect(sent).toContain('GET /users/customers?max=%3CREDACTED_CLIENT_SECRET%3E');
    expect(sent.join('\n')).not.toContain('canary-of-the-token');
  } finally {
    server.close();
  }
});
