/** The library as a program of others uses it: several runs at once, a run that is ended early, faults of options, a sandbox with a broken rule. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { ConfigurationError, conformance } from 'prepaid-card-conformance';
import { operations, requirements } from 'prepaid-card-conformance/contracts';
import { startSandbox } from 'prepaid-card-conformance/sandbox';

assert.ok(operations.length > 30 && requirements.length > 500);
const before = readdirSync('.');

const sandbox = await startSandbox({ rules: { successStatus: () => 202 } });
const {
  TARGET_AUTH_URL: authUrl,
  TARGET_BASE_URL: baseUrl,
  TARGET_TENANT_PATH: tenantPath,
  TARGET_CLIENT_ID: clientId,
  TARGET_CLIENT_SECRET: clientSecret,
} = sandbox.environment;
const target = { authUrl, baseUrl, tenantPath, clientId, clientSecret };
let last;
const [sound, faulty] = await Promise.all([
  conformance({ only: ['users.'], onProgress: (progress) => (last = progress) }),
  conformance({ target, fixtures: sandbox.fixtures, risk: 'safe', only: ['users.get.'], seed: 1 }),
]);
assert.equal(sound.summary.verdict, 'conformant');
assert.equal(last.done, last.total);
assert.equal(faulty.summary.verdict, 'nonconformant');
assert.ok(faulty.requirements.some(({ id, verdict }) => id === 'users.get.status' && verdict === 'failed'));

const ended = await conformance({ signal: AbortSignal.abort() });
assert.equal(ended.run.interrupted, true);

await assert.rejects(conformance({ target: { clientId: 'id' }, risk: 'none', fixtures: { no: 1 } }), (error) => {
  assert.ok(error instanceof ConfigurationError);
  assert.ok(error.faults.length > 1, error.message);
  return true;
});
await sandbox.close();
assert.deepEqual(readdirSync('.'), before, 'nothing is written unless asked');
console.log('as documented');
