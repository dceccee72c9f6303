import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pactFile } from '../../../cli/pact/published.ts';
import type { PactResult } from '../../../cli/pact/verification.ts';
import type { VerifierTask } from '../../../cli/pact/verifier-process.ts';
import { verifyPact as verifyPactCommand } from '../../../cli/verify-pact.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts';
import { inProcess } from '../../tools/in-process.ts';
import { ROOT } from '../../tools/root.ts';
import { environmentOf } from '../../tools/sandboxes.ts';

let sandbox: Sandbox;
let directory: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.reset();
  directory = mkdtempSync(join(tmpdir(), 'verify-'));
  return () => rmSync(directory, { recursive: true });
});

type Given = [env: Record<string, string>, fixtures?: unknown, args?: string[]];

/** The environment of `npm run verify:pact` against the sandbox. */
const environmentWith = ([env, fixtures = sandbox.fixtures]: Given): Record<string, string> => ({
  ...environmentOf(sandbox, fixtures),
  RUN_REPORT_DIR: directory,
  ...env,
});

const verifyPact = (...given: Given) => inProcess(verifyPactCommand, given[2] ?? [], environmentWith(given), directory);

const results = (): PactResult[] => JSON.parse(readFileSync(join(directory, 'pact/verification.json'), 'utf8')).results;

test('the sandbox verifies; the results are in the report directory, without secrets', async () => {
  const { code, stdout: out, stderr: error } = await verifyPact({});
  expect(error).toBe('');
  expect(code, out).toBe(0);
  expect(new Set(results().map(({ verdict }) => verdict))).toEqual(new Set(['passed']));
  const written = ['verification.json', 'exchanges.ndjson', 'changes.ndjson'].map((file) =>
    readFileSync(join(directory, 'pact', file), 'utf8'),
  );
  const secrets = ['TARGET_CLIENT_SECRET', 'TARGET_PORTAL_PASSWORD'].map((name) => sandbox.environment[name]!);
  for (const secret of secrets) expect(written.join('') + out).not.toContain(secret);
});

test('what a lower risk forbids and what a missing fixture keeps from being tried is skipped, and named', async () => {
  const { code } = await verifyPact(
    { RUN_RISK: 'reversible', TARGET_OPERATIONS: 'token.issue,cards,portal.login' },
    { cards: {} },
  );
  expect(code).toBe(0);
  const reasonOf = (interaction: string) => results().find((result) => result.interaction === interaction)!;
  expect(reasonOf('a closing of a card').message).toBe('needs RUN_RISK=irreversible');
  expect(reasonOf('a suspension of a card').message).toContain('cards.active');
  expect(reasonOf('a look-up of a card by its proxy').message).toContain('cards.byProxy.proxyNumber');
  expect(reasonOf('a request to read the balance of a card').verdict).toBe('passed');
  expect(reasonOf('a logout').message).toContain('not in scope');
});

test('nothing that could be tried is no success', async () => {
  const { code, stdout: out } = await verifyPact(
    {
      TARGET_OPERATIONS: 'cards.listRelated',
      TARGET_AUTH_URL: '',
      TARGET_ACCESS_TOKEN: 'obtained-elsewhere',
      TARGET_PORTAL_URL: '',
    },
    {},
  );
  expect(out).toContain('needs cards.withRelated of the fixtures file');
  expect(code).toBe(2);
});

test('a target that cannot be reached is no failure of the target', async () => {
  const { code, stderr: error } = await verifyPact({
    TARGET_AUTH_URL: 'http://127.0.0.1:9',
    TARGET_BASE_URL: 'http://127.0.0.1:9',
    TARGET_PORTAL_URL: 'http://127.0.0.1:9',
  });
  expect(code).toBe(2);
  expect(error).toMatch(/refused|reach/);
});

test('a broker that cannot be reached ends with 2 and its address, and the results are there', async () => {
  const broker = 'http://127.0.0.1:9';
  const { code, stderr: error } = await verifyPact({
    PACT_BROKER_BASE_URL: broker,
    TARGET_VERSION: '7.8.9',
    TARGET_OPERATIONS: 'token.issue,users,portal.login',
  });
  expect(code).toBe(2);
  expect(error).toContain(broker);
  expect(results().filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(3);
});

test('a configuration that cannot be used is named', async () => {
  const { code, stderr: error } = await verifyPact({ PACT_BROKER_BASE_URL: 'http://127.0.0.1:9' });
  expect(error).toBe('TARGET_VERSION: not set, but required by PACT_BROKER_BASE_URL\n');
  expect(code).toBe(2);
});

test('an interrupt ends with 130, and leaves the results so far and no change', async () => {
  const before = JSON.stringify(sandbox.state());
  const TARGET_OPERATIONS = 'token.issue,cards.suspend,cards.unsuspend,cards.getStatus,cards.get,portal';
  const child = spawn(process.execPath, [join(ROOT, 'cli/start.js'), 'verify-pact'], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...environmentWith([{ TARGET_OPERATIONS }]) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [[first], [code]] = await Promise.all([
    once(child.stdout, 'data').then((data) => {
      child.kill('SIGINT');
      return data;
    }),
    once(child, 'exit'),
  ]);
  expect(String(first)).toMatch(/^passed/);
  expect(code).toBe(130);
  expect(results().at(-1)).toMatchObject({ verdict: 'blocked', message: 'interrupted' });
  expect(JSON.stringify(sandbox.state())).toBe(before);
});

test('the process of the Verifier ends with the one that asked it, however that ends', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const verifier = fork(join(ROOT, 'cli/pact/verifier-process.ts'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const file = join(ROOT, 'contracts/published/pacts', pactFile('v3'));
  verifier.send({ provider: 'silent', url, file, states: {} } satisfies VerifierTask);
  await once(silent, 'connection');
  const ended = once(verifier, 'exit');
  verifier.disconnect();
  await ended;
  silent.closeAllConnections();
  silent.close();
});

test('an option that means nothing to pacts is refused', async () => {
  const { code, stderr: error } = await verifyPact({}, {}, ['--only', 'cards.get']);
  expect(error).toBe('--only: not supported, since pacts are always verified as a whole\n');
  expect(code).toBe(2);
});
