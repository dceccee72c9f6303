import { expect, test } from 'vitest';
import { brokerSettings } from '../../../cli/pact/broker.ts';
import { CONSUMER, PROVIDERS } from '../../../cli/pact/interaction.ts';
import { publishToBroker } from '../../../cli/pact/publication.ts';
import type { PactResult } from '../../../cli/pact/verification.ts';
import { CONTRACTS_VERSION } from '../../../contracts/publish/version.ts';
import { startBroker } from './broker-stub.ts';
import { readPact } from './sandboxes.ts';

const pacts = { v3: readPact('v3'), v1: readPact('v1') };
const result = (provider: string, interaction: string, verdict: PactResult['verdict'], message = ''): PactResult => ({
  provider,
  interaction,
  operation: '',
  verdict,
  message,
  exchanges: [],
});
const { v3, v1 } = PROVIDERS;

/** What the stub is told of results, and what is said of it. */
async function publish(results: readonly PactResult[], env: Record<string, string> = {}) {
  const broker = await startBroker();
  const settings = brokerSettings({ PACT_BROKER_BASE_URL: broker.url, ...env })!;
  return { said: await publishToBroker(settings, '7.8.9', pacts, results), told: broker.told };
}

test('pacts and results are published with their versions and branches', async () => {
  const { told, said } = await publish([result(v3, 'one', 'passed'), result(v1, 'two', 'passed')], {
    PACT_BROKER_TOKEN: 'broker-token',
    PACT_PROVIDER_BRANCH: 'feature/x',
  });
  expect(new Set(told.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer broker-token']));
  expect(told.map(({ method }) => method)).toEqual(['POST', 'PUT', 'GET', 'POST', 'PUT', 'GET', 'POST']);
  const [contracts, branch, , results] = told;
  expect(contracts).toMatchObject({
    path: '/contracts/publish',
    body: { pacticipantName: CONSUMER, pacticipantVersionNumber: CONTRACTS_VERSION, branch: 'main' },
  });
  const contents = contracts!.body.contracts.map(({ content }: { content: string }) =>
    JSON.parse(Buffer.from(content, 'base64').toString()),
  );
  expect(contents).toEqual([pacts.v3, pacts.v1]);
  expect(branch!.path).toBe(`/pacticipants/${v3}/branches/feature%2Fx/versions/7.8.9`);
  expect(results!.body).toEqual({
    success: true,
    providerApplicationVersion: '7.8.9',
    verifiedBy: { implementation: CONSUMER, version: CONTRACTS_VERSION },
    testResults: [{ interactionDescription: 'one', success: true }],
  });
  expect(said).toHaveLength(2);
});

test('a failure is told as one; interactions left out make no success', async () => {
  const { told, said } = await publish(
    [result(v3, 'one', 'failed', 'status'), result(v3, 'two', 'skipped'), result(v1, 'three', 'skipped')],
    { PACT_BROKER_USERNAME: 'ada', PACT_BROKER_PASSWORD: 'pw' },
  );
  expect(told[0]!.authorization).toBe(`Basic ${Buffer.from('ada:pw').toString('base64')}`);
  const results = told.filter(({ path }) => path.endsWith('/verification-results'));
  expect(results.map(({ body }) => body.success)).toEqual([false]);
  expect(results[0]!.body.testResults).toEqual([
    { interactionDescription: 'one', success: false, mismatches: [{ description: 'status' }] },
  ]);
  expect(said[1]).toContain('some interactions were not verified');
});

test('a broker that refuses is named with its address and its answer', async () => {
  const broker = await startBroker(401);
  const publishing = publishToBroker(brokerSettings({ PACT_BROKER_BASE_URL: broker.url })!, '1', pacts, []);
  await expect(publishing).rejects.toThrow(`the Pact Broker at ${broker.url}/ answers 401 to POST /contracts/publish`);
});

test.each([
  [{ PACT_BROKER_BASE_URL: 'nowhere' }, 'PACT_BROKER_BASE_URL: must be an http or https address'],
  [{ PACT_BROKER_BASE_URL: 'http://ada:pw@127.0.0.1' }, 'PACT_BROKER_BASE_URL: credentials belong in'],
  [
    { PACT_BROKER_BASE_URL: 'http://127.0.0.1', PACT_BROKER_USERNAME: 'ada' },
    'PACT_BROKER_PASSWORD: not set, but required by',
  ],
])('settings that cannot be used are named: %o', (env, said) => {
  expect(() => brokerSettings(env)).toThrow(said);
});

test('without PACT_BROKER_BASE_URL there is no broker', () => {
  expect(brokerSettings({ PACT_BROKER_TOKEN: 'left over' })).toBeUndefined();
});
