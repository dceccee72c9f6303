import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runFixturesCommand } from '../../../helpers/configuration/fixtures-command.ts';
import { SETTINGS } from '../../../helpers/configuration/settings.ts';
import * as pair from '../../doctor/certificate.ts';
import { BASE, workspace } from './workspace.ts';

const PATH = process.env.PATH ?? '';
const NO_ADDRESS = 'must be an address that begins with http:// or https://';
const REMOTE = { ...BASE, TARGET_BASE_URL: 'https://api.example.com' };

/** The faults of an environment. @param files of the working directory, by relative path */
const faultsOf = (env: Record<string, string>, files?: Record<string, string>) => workspace(files).faults(env);

test('all faults are told at once, one line each, naming variable or option', async () => {
  const { faults } = workspace({ '.env': 'RUN_RATE=fast\n' });
  const env = { ...BASE, TARGET_PORTAL_URL: 'portal', RUN_TIMEOUT_MS: '0' };
  expect(await faults(env, { risk: 'wild', shard: '4/3' })).toEqual([
    `TARGET_PORTAL_URL: ${NO_ADDRESS}`,
    'RUN_RISK (--risk): must be one of safe, reversible, irreversible',
    'RUN_RATE: must be a number from 0 to 100000',
    'RUN_TIMEOUT_MS: must be an integer from 1 to 600000',
    '--shard: must be i/n with i from 1 to n, such as 2/4',
    'TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD: not set, but required by TARGET_PORTAL_URL (or set TARGET_PORTAL_SESSION_ID)',
  ]);
});

test('a TARGET_* variable without an address is a fault that lists them all, so that empty secrets do not turn a job green', async () => {
  const env = { TARGET_TEST_CLOCK_URL: 'http://127.0.0.1/', TARGET_PORTAL_SESSION_ID: 's' };
  expect(await faultsOf({ ...env, TARGET_BASE_URL: '' }, { '.env': 'TARGET_SCOPE=s\n' })).toEqual([
    expect.stringMatching(
      /^TARGET_SCOPE, TARGET_TEST_CLOCK_URL, TARGET_PORTAL_SESSION_ID: set without an address; set one or more of TARGET_AUTH_URL, /,
    ),
  ]);
  // Beside a malformed address, that is the only fault.
  expect(await faultsOf({ ...env, TARGET_PORTAL_URL: 'x' })).toEqual([`TARGET_PORTAL_URL: ${NO_ADDRESS}`]);
});

test('every header that cannot be sent is named at once', async () => {
  const headers = { authorization: 'x', 'a b': 'x', 'c d': 'x', key: 7, other: 'a\nb', good: 'x' };
  expect(await faultsOf({ ...BASE, TARGET_HEADERS: JSON.stringify(headers) })).toEqual([
    expect.stringMatching(/^TARGET_HEADERS: "authorization" is not allowed here/),
    'TARGET_HEADERS: one of its keys is not a valid header name',
    'TARGET_HEADERS: the value of "key" must be a string',
    'TARGET_HEADERS: the value of "other" holds a character that is not allowed in a header',
  ]);
});

describe('an address without what it needs', () => {
  const AUTH = { TARGET_AUTH_URL: 'http://localhost', TARGET_CLIENT_ID: 'c', TARGET_CLIENT_SECRET: 's' };
  const TENANT = { TARGET_TENANT_PATH: 't' };
  const PORTAL = { TARGET_PORTAL_URL: 'http://[::1]:80' };

  test('is not that of tokens without a tenant where the template has none', async () => {
    expect(await faultsOf({ ...AUTH, TARGET_TOKEN_PATH: '/token' })).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['TARGET_CLIENT_ID', { ...AUTH, ...TENANT, TARGET_CLIENT_ID: '', TARGET_ACCESS_TOKEN: 'x' }],
    ['TARGET_CLIENT_SECRET', { ...AUTH, ...TENANT, ...BASE, TARGET_CLIENT_SECRET: '' }],
    ['TARGET_TENANT_PATH', AUTH],
    ['TARGET_AUTH_URL or TARGET_ACCESS_TOKEN', { TARGET_BASE_URL: 'http://localhost' }],
    ['TARGET_PORTAL_PASSWORD', { ...PORTAL, TARGET_PORTAL_LOGIN_ID: 'l' }],
    ['TARGET_PORTAL_LOGIN_ID', { ...PORTAL, TARGET_PORTAL_PASSWORD: 'p' }],
    ['TARGET_CLIENT_CERT', { ...BASE, TARGET_CLIENT_KEY: 'key.pem' }],
    ['TARGET_CLIENT_KEY', { ...BASE, TARGET_CLIENT_CERT: 'cert.pem' }],
  ])('names %s', async (name, env) => {
    const found = await faultsOf(env, { 'cert.pem': pair.certificate, 'key.pem': pair.key });
    expect(found).toEqual([expect.stringMatching(`^${name}: not set, but required by TARGET_`)]);
  });
});

test.each<[string, Record<string, string>, string[]]>([
  ['a portal login', { TARGET_PORTAL_LOGIN_ID: 'l', TARGET_PORTAL_PASSWORD: 'p' }, ['TARGET_PORTAL_URL']],
  ['an empty portal address', { TARGET_PORTAL_URL: '', TARGET_PORTAL_SESSION_ID: 's' }, ['TARGET_PORTAL_URL']],
  ['a client beside other addresses, which are any subset', { TARGET_CLIENT_ID: 'c', TARGET_CLIENT_SECRET: 's' }, []],
  [
    'a portal login where the portal is left out',
    { TARGET_PORTAL_LOGIN_ID: 'l', TARGET_PORTAL_PASSWORD: 'p', TARGET_OPERATIONS: '-portal' },
    [],
  ],
])('a login without its address is a fault, since that may have come out empty: %s', async (_, env, names) => {
  const found = await faultsOf({ ...BASE, ...env });
  expect(found).toEqual(names.map((name) => expect.stringMatching(`^${name}: not set, but TARGET_\\w+`)));
});

test('JSON that cannot be read is told by its line', async () => {
  const text = '{\n  "users": {\n    "customerIdentifier": "c-1",,\n  }\n}\n';
  expect(await faultsOf({ ...BASE, TARGET_FIXTURES: 'fixtures.json' }, { 'fixtures.json': text })).toEqual([
    'TARGET_FIXTURES: the fixtures cannot be read: not valid JSON at line 3, column 33',
  ]);
});

describe('a value that is', () => {
  const WRONG = [
    ['TARGET_BASE_URL', 'localhost:8080', 'ftp://localhost', 'http://', 'http://local host', 'http://localhost:99999'],
    ['TARGET_BASE_URL', 'http://localhost/?a=1', 'http://localhost/#a', 'http://user@localhost/'],
    ['TARGET_TEST_CLOCK_URL', 'clock', 'http://localhost/#a'],
    ['TARGET_ACCESS_TOKEN', 'with-a-break\n', 'Bearer abc'],
    ['TARGET_NAME', 'with\na break'],
    ['TARGET_PORTAL_PASSWORD', 'copied-with-a-break\n'],
    ['TARGET_OPERATIONS', 'cards.get,,users.list', 'cards.grab', 'cards.get,-cards.grab'],
    ['TARGET_TOKEN_PATH', 'token', '/{tenant}/token', '/{tenant_path/token'],
    ['TARGET_PORTAL_PATH', '/_ah/api/', '/{operation}?a=1'],
    ['TARGET_TENANT_PATH', '/'],
    ['TARGET_HEADERS', '{"a":', '["a"]', 'null', '{"AUTHORIZATION": "Bearer x"}', '{"Content-Length": "1"}'],
    ['TARGET_FIXTURES', '~/fixtures.json', 'absent.json', '.'],
    ['RUN_RISK', 'Safe'],
    ['RUN_CONCURRENCY', '0', '1.5', 'Infinity'],
    ['RUN_RATE', '-1', '1e3'],
    ['RUN_TIMEOUT_MS', '10s'],
    ['RUN_MAX_MINUTES', '0'],
    ['RUN_MAX_CIP_CHECKS', '0x10'],
    ['RUN_SEED', '2147483648'],
    ['RUN_WAIT_FOR_EXPIRY', 'yes'],
    ['RUN_REPORT_DIR', '~/reports', 'file.txt', 'file.txt/below'],
    ['RUN_HISTORY', '~'],
    ['RUN_BASELINE', '~/reports/latest', 'absent', 'empty'],
    ['RUN_KNOWN_FAILURES', 'absent.yaml'],
    ['RUN_PERSONAL_DATA', 'hide'],
  ].flatMap(([name, ...values]) => values.map((value) => [name!, value] as const));

  test.each(WRONG)('wrong is one fault: %s=%s', async (name, value) => {
    const found = await faultsOf({ ...BASE, [name]: value }, { 'file.txt': '', 'empty/other': '' });
    expect(found).toEqual([expect.stringMatching(`^${name}: .`)]);
    expect(found[0]).not.toMatch(/[\r\n]/);
  });

  test.each([
    ['only', '', '--only: must name a requirement'],
    ['only', 'cards.grab', '--only: "cards.grab" matches no requirement; the nearest is cards.get'],
    ['only', 'xyzzy', '--only: "xyzzy" matches no requirement'],
    ['shard', '0/3', '--shard: must be i/n with i from 1 to n, such as 2/4'],
    ['shard', '2', '--shard: must be i/n with i from 1 to n, such as 2/4'],
    ['wait-for-target', 'long', '--wait-for-target: must be an integer from 0 to 86400'],
    ['thorough', 'very', '--thorough: must be one of true, false'],
  ])('wrong is one fault: --%s %s', async (option, value, fault) => {
    expect(await workspace().faults({}, { [option]: value })).toEqual([fault]);
  });

  test('the path of a file that is not there is named from the root, if it is no other text', async () => {
    const { cwd, faults } = workspace();
    const named = (path: string) => join(cwd, path);
    expect(await faults({}, { 'env-file': 'absent.env' })).toEqual([
      `--env-file: no such file: ${named('absent.env')}`,
    ]);
    expect(
      await faults({
        ...BASE,
        TARGET_FIXTURES: 'set up/fixtures.json',
        RUN_KNOWN_FAILURES: 'known.yaml',
        TARGET_CLIENT_CERT: 'hush',
        TARGET_CLIENT_KEY: 'own.key',
        RUN_BASELINE: 'old/conformance.json',
      }),
    ).toEqual([
      'TARGET_CLIENT_CERT: no such file',
      `TARGET_CLIENT_KEY: no such file: ${named('own.key')}`,
      `TARGET_FIXTURES: no such file: ${named('set up/fixtures.json')}`,
      `RUN_KNOWN_FAILURES: no such file: ${named('known.yaml')}`,
      `RUN_BASELINE: no such file or directory: ${named('old/conformance.json')}`,
    ]);
  });

  test('right for a baseline or a report directory is none', async () => {
    const { cwd, read } = workspace({ 'old/conformance.json': '{}' });
    for (const baseline of ['old', 'old/conformance.json'])
      expect((await read({ RUN_BASELINE: baseline })).run.baseline).toBe(join(cwd, baseline));
    expect((await read({ RUN_REPORT_DIR: 'new/deep' })).run.reportDir).toBe(join(cwd, 'new/deep'));
    expect(existsSync(join(cwd, 'new'))).toBe(false);
  });
});

test.each([
  ['TARGET_BASEURL', 'TARGET_BASE_URL'],
  ['RUN_MAX_ORDER', 'RUN_MAX_ORDERS'],
  ['target_base_url', 'TARGET_BASE_URL'],
  ['TARGET-BASE-URL', 'TARGET_BASE_URL'],
])('a name that is not known is a fault: %s suggests %s', async (name, suggestion) => {
  const expected = [`${name}: unknown variable; the nearest known one is ${suggestion}`];
  expect(await faultsOf({ ...BASE, [name]: 'hush' })).toEqual(expected);
  expect(await faultsOf(BASE, { '.env': `${name}=hush\n` })).toEqual(expected);
});

test('a name that is not known is a fault in .env, however far from a known one, and in the environment not where it is another program’s', async () => {
  const found = await faultsOf({}, { '.env': 'RUN_SOMETHING_ELSE=1\nUNRELATED=1\n' });
  expect(found).toEqual([expect.stringMatching(/^RUN_SOMETHING_ELSE: unknown variable/)]);
  const others = { RUN_DISPLAY_URL: 'http://ci.example.com', RUN_CHANGES_DISPLAY_URL: 'x', target_arch: 'x64' };
  expect(await faultsOf(others)).toEqual([]);
});

describe('a line of .env', () => {
  test.each([
    ['of the Windows prompt', 'set TARGET_BASE_URL=http://127.0.0.1:9\r\n'],
    ['of PowerShell', '$env:TARGET_BASE_URL = "http://127.0.0.1:9"\n'],
    ['of JSON', '{"TARGET_BASE_URL": "http://127.0.0.1:9"}\n'],
    ['without an equals sign', 'TARGET_BASE_URL http://127.0.0.1:9\n'],
    ['in UTF-16', '\ufeffTARGET_BASE_URL=http://127.0.0.1:9\n'.replace(/./gs, '$&\0')],
  ])('%s is a fault: unread it would leave the run on the embedded sandbox', async (_, text) => {
    expect(await faultsOf({}, { '.env': text })).toEqual(['.env: line 1 is not NAME=value; write it so, in UTF-8']);
  });

  const UNCLOSED = 'the value of TARGET_PORTAL_PASSWORD opens with a quote that does not close it';
  test.each([
    ['"half a password', UNCLOSED],
    ['"half#a password', UNCLOSED],
    ["'half' a password", UNCLOSED],
    ['half#a-password', '# begins a comment; put the value of TARGET_PORTAL_PASSWORD in quotes'],
  ])('whose value would be read in part is a fault, which does not show it: %s', async (value, fault) => {
    const text = `RUN_RATE=0\nTARGET_PORTAL_PASSWORD=${value}\n`;
    expect(await faultsOf({}, { '.env': text })).toEqual([`.env: line 2: ${fault}`]);
  });

  const ALLOWED = '# TARGET_X y\nELSE y\nexport RUN_RATE=0\nRUN_FIXTURES_COMMAND="a\nRUN_X b\n  RUN_Y c"\n';
  test.each([
    ['quotes and # within a value', `RUN_RATE="0" # a limit\nRUN_FIXTURES_COMMAND='"a" # b'\nRUN_SEED=1 #2\nELSE="y\n`],
    ['comments, lines of others and parts of a value', ALLOWED],
    ['the same as Windows writes it', `\ufeff${ALLOWED.replaceAll('\n', '\r\n')}`],
  ])('may hold %s', async (_, text) => {
    expect(await faultsOf({}, { '.env': text })).toEqual([]);
  });
});

describe('a proxy of the environment', () => {
  const PERCENT = 'has a percent sign in its user or password that is not part of an escape; write it as %25';

  test.each([
    ['HTTP_PROXY', 'nonsense', NO_ADDRESS],
    ['https_proxy', 'proxy.example:8080', NO_ADDRESS],
    ['HTTPS_PROXY', 'socks5://proxy.example:1080', NO_ADDRESS],
    ['HTTPS_PROXY', 'http://user:hush%zz@proxy.example:8080', PERCENT],
  ])('is an address whose password can be read: %s, and not %s', async (name, value, fault) => {
    expect(await faultsOf({ ...REMOTE, [name]: value })).toEqual([`${name}: ${fault}`]);
  });

  test.each([
    ['one with credentials', { ...REMOTE, HTTPS_PROXY: 'http://user:password@proxy.example:8080' }],
    ['anything where nothing goes by it', { ...BASE, HTTP_PROXY: 'nonsense' }],
    ['anything behind a valid one', { ...REMOTE, http_proxy: 'http://proxy.example:8080', HTTP_PROXY: 'nonsense' }],
  ])('may be %s', async (_, env) => {
    expect(await faultsOf(env)).toEqual([]);
  });
});

describe('RUN_CONFIRM_HOST', () => {
  const TWO_HOSTS = { ...REMOTE, TARGET_PORTAL_URL: 'https://portal.example.com', TARGET_PORTAL_SESSION_ID: 's' };

  test.each(['reversible', 'irreversible'])(
    'must repeat each host before anything %s, and none for a safe run',
    async (risk) => {
      expect(await faultsOf(TWO_HOSTS)).toEqual([]);
      expect(await faultsOf({ ...TWO_HOSTS, RUN_RISK: risk, RUN_CONFIRM_HOST: 'api.example.com' })).toEqual([
        `RUN_CONFIRM_HOST: must repeat portal.example.com before a run with risk ${risk}; set RUN_CONFIRM_HOST=api.example.com,portal.example.com`,
      ]);
    },
  );

  test('must repeat the host of the test clock too', async () => {
    const env = { ...BASE, TARGET_TEST_CLOCK_URL: 'https://clock.example.com/', RUN_RISK: 'reversible' };
    expect(await faultsOf(env)).toEqual([expect.stringMatching(/^RUN_CONFIRM_HOST: must repeat clock\.example\.com /)]);
  });

  const risky = (host: string) => faultsOf({ ...BASE, TARGET_BASE_URL: `http://${host}:81`, RUN_RISK: 'reversible' });

  test.each(['localhost', '127.0.0.1', '127.3.2.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]'])(
    'is not needed on loopback: %s',
    async (host) => expect(await risky(host)).toEqual([]),
  );

  test.each(['localhost.example.com', '10.0.0.1', '127.0.0.1.example.com', 'api.localhost', '[::ffff:a00:1]'])(
    'does not take %s for loopback',
    async (host) => {
      const repeated = `RUN_CONFIRM_HOST: must repeat ${host.replace(/[[\]]/g, '')} before`;
      expect(await risky(host)).toEqual([expect.stringContaining(repeated)]);
    },
  );
});

test.each([
  ['id: cards.get', 'the whole value: must be a YAML list of entries with id and reason'],
  ['- [', 'not valid YAML at line 1'],
  ['- *a', 'not valid YAML: an alias leads nowhere or repeats too much'],
  ['- id: cards.get', '[0].reason: must be text'],
  ['- { id: cards.get, reason: "" }', '[0].reason: must not be empty'],
  ['- { id: cards.get, reason: r, expires: 2030-02-30 }', '[0].expires: must be a date as YYYY-MM-DD'],
  ['- { id: cards.get, reason: r, link: "javascript:x" }', `[0].link: ${NO_ADDRESS}`],
  ['- { id: cards.get, reason: r, until: x }', 'unknown key [0].until'],
  ['- { id: cards.grab, reason: r }', '"cards.grab" matches no requirement; the nearest is cards.get'],
])('known failures that are wrong are a fault: %s', async (yaml, fault) => {
  const { faults } = workspace({ 'known.yaml': yaml });
  const found = await faults({}, { 'known-failures': 'known.yaml' });
  expect(found).toEqual([`RUN_KNOWN_FAILURES (--known-failures): ${fault}`]);
});

describe('a client certificate', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  const key = privateKey.export(pem).toString();
  const locked = privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'hush' }).toString();
  const ANOTHER_KEY = expect.stringMatching(
    /^TARGET_CLIENT_CERT, TARGET_CLIENT_KEY: the key does not belong .*; set TARGET_CLIENT_KEY /,
  );
  const NO_CERTIFICATE = 'TARGET_CLIENT_CERT: the file does not hold a certificate in PEM format';
  const NO_KEY = 'TARGET_CLIENT_KEY: the file does not hold a private key without a passphrase in PEM format';
  const FILES = { cert: pair.certificate, own: pair.key, other: key, locked, text: 'hush' };

  test.each([
    ['cert', 'own', []],
    ['cert', 'other', [ANOTHER_KEY]],
    ['other', 'locked', [NO_CERTIFICATE, NO_KEY]],
    ['absent', 'text', ['TARGET_CLIENT_CERT: no such file', NO_KEY]],
  ])('from the file %s has its key in the file %s', async (cert, own, faults) => {
    expect(await faultsOf({ ...BASE, TARGET_CLIENT_CERT: cert, TARGET_CLIENT_KEY: own }, FILES)).toEqual(faults);
  });

  test('is named by path: its text is refused and not repeated', async () => {
    const names = ['TARGET_CLIENT_CERT', 'TARGET_CLIENT_KEY'];
    expect(await faultsOf({ ...BASE, ...Object.fromEntries(names.map((name) => [name, key])) })).toEqual(
      names.map((name) => `${name}: must be the path of a PEM file, not its content`),
    );
  });
});

describe('a command for fresh fixtures', () => {
  test.each([
    ['exit 3', 'the command ended with exit code 3'],
    ['echo hush', 'the fixtures cannot be read: not valid JSON'],
    [`echo '{"portal":{"restrictedLogin":{"passwort":"hush"}}}'`, 'unknown key portal.restrictedLogin.passwort'],
  ])('that fails is a fault: %s', async (command, fault) => {
    const found = await faultsOf({ ...BASE, RUN_FIXTURES_COMMAND: command, PATH });
    expect(found).toEqual([`RUN_FIXTURES_COMMAND: ${fault}`]);
  });

  test('is not run while anything else is wrong', async () => {
    const { cwd, faults } = workspace();
    await faults({ ...BASE, RUN_RATE: 'x', RUN_FIXTURES_COMMAND: 'touch ran', PATH });
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
  });

  test.skipIf(!existsSync('/proc/self/stat'))('is ended with all that it started when it does not end', async () => {
    const { cwd } = workspace();
    const run = runFixturesCommand('sleep 600 & echo $! > pid; wait', cwd, { PATH }, 5000);
    await expect(run).rejects.toThrow('the command took longer than 5 s');
    const pid = readFileSync(join(cwd, 'pid'), 'utf8').trim();
    const alive = () => existsSync(`/proc/${pid}`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    await expect.poll(alive, { timeout: 20_000 }).toBe(false);
  });

  test('is ended when it prints without end', async () => {
    const running = runFixturesCommand('yes', workspace().cwd, { PATH });
    await expect(running).rejects.toThrow('the command printed more than 16 MiB');
  });
});

test('no value that may be a secret stands in a fault, wherever it was put by mistake', async () => {
  const canary = 'canary-1f0c77';
  const address = `http://u:${canary}@localhost/?${canary}#`;
  const shapes = [canary, address, `{"a": "${canary}", "b": 5}`, `{"authorization": "${canary}`];
  const names = Object.values(SETTINGS).flatMap((setting) => ('variable' in setting ? [setting.variable] : []));
  // Those of operations are repeated on purpose.
  for (const name of names.filter((candidate) => candidate !== 'TARGET_OPERATIONS'))
    for (const shape of shapes) {
      const found = await faultsOf({ TARGET_AUTH_URL: 'nonsense', [name]: shape, PATH });
      expect(found.length, name).toBeGreaterThan(0);
      expect(found.join('\n'), name).not.toContain(canary);
    }
});
