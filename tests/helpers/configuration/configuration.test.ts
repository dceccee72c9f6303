import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { envExample } from '../../../helpers/configuration/documentation.ts';
import { readConfiguration } from '../../../helpers/configuration/index.ts';
import { configurationSecrets } from '../../../helpers/configuration/secrets.ts';
import { BASE, workspace } from './workspace.ts';

describe('with no TARGET_* variable set', () => {
  test('the run is against the embedded sandbox, with its defaults', async () => {
    const { cwd, read } = workspace();
    const { target, fixtures, run } = await read();
    expect(target).toMatchObject({ name: 'embedded sandbox', version: '', embedded: true, operations: [] });
    expect(fixtures).toEqual({});
    // Those that depend on nothing else stand in docs/configuration.md.
    expect(run).toMatchObject({
      risk: 'irreversible',
      maxMinutes: 30,
      settleMs: 0,
      only: [],
      knownFailures: [],
    });
    expect(run).toMatchObject({
      concurrency: 8,
      rate: 0,
      waitForExpiry: false,
      thorough: false,
      failOn: 'failures',
    });
    expect([run.reportDir, run.history]).toEqual([join(cwd, 'reports/latest'), join(cwd, 'reports/history')]);
    expect(run.repeated).toEqual({ risk: 'irreversible', seed: String(run.seed) });
  });

  test('the seed is of 31 bits and differs from run to run', async () => {
    const { read } = workspace();
    const seeds = await Promise.all(Array.from({ length: 5 }, async () => (await read()).run.seed));
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true);
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });
});

describe('with empty TARGET_* variables', () => {
  test('they are as good as none where something else gives the target', async () => {
    const { read } = workspace({ '.env': 'TARGET_BASE_URL=http://127.0.0.1:8080\nTARGET_NAME=\n' });
    const { target } = await read({ TARGET_BASE_URL: '', TARGET_ACCESS_TOKEN: 'token', TARGET_PORTAL_URL: '' });
    expect(target).toMatchObject({ embedded: false, name: '127.0.0.1:8080', baseUrl: 'http://127.0.0.1:8080' });
    expect(target.portalUrl).toBeUndefined();
  });

  test.each<[string, Record<string, string>, string?]>([
    ['the process environment', { TARGET_BASE_URL: '' }],
    ['.env', {}, 'TARGET_BASE_URL=\n'],
    ['both', { TARGET_AUTH_URL: '' }, 'TARGET_BASE_URL='],
    ['an unfilled copy of .env.example', {}, envExample()],
  ])('of %s a target was meant: never a run on the sandbox', async (_, env, file) => {
    const { faults, read } = workspace(file === undefined ? {} : { '.env': file });
    expect(await faults(env)).toEqual([
      expect.stringMatching(
        /^TARGET_.*: empty, and there is no address; set one or more of TARGET_AUTH_URL, .* --embedded$/,
      ),
    ]);
    expect((await read(env, { embedded: 'true' })).target.embedded).toBe(true);
  });
});

describe('RUN_REQUIRE_TARGET', () => {
  const required = { RUN_REQUIRE_TARGET: 'true' };

  test('refuses the embedded sandbox, unless it is asked for', async () => {
    const { faults, read, cwd } = workspace();
    const refused = [expect.stringMatching(/^RUN_REQUIRE_TARGET: no TARGET_\* variable is set; .* --embedded$/)];
    expect(await faults(required)).toEqual(refused);
    expect(await faults(required, { shard: '3/3' })).toEqual(refused);
    await expect(readConfiguration({ env: required, options: {}, cwd, purpose: 'proxy' })).rejects.toThrow('no TARGET');
    expect((await read(required, { embedded: 'true' })).target.embedded).toBe(true);
    expect((await read({ RUN_REQUIRE_TARGET: 'false' })).target.embedded).toBe(true);
  });

  test('asks nothing more of a target, and nothing of recordings', async () => {
    const { faults, cwd } = workspace();
    expect(await faults({ ...BASE, ...required })).toEqual([]);
    const judged = await readConfiguration({ env: required, options: {}, cwd, purpose: 'judgement' });
    expect(judged.target.embedded).toBe(false);
  });
});

/** Every variable of a target: its text, and the member of the configuration that it becomes. */
const VARIABLES: [variable: string, text: string, member: string, value?: unknown][] = [
  ['TARGET_NAME', 'Sound', 'name'],
  ['TARGET_VERSION', '7', 'version'],
  ['TARGET_AUTH_URL', 'https://login.example.com/', 'authUrl', 'https://login.example.com'],
  ['TARGET_BASE_URL', 'https://api.example.com/v3//', 'baseUrl', 'https://api.example.com/v3'],
  ['TARGET_PORTAL_URL', 'http://portal.example.com:8080', 'portalUrl'],
  ['TARGET_OPERATIONS', 'cards., users.list', 'operations', ['cards.', 'users.list']],
  ['TARGET_TENANT_PATH', '/tenant/', 'tenantPath', 'tenant'],
  ['TARGET_CLIENT_ID', 'client', 'clientId'],
  ['TARGET_CLIENT_SECRET', 'secret-of-the-client', 'clientSecret'],
  ['TARGET_SCOPE', 'https://resource.example.com/.default', 'scope'],
  ['TARGET_GRANT_TYPE', 'other', 'grantType'],
  ['TARGET_PORTAL_LOGIN_ID', 'login-of-the-portal', 'portalLoginId'],
  ['TARGET_PORTAL_PASSWORD', 'password-of-the-portal', 'portalPassword'],
  ['TARGET_TOKEN_PATH', '/{tenant_path}/token', 'tokenPath'],
  ['TARGET_PORTAL_PATH', '/{endpoint_set}/v1/{operation}', 'portalPath'],
  ['TARGET_HEADERS', '{"X-Gateway-Key": "key-of-the-gateway"}', 'headers', { 'X-Gateway-Key': 'key-of-the-gateway' }],
  ['TARGET_TEST_CLOCK_URL', 'http://127.0.0.1:9/clock?key=1', 'testClockUrl'],
];

describe('on a target', () => {
  const ALL = {
    ...Object.fromEntries(VARIABLES.map(([variable, text]) => [variable, text])),
    RUN_RISK: 'reversible',
    RUN_CONFIRM_HOST: 'API.example.com, login.example.com,portal.example.com',
  };

  test('every variable is read', async () => {
    const { target, run } = await workspace().read(ALL);
    const members = VARIABLES.map(([, text, member, value = text]) => [member, value]);
    expect(target).toEqual({ ...Object.fromEntries(members), embedded: false });
    expect(run).toMatchObject({ risk: 'reversible', settleMs: 1000, maxMinutes: 30 });
  });

  test('the run is safe, and the target is called by its host, unless told otherwise', async () => {
    const { target, run } = await workspace().read(BASE);
    expect(target.name).toBe('127.0.0.1:8080');
    expect(run).toMatchObject({ risk: 'safe', settleMs: 1000 });
  });

  test('waiting for expiry takes 90 minutes, but not where a test clock saves the waiting', async () => {
    const { read } = workspace();
    const minutes = async (env: object) =>
      (await read({ ...BASE, RUN_WAIT_FOR_EXPIRY: 'true', ...env })).run.maxMinutes;
    expect(await minutes({})).toBe(90);
    expect(await minutes({ TARGET_TEST_CLOCK_URL: 'http://localhost/clock' })).toBe(30);
    expect(await minutes({ RUN_MAX_MINUTES: '0.5' })).toBe(0.5);
  });

  test('what is configured survives a structured clone, integers beyond 2^53 included', async () => {
    const { read } = workspace({ 'fixtures.json': '{"portal":{"customerId":9007199254740993}}' });
    const configuration = await read({ ...BASE, TARGET_FIXTURES: 'fixtures.json' });
    expect(configuration.fixtures.portal?.customerId).toBe(9007199254740993n);
    expect(structuredClone(configuration)).toEqual(configuration);
  });

  test('all secrets are told, for redaction', async () => {
    const fixtures = '{"portal":{"restrictedLogin":{"password":"password-of-the-restricted"}}}';
    const { read } = workspace({ 'fixtures.json': fixtures });
    expect(configurationSecrets(await read({ ...ALL, TARGET_FIXTURES: 'fixtures.json' }))).toEqual([
      { label: 'CLIENT_SECRET', value: 'secret-of-the-client' },
      { label: 'PORTAL_LOGIN_ID', value: 'login-of-the-portal' },
      { label: 'PORTAL_PASSWORD', value: 'password-of-the-portal' },
      { label: 'HEADER', value: 'key-of-the-gateway' },
      { label: 'FIXTURE_SECRET', value: 'password-of-the-restricted' },
    ]);
  });
});

describe('of several sources', () => {
  test('an option wins over the process environment, which wins over .env where it is not empty', async () => {
    const { read } = workspace({ '.env': 'RUN_SEED=1\nRUN_CONCURRENCY=1\nRUN_MAX_ORDERS=1\nRUN_RATE=1\n' });
    const { run } = await read({ RUN_SEED: '2', RUN_CONCURRENCY: '2', RUN_RATE: '' }, { seed: '3' });
    expect(run).toMatchObject({ seed: 3, concurrency: 2, maxOrders: 1, rate: 1 });
    expect(process.env).not.toHaveProperty('RUN_SEED');
  });

  test('--env-file takes the place of .env', async () => {
    const { read } = workspace({ '.env': 'RUN_SEED=1\nRUN_MAX_ORDERS=1\n', 'other.env': 'RUN_SEED=2\n' });
    expect((await read({}, { 'env-file': 'other.env' })).run).toMatchObject({ seed: 2, maxOrders: 60 });
  });

  test('--embedded leaves out the TARGET_* variables, faulty ones too', async () => {
    const { read } = workspace({ '.env': 'TARGET_PORTAL_URL=nonsense\nTARGET_PORTL_URL=x\n' });
    const { target, run } = await read({ ...BASE, TARGET_HEADERS: '{' }, { embedded: 'true', risk: 'safe' });
    expect(target).toMatchObject({ embedded: true, name: 'embedded sandbox' });
    expect([target.baseUrl, target.accessToken]).toEqual([undefined, undefined]);
    expect(run.risk).toBe('safe');
  });

  test('what another run needs to find the same is kept, by option', async () => {
    const env = { RUN_SETTLE_MS: '300', RUN_SEED: '7', RUN_REPORT_DIR: 'there' };
    const { run } = await workspace().read(env, { thorough: 'true', only: 'cards.get' });
    expect(run.repeated).toEqual({ 'settle-ms': '300', seed: '7', thorough: 'true', risk: 'irreversible' });
  });

  test('the options that only the command line has are read', async () => {
    const parts = { only: 'cards.get, *.shape', shard: '2/3', 'wait-for-target': '45' };
    const { run } = await workspace().read({}, { ...parts, thorough: 'true', matrix: 'true', bail: 'true' });
    expect(run).toMatchObject({ shard: { index: 2, count: 3 }, thorough: true, matrix: true, bail: true });
    expect(run).toMatchObject({ only: ['cards.get', '*.shape'], waitForTargetSeconds: 45 });
  });
});

const knownFailures = async (yaml: string) =>
  (await workspace({ 'known.yaml': yaml }).read({ RUN_KNOWN_FAILURES: 'known.yaml' })).run.knownFailures;

test('known failures are a list of id, reason, optional link and expiry date', async () => {
  const yaml = `
- id: cards.get.shape
  reason: balance is text
  link: https://example.com/issues/1
  expires: 2030-12-31
- { id: users.*, reason: not built yet, expiry: '2031-01-31' }
`;
  expect(await knownFailures(yaml)).toEqual([
    { id: 'cards.get.shape', reason: 'balance is text', link: 'https://example.com/issues/1', expires: '2030-12-31' },
    { id: 'users.*', reason: 'not built yet', expires: '2031-01-31' },
  ]);
});

test.each(['', '# none yet\n', '[]'])('known failures may be none: %j', async (yaml) => {
  expect(await knownFailures(yaml)).toEqual([]);
});

test('a command for fresh fixtures takes the place of the fixtures file, but not on the embedded sandbox', async () => {
  const { read } = workspace({
    'old.json': '{"cards":{"withRelated":"old"}}',
    'new.json': '{"cards":{"withRelated":"new"}}',
  });
  const command = { TARGET_FIXTURES: 'old.json', RUN_FIXTURES_COMMAND: 'cat new.json', PATH: process.env.PATH ?? '' };
  expect((await read({ ...BASE, ...command })).fixtures).toEqual({ cards: { withRelated: 'new' } });
  expect((await read({ RUN_FIXTURES_COMMAND: 'exit 3' })).fixtures).toEqual({});
});
