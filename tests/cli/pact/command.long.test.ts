import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pactFile } from '../../../cli/pact/published.ts';
import type { PactResult } from '../../../cli/pact/verification.ts';
import type { VerifierTask } from '../../../cli/pact/verifier-process.ts';
import { verifyPact as verifyPactCommand } from '../../../cli/verify-pact.ts';
import { startNode } from '../../../proof/hostile/run.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { inProcess } from '../../tools/in-process.ts';
import { ROOT } from '../../tools/root.ts';
import { environmentOf, sandboxFor } from '../../tools/sandboxes.ts';
import { listen } from '../../tools/servers.ts';

const resultsIn = (reports: string): PactResult[] =>
  JSON.parse(readFileSync(join(reports, 'pact/verification.json'), 'utf8')).results;

/** What `npm run verify:pact` prints and writes against a sandbox. */
async function verified(env: Record<string, string> = {}, fixtures?: object, args: string[] = []) {
  const sandbox = await sandboxFor();
  const reports = temporaryDirectory();
  const environment = { ...environmentOf(sandbox, fixtures), RUN_REPORT_DIR: reports, ...env };
  return { ...(await inProcess(verifyPactCommand, args, environment, reports)), sandbox, reports };
}

test('the sandbox verifies; the results are in the report directory, without secrets', async () => {
  const { code, stdout, stderr, sandbox, reports } = await verified();
  expect(stderr).toBe('');
  expect(code, stdout).toBe(0);
  expect(new Set(resultsIn(reports).map(({ verdict }) => verdict))).toEqual(new Set(['passed']));
  const written = ['verification.json', 'exchanges.ndjson', 'changes.ndjson'].map((file) =>
    readFileSync(join(reports, 'pact', file), 'utf8'),
  );
  const { TARGET_CLIENT_SECRET, TARGET_PORTAL_PASSWORD } = sandbox.environment;
  for (const secret of [TARGET_CLIENT_SECRET, TARGET_PORTAL_PASSWORD])
    expect(written.join('') + stdout).not.toContain(secret);
});

test('what a lower risk forbids and what a missing fixture keeps from being tried is skipped, and named', async () => {
  const env = { RUN_RISK: 'reversible', TARGET_OPERATIONS: 'token.issue,cards,portal.login' };
  const { code, reports } = await verified(env, { cards: {} });
  expect(code).toBe(0);
  const of = (name: string) => resultsIn(reports).find(({ interaction }) => interaction === name)!;
  expect(of('a closing of a card').message).toBe('needs RUN_RISK=irreversible');
  expect(of('a suspension of a card').message).toContain('cards.active');
  expect(of('a look-up of a card by its proxy').message).toContain('cards.byProxy.proxyNumber');
  expect(of('a request to read the balance of a card').verdict).toBe('passed');
  expect(of('a logout').message).toContain('not in scope');
});

test('nothing that could be tried is no success', async () => {
  const given = { TARGET_AUTH_URL: '', TARGET_ACCESS_TOKEN: 'obtained-elsewhere', TARGET_PORTAL_URL: '' };
  const { code, stdout } = await verified({ TARGET_OPERATIONS: 'cards.listRelated', ...given }, {});
  expect(stdout).toContain('needs cards.withRelated of the fixtures file');
  expect(code).toBe(2);
});

const GONE = 'http://127.0.0.1:9';

test.each<[string, Record<string, string>, string[], RegExp]>([
  [
    'a target that cannot be reached',
    { TARGET_AUTH_URL: GONE, TARGET_BASE_URL: GONE, TARGET_PORTAL_URL: GONE },
    [],
    /refused|reach/,
  ],
  ['a broker without a version', { PACT_BROKER_BASE_URL: GONE }, [], /^TARGET_VERSION: not set, but required by .+\n$/],
  ['an option that means nothing to pacts', {}, ['--only', 'cards.get'], /^--only: not supported, since .+\n$/],
])('%s is no failure of the target', async (_, env, args, said) => {
  const { code, stderr } = await verified(env, undefined, args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(said) });
});

test('a broker that cannot be reached ends with 2 and its address, and the results are there', async () => {
  const broker = { PACT_BROKER_BASE_URL: GONE, TARGET_VERSION: '7.8.9' };
  const { code, stderr, reports } = await verified({ ...broker, TARGET_OPERATIONS: 'token.issue,users,portal.login' });
  expect(code).toBe(2);
  expect(stderr).toContain(GONE);
  expect(resultsIn(reports).filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(3);
});

test('an interrupt ends with 130, and leaves the results so far and no change', async () => {
  const sandbox = await sandboxFor();
  const before = JSON.stringify(sandbox.state());
  const TARGET_OPERATIONS = 'token.issue,cards.suspend,cards.unsuspend,cards.getStatus,cards.get,portal';
  const environment = { ...environmentOf(sandbox), TARGET_OPERATIONS };
  const { child, ended } = startNode([join(ROOT, 'cli/start.js'), 'verify-pact'], environment);
  child.stdout!.once('data', () => child.kill('SIGINT'));
  const { code, stdout, reports } = await ended;
  expect(stdout).toMatch(/^passed/);
  expect(code).toBe(130);
  expect(resultsIn(reports).at(-1)).toMatchObject({ verdict: 'blocked', message: 'interrupted' });
  expect(JSON.stringify(sandbox.state())).toBe(before);
});

test('the process of the Verifier ends with the one that asked it, however that ends', async () => {
  const silent = createServer(() => {});
  const url = await listen(silent);
  const verifier = fork(join(ROOT, 'cli/pact/verifier-process.ts'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const file = join(ROOT, 'contracts/published/pacts', pactFile('v3'));
  verifier.send({ provider: 'silent', url, file, states: {} } satisfies VerifierTask);
  await once(silent, 'connection');
  verifier.disconnect();
  await once(verifier, 'exit');
});
