import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { brokerSettings } from '../../../cli/pact/broker.ts';
import { CONSUMER, PROVIDERS } from '../../../cli/pact/interaction.ts';
import { publishToBroker } from '../../../cli/pact/publication.ts';
import type { PactResult } from '../../../cli/pact/verification.ts';
import { CONTRACTS_VERSION } from '../../../contracts/publish/version.ts';
import { serve } from '../../tools/servers.ts';
import { readPact } from './sandboxes.ts';

interface Told {
  method: string;
  path: string;
  authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into at places that the assertions name
  body: any;
}

/**
 * A stub of a Pact Broker's HTTP interface, as far as publishing goes: it keeps what it is told. It knows no real
 * broker's checks, so what it proves is what is sent, not that every broker takes it.
 * @param refuses status that it answers everything with, instead of doing its work
 */
async function startBroker(refuses?: number) {
  const told: Told[] = [];
  const url = await serve(async (request, response) => {
    const body = request.method === 'GET' ? undefined : await json(request);
    told.push({ method: request.method!, path: request.url!, authorization: request.headers.authorization, body });
    response.setHeader('content-type', 'application/hal+json');
    if (refuses) return response.writeHead(refuses).end('{}');
    const results = { href: `${url}${request.url}/verification-results` };
    const pact = request.method === 'GET' ? { _links: { 'pb:publish-verification-results': results } } : {};
    response.writeHead(request.method === 'POST' ? 201 : 200).end(JSON.stringify(pact));
  });
  return { url, told };
}

const pacts = { v3: readPact('v3'), v1: readPact('v1') };
const result = (provider: string, interaction: string, verdict: PactResult['verdict'], message = '') =>
  ({ provider, interaction, operation: '', verdict, message, exchanges: [] }) satisfies PactResult;
const { v3, v1 } = PROVIDERS;

/** Publishes results, and says what was published. */
const publish = ({ url }: { url: string }, results: readonly PactResult[], env: Record<string, string> = {}) =>
  publishToBroker(brokerSettings({ PACT_BROKER_BASE_URL: url, ...env })!, '7.8.9', pacts, results);

test('pacts and results are published with their versions and branches', async () => {
  const broker = await startBroker();
  const env = { PACT_BROKER_TOKEN: 'broker-token', PACT_PROVIDER_BRANCH: 'feature/x' };
  const said = await publish(broker, [result(v3, 'one', 'passed'), result(v1, 'two', 'passed')], env);
  const { told } = broker;
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
  const broker = await startBroker();
  const given = [result(v3, 'one', 'failed', 'status'), result(v3, 'two', 'skipped'), result(v1, 'three', 'skipped')];
  const said = await publish(broker, given, { PACT_BROKER_USERNAME: 'ada', PACT_BROKER_PASSWORD: 'pw' });
  expect(broker.told[0]!.authorization).toBe(`Basic ${Buffer.from('ada:pw').toString('base64')}`);
  const results = broker.told.filter(({ path }) => path.endsWith('/verification-results'));
  const testResults = [{ interactionDescription: 'one', success: false, mismatches: [{ description: 'status' }] }];
  expect(results.map(({ body }) => body)).toEqual([expect.objectContaining({ success: false, testResults })]);
  expect(said[1]).toContain('some interactions were not verified');
});

test('a broker that refuses is named with its address and its answer', async () => {
  const broker = await startBroker(401);
  const fault = `the Pact Broker at ${broker.url}/ answers 401 to POST /contracts/publish`;
  await expect(publish(broker, [])).rejects.toThrow(fault);
});

test.each([
  ['nowhere', undefined, 'PACT_BROKER_BASE_URL: must be an http or https address'],
  ['http://ada:pw@127.0.0.1', undefined, 'PACT_BROKER_BASE_URL: credentials belong in'],
  ['http://127.0.0.1', 'ada', 'PACT_BROKER_PASSWORD: not set, but required by'],
])('settings that cannot be used are named: %s', (PACT_BROKER_BASE_URL, PACT_BROKER_USERNAME, said) => {
  expect(() => brokerSettings({ PACT_BROKER_BASE_URL, PACT_BROKER_USERNAME })).toThrow(said);
});

test('without PACT_BROKER_BASE_URL there is no broker', () => {
  expect(brokerSettings({ PACT_BROKER_TOKEN: 'left over' })).toBeUndefined();
});
