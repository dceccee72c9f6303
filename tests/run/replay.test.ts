import { expect, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import { pointedAt } from '../../proof/hostile/target.ts';
import { page } from '../../reports/page/index.ts';
import { readRecord } from '../../reports/record.ts';
import { scriptOf } from '../../reports/script.ts';
import { symptomOf } from '../../reports/symptom.ts';
import { viewOf } from '../../reports/view.ts';
import { addressesOf, replay, requestsOf } from '../../run/replay.ts';
import type { Refusal } from '../../sandbox/exchange.ts';
import type { Rules, SandboxOptions } from '../../sandbox/index.ts';
import { exchange } from '../reports/record-builder.ts';
import { runHere } from '../tools/run-in-process.ts';
import { sandboxFor } from '../tools/sandboxes.ts';
import { serve } from '../tools/servers.ts';
import { configurationOf } from './real-targets/runs.ts';

/** The requests that show a failure of a run against a sandbox, and what sends them again. */
async function failing(options: SandboxOptions, id: string, risk: string, ...args: string[]) {
  const sandbox = await sandboxFor(options);
  const { environment: env, fixtures } = sandbox;
  const ended = await runHere(pointedAt(sandbox.url, sandbox), ['--only', id, ...args]);
  const record = readRecord(ended.reports);
  const view = viewOf(record.conformance, { exchanges: record.exchanges() });
  const script = requestsOf(view, record.exchanges(), id);
  return {
    env,
    fixtures,
    ended,
    record,
    view,
    script,
    configuration: await configurationOf(env, fixtures, { risk }),
  };
}

test('the requests of a failure are sent again with fresh credentials, and no riskier than is allowed', async () => {
  const lenient = { rules: { enforces: ({ kind }: Refusal) => kind !== 'unknown' } };
  const id = 'cards.getBalance.unknown-identifier';
  const { env, fixtures, record, view, script, configuration } = await failing(lenient, id, 'safe');
  expect(addressesOf(script, configuration, false)).toEqual([env.TARGET_BASE_URL]);
  const results = await replay(configuration, script, {});
  expect(results.length).toBeGreaterThan(0);
  for (const { before, now } of results) expect(now).toBe(before);
  expect(() => requestsOf(view, record.exchanges(), 'cards.get.shape')).toThrow('did not fail in that run');
  const { exchange } = script.steps.at(-1)!;
  const { request } = exchange;
  const name = { ...request, url: `${env.TARGET_BASE_URL}/users/customers?name=Xxxx` };
  for (const [over, why] of [
    [{ operation: 'cards.close' }, 'RUN_RISK: cards.close needs irreversible (--risk irreversible)'],
    [{ request: { ...request, url: 'cards' } }, 'the record holds no request that can be sent'],
    [{ operation: 'users.list', request: name }, 'set first:\n  TARGET_PERSON_NAME: name of the form Xxxx'],
  ] as const) {
    const sending = scriptOf([{ ...exchange, ...over }], [], new Map());
    await expect(replay(configuration, sending, {})).rejects.toThrow(why);
  }
  const other = await configurationOf({ ...env, TARGET_BASE_URL: 'http://127.0.0.1:9/api' }, fixtures, {
    risk: 'safe',
  });
  expect(() => addressesOf(script, other, false)).toThrow('with --elsewhere it is sent there');
  expect(addressesOf(script, other, true)).toEqual(['http://127.0.0.1:9/api']);
});

test('what reproduced a failure is shown first, and sent again', async () => {
  const matchesFilter: Rules['matchesFilter'] = ({ operation, name, request }, byDefault) =>
    byDefault ||
    (operation === 'cards.list' && name === 'orderIdentifier' && request.query.programIdentifier !== undefined);
  const id = 'cards.list.filter-order';
  const { ended, record, view, script, configuration } = await failing(
    { rules: { matchesFilter } },
    id,
    'safe',
    '--thorough',
  );
  const { retrial } = record.conformance.requirements.find((one) => one.id === id)!;
  expect(retrial).toMatchObject({ tries: 2, shown: 2 });
  expect(script.steps.map(({ exchange }) => exchange.id)).toEqual(retrial!.once);
  for (const { before, now } of await replay(configuration, script, {})) expect(symptomOf(now)).toBe(symptomOf(before));
  expect(ended.stdout).toContain('tried again alone: the same 2 of 2 times');
  const markup = page(view, record.exchanges());
  const [timeline] = markup.slice(markup.indexOf('Tried again alone')).split('</ol>') as [string];
  for (const exchange of retrial!.exchanges)
    expect(timeline.includes(exchange)).toBe(retrial!.once!.includes(exchange));
  expect(markup).toMatch(/And \d+ others that lead there/);
});

test('what is unique is fresh, so that the second of two orders repeats the first alone', async () => {
  const fault = faults.find(({ name }) => name === 'orders: a duplicate makes a second order')!;
  const id = 'portal.orderCards.duplicate-order';
  const { record, script, configuration } = await failing(fault.sandbox, id, 'irreversible');
  const set = Object.fromEntries(script.variables.map(({ name }) => [name, name.endsWith('FRESH') ? '' : 'Ada']));
  const answers = (await replay(configuration, script, set)).map(({ now }) => now);
  for (const answer of answers) expect(answer).toMatch(/^200/);
  const [first, second] = answers.map((answer): string => JSON.parse(answer.slice(4)).externalIdentifier);
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
  const environment = {
    TARGET_AUTH_URL: url,
    TARGET_BASE_URL: url,
    TARGET_TENANT_PATH: 't',
    TARGET_CLIENT_ID: 'client',
    TARGET_CLIENT_SECRET: 'canary-of-the-client',
    TARGET_ACCESS_TOKEN: 'canary-of-the-token',
  };
  const listing = {
    method: 'GET',
    url: 'http://elsewhere.invalid/users/customers?max=<REDACTED_CLIENT_SECRET>',
    headers: {},
    body: null,
  };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const issuing = { ...listing, method: 'POST', headers, body: 'client_id=<REDACTED_ACCESS_TOKEN>' };
  const exchanges = [
    exchange(1, { operation: 'users.list', intent: 'refusable', request: listing, response: null }),
    exchange(2, { operation: 'token.issue', intent: 'refusable', request: issuing, response: null }),
  ];
  const configuration = await configurationOf(environment, {}, { risk: 'safe' });
  const { TARGET_CLIENT_SECRET } = environment;
  await replay(configuration, scriptOf(exchanges, [], new Map()), { TARGET_CLIENT_SECRET });
  expect(sent).toContain('GET /users/customers?max=%3CREDACTED_CLIENT_SECRET%3E');
  expect(sent.join('\n')).not.toContain('canary-of-the-token');
});
