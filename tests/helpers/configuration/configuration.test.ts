import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configurationSecrets } from '../../../helpers/configuration/secrets.ts';
import { BASE, workspace } from './workspace.ts';

describe('with no TARGET_* variable set', () => {
  test('the run is against the embedded sandbox, with its defaults', async () => {
    const { cwd, read } = workspace();
    const { target, fixtures, run } = await read();
    expect(target).toEqual({
      name: 'embedded sandbox',
      version: '',
      embedded: true,
      operations: [],
      tokenPath: '/{tenant_path}/B2C_1_signupandsignin/oauth2/v2.0/token',
      portalPath: '/_ah/api/{operation}',
      grantType: 'client_credentials',
      headers: {},
    });
    expect(fixtures).toEqual({});
    expect(run).toEqual({
      risk: 'irreversible',
      concurrency: 8,
      rate: 0,
      timeoutMs: 10_000,
      maxMinutes: 30,
      settleMs: 0,
      maxOrders: 60,
      maxCipChecks: 60,
      seed: expect.any(Number),
      waitForExpiry: false,
      reportDir: join(cwd, 'reports/latest'),
      failOn: 'failures',
      history: join(cwd, 'reports/history'),
      knownFailures: [],
      personalData: 'mask',
      only: [],
      bail: false,
      thorough: false,
      matrix: false,
      repeated: { risk: 'irreversible', seed: expect.any(String) },
    });
  });

  test('the seed is of 31 bits and differs from run to run', async () => {
    const { read } = workspace();
    const seeds = await Promise.all(Array.from({ length: 5 }, async () => (await read()).run.seed));
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true);
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });

  test('empty ones are as good as none', async () => {
    const { target } = await workspace({ '.env': 'TARGET_PORTAL_URL=\n' }).read({
      TARGET_BASE_URL: '',
      TARGET_CLIENT_ID: '',
    });
    expect(target.embedded).toBe(true);
  });
});

describe('on a target', () => {
  const ALL = {
    TARGET_NAME: 'Sound',
    TARGET_VERSION: '7',
    TARGET_AUTH_URL: 'https://login.example.com/',
    TARGET_BASE_URL: 'https://api.example.com/v3//',
    TARGET_PORTAL_URL: 'http://portal.example.com:8080',
    TARGET_OPERATIONS: 'cards., users.list',
    TARGET_TENANT_PATH: '/tenant/',
    TARGET_CLIENT_ID: 'client',
    TARGET_CLIENT_SECRET: 'secret-of-the-client',
    TARGET_SCOPE: 'https://resource.example.com/.default',
    TARGET_GRANT_TYPE: 'other',
    TARGET_PORTAL_LOGIN_ID: 'login-of-the-portal',
    TARGET_PORTAL_PASSWORD: 'password-of-the-portal',
    TARGET_TOKEN_PATH: '/{tenant_path}/token',
    TARGET_PORTAL_PATH: '/{endpoint_set}/v1/{operation}',
    TARGET_HEADERS: '{"X-Gateway-Key": "key-of-the-gateway"}',
    TARGET_TEST_CLOCK_URL: 'http://127.0.0.1:9/clock?key=1',
    RUN_RISK: 'reversible',
    RUN_CONFIRM_HOST: 'API.example.com, login.example.com,portal.example.com',
  };

  test('every variable is read', async () => {
    const { target, run } = await workspace().read(ALL);
    expect(target).toEqual({
      name: 'Sound',
      version: '7',
      embedded: false,
      authUrl: 'https://login.example.com',
      baseUrl: 'https://api.example.com/v3',
      portalUrl: 'http://portal.example.com:8080',
      operations: ['cards.', 'users.list'],
      tenantPath: 'tenant',
      clientId: 'client',
      clientSecret: 'secret-of-the-client',
      scope: 'https://resource.example.com/.default',
      grantType: 'other',
      portalLoginId: 'login-of-the-portal',
      portalPassword: 'password-of-the-portal',
      tokenPath: '/{tenant_path}/token',
      portalPath: '/{endpoint_set}/v1/{operation}',
      headers: { 'X-Gateway-Key': 'key-of-the-gateway' },
      testClockUrl: 'http://127.0.0.1:9/clock?key=1',
    });
    expect(run).toMatchObject({ risk: 'reversible', settleMs: 1000, maxMinutes: 30 });
  });

  test('the run is safe, and the target is called by its host, unless told otherwise', async () => {
    const { target, run } = await workspace().read(BASE);
    expect(target.name).toBe('127.0.0.1:8080');
    expect(run).toMatchObject({ risk: 'safe', settleMs: 1000 });
  });

  test('waiting for expiry takes 90 minutes, but not where a test clock saves the waiting', async () => {
    const { read } = workspace();
    const waiting = { ...BASE, RUN_WAIT_FOR_EXPIRY: 'true' };
    expect((await read(waiting)).run).toMatchObject({ waitForExpiry: true, maxMinutes: 90 });
    expect((await read({ ...waiting, TARGET_TEST_CLOCK_URL: 'http://localhost/clock' })).run.maxMinutes).toBe(30);
    expect((await read({ ...waiting, RUN_MAX_MINUTES: '0.5' })).run.maxMinutes).toBe(0.5);
  });

  test('what is configured survives a structured clone, integers beyond 2^53 included', async () => {
    const fixtures = '{"portal":{"customerId":9007199254740993}}';
    const configuration = await workspace({ 'fixtures.json': fixtures }).read({
      ...BASE,
      TARGET_FIXTURES: 'fixtures.json',
    });
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
  test('an option wins over the process environment, which wins over .env', async () => {
    const { read } = workspace({ '.env': 'RUN_SEED=1\nRUN_CONCURRENCY=1\nRUN_MAX_ORDERS=1\n' });
    const { run } = await read({ RUN_SEED: '2', RUN_CONCURRENCY: '2' }, { seed: '3' });
    expect(run).toMatchObject({ seed: 3, concurrency: 2, maxOrders: 1 });
  });

  test('an empty variable of the process does not hide the one of .env', async () => {
    const { run } = await workspace({ '.env': 'RUN_SEED=1\n' }).read({ RUN_SEED: '' });
    expect(run.seed).toBe(1);
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

  test('the process environment is not changed', async () => {
    await workspace({ '.env': 'RUN_SEED=1\n' }).read();
    expect(process.env).not.toHaveProperty('RUN_SEED');
  });

  test('what another run needs to find the same is kept, by option', async () => {
    const env = { RUN_SETTLE_MS: '300', RUN_SEED: '7', RUN_REPORT_DIR: 'there' };
    const options = { thorough: 'true', only: 'cards.get' };
    expect((await workspace().read(env, options)).run.repeated).toEqual({
      'settle-ms': '300',
      seed: '7',
      thorough: 'true',
      risk: 'irreversible',
    });
  });

  test('the options that only the command line has are read', async () => {
    const options = {
      only: 'cards.get, *.shape',
      shard: '2/3',
      thorough: 'true',
      matrix: 'true',
      'wait-for-target': '45',
    };
    expect((await workspace().read({}, options)).run).toMatchObject({
      only: ['cards.get', '*.shape'],
      shard: { index: 2, count: 3 },
      thorough: true,
      matrix: true,
      waitForTargetSeconds: 45,
    });
  });
});

describe('known failures', () => {
  const read = async (yaml: string) =>
    (await workspace({ 'known.yaml': yaml }).read({ RUN_KNOWN_FAILURES: 'known.yaml' })).run.knownFailures;

  test('are a list of id, reason, optional link and expiry date', async () => {
    const yaml = `
- id: cards.get.shape
  reason: balance is text
  link: https://example.com/issues/1
  expires: 2030-12-31
- { id: users.*, reason: not built yet, expiry: '2031-01-31' }
`;
    expect(await read(yaml)).toEqual([
      { id: 'cards.get.shape', reason: 'balance is text', link: 'https://example.com/issues/1', expires: '2030-12-31' },
      { id: 'users.*', reason: 'not built yet', expires: '2031-01-31' },
    ]);
  });

  test.each(['', '# none yet\n', '[]'])('may be none: %j', async (yaml) => {
    expect(await read(yaml)).toEqual([]);
  });
});

describe('a command for fresh fixtures', () => {
  test('takes the place of the fixtures file', async () => {
    const { read } = workspace({
      'old.json': '{"cards":{"withRelated":"old"}}',
      'new.json': '{"cards":{"withRelated":"new"}}',
    });
    const { fixtures } = await read({
      ...BASE,
      TARGET_FIXTURES: 'old.json',
      RUN_FIXTURES_COMMAND: 'cat new.json',
      PATH: process.env.PATH ?? '',
    });
    expect(fixtures).toEqual({ cards: { withRelated: 'new' } });
  });

  test('is not run on the embedded sandbox', async () => {
    expect((await workspace().read({ RUN_FIXTURES_COMMAND: 'exit 3' })).fixtures).toEqual({});
  });
});
