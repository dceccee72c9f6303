import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runFixturesCommand } from '../../../helpers/configuration/fixtures-command.ts';
import { SETTINGS } from '../../../helpers/configuration/settings.ts';
import * as pair from '../../doctor/certificate.ts';
import { BASE, workspace } from './workspace.ts';

const PATH = process.env.PATH ?? '';

test('all faults are told at once, one line each, naming variable or option', async () => {
  const { faults } = workspace({ '.env': 'RUN_RATE=fast\n' });
  const found = await faults(
    { ...BASE, TARGET_PORTAL_URL: 'portal', RUN_TIMEOUT_MS: '0' },
    { risk: 'wild', shard: '4/3' },
  );
  expect(found).toEqual([
    'TARGET_PORTAL_URL: must be an address that begins with http:// or https://',
    'RUN_RISK (--risk): must be one of safe, reversible, irreversible',
    'RUN_RATE: must be a number from 0 to 100000',
    'RUN_TIMEOUT_MS: must be an integer from 1 to 600000',
    '--shard: must be i/n with i from 1 to n, such as 2/4',
    'TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD: not set, but required by TARGET_PORTAL_URL (or set TARGET_PORTAL_SESSION_ID)',
  ]);
});

describe('a TARGET_* variable without an address', () => {
  test('is a fault that lists them all, so that empty secrets do not turn a job green', async () => {
    const { faults } = workspace({ '.env': 'TARGET_SCOPE=s\n' });
    const [fault, ...others] = await faults({ TARGET_CLIENT_ID: 'c', TARGET_BASE_URL: '' });
    expect(fault).toMatch(
      /^TARGET_SCOPE, TARGET_CLIENT_ID: set without an address; set one or more of TARGET_AUTH_URL, /,
    );
    expect(others).toEqual([]);
  });

  test.each(['TARGET_NAME', 'TARGET_TEST_CLOCK_URL', 'TARGET_PORTAL_SESSION_ID'])(
    'is one even if it is %s alone',
    async (name) => {
      expect(await workspace().faults({ [name]: 'http://127.0.0.1/' })).toEqual([
        expect.stringMatching(`^${name}: set without`),
      ]);
    },
  );

  test('does not hide behind a malformed address', async () => {
    expect(
      await workspace().faults({ TARGET_NAME: 'n', TARGET_PORTAL_SESSION_ID: 's', TARGET_PORTAL_URL: 'x' }),
    ).toEqual([expect.stringMatching(/^TARGET_PORTAL_URL: must be an address/)]);
  });
});

test('every header that cannot be sent is named at once', async () => {
  const headers = { authorization: 'x', 'a b': 'x', 'c d': 'x', key: 7, other: 'a\nb', good: 'x' };
  expect(await workspace().faults({ ...BASE, TARGET_HEADERS: JSON.stringify(headers) })).toEqual([
    expect.stringMatching(/^TARGET_HEADERS: "authorization" is not allowed here/),
    'TARGET_HEADERS: one of its keys is not a valid header name',
    'TARGET_HEADERS: the value of "key" must be a string',
    'TARGET_HEADERS: the value of "other" holds a character that is not allowed in a header',
  ]);
});

describe('an address without what it needs', () => {
  const AUTH = {
    TARGET_AUTH_URL: 'http://localhost',
    TARGET_CLIENT_ID: 'c',
    TARGET_CLIENT_SECRET: 's',
    TARGET_TENANT_PATH: 't',
  };
  const PORTAL = { TARGET_PORTAL_URL: 'http://[::1]:80' };

  test.each([
    ['AUTH with client and tenant', AUTH],
    [
      'AUTH without tenant where the template has none',
      { ...AUTH, TARGET_TENANT_PATH: '', TARGET_TOKEN_PATH: '/token' },
    ],
    ['BASE with AUTH', { ...AUTH, TARGET_BASE_URL: 'http://localhost' }],
    ['BASE with a token', BASE],
    ['PORTAL with login', { ...PORTAL, TARGET_PORTAL_LOGIN_ID: 'l', TARGET_PORTAL_PASSWORD: 'p' }],
    ['PORTAL with a session', { ...PORTAL, TARGET_PORTAL_SESSION_ID: 's' }],
  ])('is not %s', async (_what, env) => {
    expect(await workspace().faults(env)).toEqual([]);
  });

  test.each([
    ['TARGET_CLIENT_ID', { ...AUTH, TARGET_CLIENT_ID: '' }],
    ['TARGET_CLIENT_SECRET', { ...AUTH, TARGET_CLIENT_SECRET: '' }],
    ['TARGET_CLIENT_SECRET', { ...AUTH, ...BASE, TARGET_CLIENT_SECRET: '' }],
    ['TARGET_TENANT_PATH', { ...AUTH, TARGET_TENANT_PATH: '' }],
    ['TARGET_AUTH_URL or TARGET_ACCESS_TOKEN', { TARGET_BASE_URL: 'http://localhost' }],
    ['TARGET_PORTAL_PASSWORD', { ...PORTAL, TARGET_PORTAL_LOGIN_ID: 'l' }],
    ['TARGET_PORTAL_LOGIN_ID', { ...PORTAL, TARGET_PORTAL_PASSWORD: 'p' }],
    ['TARGET_CLIENT_ID', { ...AUTH, TARGET_CLIENT_ID: '', TARGET_ACCESS_TOKEN: 'x' }],
  ])('names %s', async (name, env) => {
    const found = await workspace().faults(env);
    expect(found).toEqual([expect.stringMatching(`^${name}: not set, but required by TARGET_`)]);
  });
});

describe('a value that is', () => {
  test.each([
    ['TARGET_BASE_URL', 'localhost:8080'],
    ['TARGET_BASE_URL', 'ftp://localhost'],
    ['TARGET_BASE_URL', 'http://'],
    ['TARGET_BASE_URL', 'http://local host'],
    ['TARGET_BASE_URL', 'http://localhost:99999'],
    ['TARGET_BASE_URL', 'http://localhost/?a=1'],
    ['TARGET_BASE_URL', 'http://localhost/#a'],
    ['TARGET_BASE_URL', 'http://user@localhost/'],
    ['TARGET_TEST_CLOCK_URL', 'clock'],
    ['TARGET_ACCESS_TOKEN', 'with-a-break\n'],
    ['TARGET_ACCESS_TOKEN', 'Bearer abc'],
    ['TARGET_NAME', 'with\na break'],
    ['TARGET_PORTAL_PASSWORD', 'copied-with-a-break\n'],
    ['TARGET_OPERATIONS', 'cards.get,,users.list'],
    ['TARGET_OPERATIONS', 'cards.grab'],
    ['TARGET_OPERATIONS', 'cards.get,-cards.grab'],
    ['TARGET_TOKEN_PATH', 'token'],
    ['TARGET_TOKEN_PATH', '/{tenant}/token'],
    ['TARGET_TOKEN_PATH', '/{tenant_path/token'],
    ['TARGET_PORTAL_PATH', '/_ah/api/'],
    ['TARGET_PORTAL_PATH', '/{operation}?a=1'],
    ['TARGET_TENANT_PATH', '/'],
    ['TARGET_FIXTURES', '~/fixtures.json'],
    ['RUN_REPORT_DIR', '~/reports'],
    ['RUN_HISTORY', '~'],
    ['RUN_BASELINE', '~/reports/latest'],
    ['TARGET_HEADERS', '{"a":'],
    ['TARGET_HEADERS', '["a"]'],
    ['TARGET_HEADERS', 'null'],
    ['TARGET_HEADERS', '{"a": 1}'],
    ['TARGET_HEADERS', '{"a b": "c"}'],
    ['TARGET_HEADERS', '{"a": "b\\nc"}'],
    ['TARGET_HEADERS', '{"AUTHORIZATION": "Bearer x"}'],
    ['TARGET_HEADERS', '{"Content-Length": "1"}'],
    ['TARGET_FIXTURES', 'absent.json'],
    ['TARGET_FIXTURES', '.'],
    ['RUN_RISK', 'Safe'],
    ['RUN_CONCURRENCY', '0'],
    ['RUN_CONCURRENCY', '1.5'],
    ['RUN_CONCURRENCY', 'Infinity'],
    ['RUN_RATE', '-1'],
    ['RUN_RATE', '1e3'],
    ['RUN_TIMEOUT_MS', '10s'],
    ['RUN_MAX_MINUTES', '0'],
    ['RUN_SETTLE_MS', '-5'],
    ['RUN_MAX_ORDERS', 'many'],
    ['RUN_MAX_CIP_CHECKS', '0x10'],
    ['RUN_SEED', '2147483648'],
    ['RUN_WAIT_FOR_EXPIRY', 'yes'],
    ['RUN_REPORT_DIR', 'file.txt'],
    ['RUN_REPORT_DIR', 'file.txt/below'],
    ['RUN_BASELINE', 'absent'],
    ['RUN_BASELINE', 'empty'],
    ['RUN_KNOWN_FAILURES', 'absent.yaml'],
    ['RUN_PERSONAL_DATA', 'hide'],
  ])('wrong is one fault: %s=%s', async (name, value) => {
    const { faults } = workspace({ 'file.txt': '', 'empty/other': '' });
    const found = await faults({ ...BASE, [name]: value });
    expect(found).toEqual([expect.stringMatching(`^${name}: .`)]);
    expect(found[0]).not.toMatch(/[\r\n]/);
  });

  test.each([
    ['only', '', '--only: must name a requirement'],
    ['only', 'cards.grab', '--only: "cards.grab" matches no requirement; the nearest is cards.get'],
    ['only', 'xyzzy', '--only: "xyzzy" matches no requirement'],
    ['only', 'cards.get,', '--only: must be names separated by single commas'],
    ['shard', '0/3', '--shard: must be i/n with i from 1 to n, such as 2/4'],
    ['shard', '2', '--shard: must be i/n with i from 1 to n, such as 2/4'],
    ['wait-for-target', 'long', '--wait-for-target: must be an integer from 0 to 86400'],
    ['env-file', 'absent.env', '--env-file: no such file'],
    ['thorough', 'very', '--thorough: must be one of true, false'],
  ])('wrong is one fault: --%s %s', async (option, value, fault) => {
    expect(await workspace().faults({}, { [option]: value })).toEqual([fault]);
  });

  test('right for a baseline or a report directory is none', async () => {
    const { cwd, read } = workspace({ 'old/conformance.json': '{}' });
    for (const baseline of ['old', 'old/conformance.json']) {
      expect((await read({ RUN_BASELINE: baseline })).run.baseline).toBe(join(cwd, baseline));
    }
    expect((await read({ RUN_REPORT_DIR: 'new/deep' })).run.reportDir).toBe(join(cwd, 'new/deep'));
    expect(existsSync(join(cwd, 'new'))).toBe(false);
  });
});

describe('a name that is not known', () => {
  test.each([
    ['TARGET_PORTL_URL', 'TARGET_PORTAL_URL'],
    ['TARGET_BASEURL', 'TARGET_BASE_URL'],
    ['RUN_MAX_ORDER', 'RUN_MAX_ORDERS'],
    ['RUN_KNOWN_FAILURE', 'RUN_KNOWN_FAILURES'],
  ])('is a fault: %s suggests %s', async (name, suggestion) => {
    expect(await workspace().faults({ ...BASE, [name]: 'hush' })).toEqual([
      `${name}: unknown variable; the nearest known one is ${suggestion}`,
    ]);
  });

  test('is a fault in .env, however far from a known one', async () => {
    const { faults } = workspace({ '.env': 'RUN_SOMETHING_ELSE=1\nUNRELATED=1\n' });
    expect(await faults()).toEqual([expect.stringMatching(/^RUN_SOMETHING_ELSE: unknown variable/)]);
  });

  test('is none of our business in the process environment when it is another program’s RUN_*', async () => {
    expect(
      await workspace().faults({ RUN_DISPLAY_URL: 'http://ci.example.com', RUN_CHANGES_DISPLAY_URL: 'x' }),
    ).toEqual([]);
  });
});

describe('a line of .env', () => {
  test.each([
    ['of the Windows prompt', 'set TARGET_BASE_URL=http://127.0.0.1:9\r\n'],
    ['of PowerShell', '$env:TARGET_BASE_URL = "http://127.0.0.1:9"\n'],
    ['of JSON', '{"TARGET_BASE_URL": "http://127.0.0.1:9"}\n'],
    ['without an equals sign', 'TARGET_BASE_URL http://127.0.0.1:9\n'],
    ['in UTF-16', '\ufeffTARGET_BASE_URL=http://127.0.0.1:9\n'.replace(/./gs, '$&\0')],
  ])('%s is a fault: unread it would leave the run on the embedded sandbox', async (_, text) => {
    expect(await workspace({ '.env': text }).faults()).toEqual([
      '.env: line 1 is not NAME=value; write it so, in UTF-8',
    ]);
  });

  test.each(['target_base_url', 'TARGET-BASE-URL', 'Target_Base_Url'])('that sets %s is a fault', async (name) => {
    const expected = [`${name}: unknown variable; the nearest known one is TARGET_BASE_URL`];
    expect(await workspace({ '.env': `${name}=http://127.0.0.1:9\n` }).faults()).toEqual(expected);
    expect(await workspace().faults({ [name]: 'http://127.0.0.1:9' })).toEqual(expected);
  });

  test.each([
    ['"half a password', '.env: line 2: the value of TARGET_PORTAL_PASSWORD opens with a quote that does not close it'],
    ['"half#a password', '.env: line 2: the value of TARGET_PORTAL_PASSWORD opens with a quote that does not close it'],
    [
      "'half' a password",
      '.env: line 2: the value of TARGET_PORTAL_PASSWORD opens with a quote that does not close it',
    ],
    ['half#a-password', '.env: line 2: # begins a comment; put the value of TARGET_PORTAL_PASSWORD in quotes'],
  ])('whose value would be read in part is a fault, which does not show it: %s', async (value, fault) => {
    const faults = await workspace({ '.env': `RUN_RATE=0\nTARGET_PORTAL_PASSWORD=${value}\n` }).faults();
    expect(faults).toEqual([fault]);
  });

  test('may have quotes and # where they are part of a value', async () => {
    const text = `RUN_RATE="0" # a limit\nRUN_FIXTURES_COMMAND='"a" # b'\nRUN_SEED=1 #2\nELSE="y\n`;
    expect(await workspace({ '.env': text }).faults()).toEqual([]);
  });

  test('may be a comment, anybody else’s, or a part of a value', async () => {
    const text = '# TARGET_X y\nELSE y\nexport RUN_RATE=0\nRUN_FIXTURES_COMMAND="a\nRUN_X b\n  RUN_Y c"\n';
    expect(await workspace({ '.env': `\ufeff${text.replaceAll('\n', '\r\n')}` }).faults()).toEqual([]);
    expect(await workspace({ '.env': text }).faults({ target_arch: 'x64' })).toEqual([]);
  });
});

describe('a proxy of the environment', () => {
  const REMOTE = { ...BASE, TARGET_BASE_URL: 'https://api.example.com' };

  test.each(['nonsense', 'proxy.example:8080', 'socks5://proxy.example:1080'])(
    'is an address, and not %s',
    async (value) => {
      for (const name of ['HTTP_PROXY', 'https_proxy'])
        expect(await workspace().faults({ ...REMOTE, [name]: value })).toEqual([
          `${name}: must be an address that begins with http:// or https://`,
        ]);
    },
  );

  test('is one whose password can be read', async () => {
    expect(await workspace().faults({ ...REMOTE, HTTPS_PROXY: 'http://user:hush%zz@proxy.example:8080' })).toEqual([
      'HTTPS_PROXY: has a percent sign in its user or password that is not part of an escape; write it as %25',
    ]);
  });

  test('may be one with credentials, and anything where nothing goes by it', async () => {
    expect(await workspace().faults({ ...REMOTE, HTTPS_PROXY: 'http://user:password@proxy.example:8080' })).toEqual([]);
    expect(await workspace().faults({ ...BASE, HTTP_PROXY: 'nonsense' })).toEqual([]);
    const hidden = { http_proxy: 'http://proxy.example:8080', HTTP_PROXY: 'nonsense' };
    expect(await workspace().faults({ ...REMOTE, ...hidden })).toEqual([]);
  });
});

describe('RUN_CONFIRM_HOST', () => {
  const REMOTE = {
    ...BASE,
    TARGET_BASE_URL: 'https://api.example.com',
    TARGET_PORTAL_URL: 'https://portal.example.com',
    TARGET_PORTAL_SESSION_ID: 's',
  };

  test.each(['reversible', 'irreversible'])('must repeat each host before anything %s', async (risk) => {
    expect(await workspace().faults({ ...REMOTE, RUN_RISK: risk, RUN_CONFIRM_HOST: 'api.example.com' })).toEqual([
      `RUN_CONFIRM_HOST: must repeat portal.example.com before a run with risk ${risk}; set RUN_CONFIRM_HOST=api.example.com,portal.example.com`,
    ]);
  });

  test('must repeat the host of the test clock too', async () => {
    const env = { ...BASE, TARGET_TEST_CLOCK_URL: 'https://clock.example.com/', RUN_RISK: 'reversible' };
    expect(await workspace().faults(env)).toEqual([
      expect.stringMatching(/^RUN_CONFIRM_HOST: must repeat clock\.example\.com /),
    ]);
  });

  test('is not needed for a safe run, nor on loopback', async () => {
    const { faults } = workspace();
    expect(await faults(REMOTE)).toEqual([]);
    for (const host of ['localhost', '127.0.0.1', '127.3.2.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]']) {
      expect(await faults({ ...BASE, TARGET_BASE_URL: `http://${host}:81`, RUN_RISK: 'irreversible' })).toEqual([]);
    }
  });

  test.each(['localhost.example.com', '10.0.0.1', '127.0.0.1.example.com', 'api.localhost', '[::ffff:10.0.0.1]'])(
    'does not take %s for loopback',
    async (host) => {
      const found = await workspace().faults({ ...BASE, TARGET_BASE_URL: `http://${host}`, RUN_RISK: 'reversible' });
      const { hostname } = new URL(`http://${host}`);
      expect(found).toEqual([
        expect.stringContaining(`RUN_CONFIRM_HOST: must repeat ${hostname.replace(/^\[|\]$/g, '')} `),
      ]);
    },
  );
});

describe('known failures', () => {
  test.each([
    ['id: cards.get', 'the whole value: must be a YAML list of entries with id and reason'],
    ['- [', 'not valid YAML at line 1'],
    ['- *a', 'not valid YAML: an alias leads nowhere or repeats too much'],
    ['- id: cards.get', '[0].reason: must be text'],
    ['- { id: cards.get, reason: "" }', '[0].reason: must not be empty'],
    ['- { id: cards.get, reason: r, expires: 31.12.2030 }', '[0].expires: must be a date as YYYY-MM-DD'],
    ['- { id: cards.get, reason: r, expires: 2030-02-30 }', '[0].expires: must be a date as YYYY-MM-DD'],
    [
      '- { id: cards.get, reason: r, link: "javascript:x" }',
      '[0].link: must be an address that begins with http:// or https://',
    ],
    ['- { id: cards.get, reason: r, until: x }', 'unknown key [0].until'],
    ['- { id: cards.grab, reason: r }', '"cards.grab" matches no requirement; the nearest is cards.get'],
  ])('that are wrong are a fault: %s', async (yaml, fault) => {
    const { faults } = workspace({ 'known.yaml': yaml });
    expect(await faults({}, { 'known-failures': 'known.yaml' })).toEqual([
      `RUN_KNOWN_FAILURES (--known-failures): ${fault}`,
    ]);
  });
});

describe('a client certificate', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const locked = privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'hush' })
    .toString();

  test('needs its key', async () => {
    const { faults } = workspace({ 'key.pem': key });
    expect(await faults({ ...BASE, TARGET_CLIENT_KEY: 'key.pem' })).toEqual([
      'TARGET_CLIENT_CERT: not set, but required by TARGET_CLIENT_KEY',
    ]);
  });

  test('has to be that of its key', async () => {
    const { faults } = workspace({ 'cert.pem': pair.certificate, 'key.pem': key, 'own.pem': pair.key });
    expect(await faults({ ...BASE, TARGET_CLIENT_CERT: 'cert.pem', TARGET_CLIENT_KEY: 'own.pem' })).toEqual([]);
    expect(await faults({ ...BASE, TARGET_CLIENT_CERT: 'cert.pem', TARGET_CLIENT_KEY: 'key.pem' })).toEqual([
      expect.stringMatching(
        /^TARGET_CLIENT_CERT, TARGET_CLIENT_KEY: the key does not belong .*; set TARGET_CLIENT_KEY /,
      ),
    ]);
  });

  test('comes from files that hold what they should', async () => {
    const { faults } = workspace({ 'key.pem': key, 'locked.pem': locked, 'text.pem': 'hush' });
    expect(await faults({ ...BASE, TARGET_CLIENT_CERT: 'key.pem', TARGET_CLIENT_KEY: 'locked.pem' })).toEqual([
      'TARGET_CLIENT_CERT: the file does not hold a certificate in PEM format',
      'TARGET_CLIENT_KEY: the file does not hold a private key without a passphrase in PEM format',
    ]);
    expect(await faults({ ...BASE, TARGET_CLIENT_CERT: 'absent.pem', TARGET_CLIENT_KEY: 'text.pem' })).toEqual([
      'TARGET_CLIENT_CERT: no such file',
      'TARGET_CLIENT_KEY: the file does not hold a private key without a passphrase in PEM format',
    ]);
  });

  test('is named by path: its text is refused and not repeated', async () => {
    expect(await workspace().faults({ ...BASE, TARGET_CLIENT_CERT: key, TARGET_CLIENT_KEY: key })).toEqual([
      'TARGET_CLIENT_CERT: must be the path of a PEM file, not its content',
      'TARGET_CLIENT_KEY: must be the path of a PEM file, not its content',
    ]);
  });
});

describe('a command for fresh fixtures', () => {
  test.each([
    ['exit 3', 'the command ended with exit code 3'],
    ['echo hush', 'the fixtures cannot be read: not valid JSON'],
    [`echo '{"portal":{"restrictedLogin":{"passwort":"hush"}}}'`, 'unknown key portal.restrictedLogin.passwort'],
  ])('that fails is a fault: %s', async (command, fault) => {
    expect(await workspace().faults({ ...BASE, RUN_FIXTURES_COMMAND: command, PATH })).toEqual([
      `RUN_FIXTURES_COMMAND: ${fault}`,
    ]);
  });

  test('is not run while anything else is wrong', async () => {
    const { cwd, faults } = workspace();
    await faults({ ...BASE, RUN_RATE: 'x', RUN_FIXTURES_COMMAND: 'touch ran', PATH });
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
  });

  test.skipIf(!existsSync('/proc/self/stat'))(
    'is ended with all that it started when it does not end by itself',
    async () => {
      const { cwd } = workspace();
      const run = runFixturesCommand('sleep 600 & echo $! > pid; wait', cwd, { PATH }, 5000);
      await expect(run).rejects.toThrow('the command took longer than 5 s');
      const pid = readFileSync(join(cwd, 'pid'), 'utf8').trim();
      const alive = () => existsSync(`/proc/${pid}`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
      await expect.poll(alive, { timeout: 20_000 }).toBe(false);
    },
  );

  test('is ended when it prints without end', async () => {
    const { cwd } = workspace();
    await expect(runFixturesCommand('yes', cwd, { PATH })).rejects.toThrow('the command printed more than 16 MiB');
  });
});

test('no value that may be a secret stands in a fault, wherever it was put by mistake', async () => {
  const canary = 'canary-1f0c77';
  const shapes = [
    canary,
    `http://u:${canary}@localhost/?${canary}#`,
    `{"a": "${canary}", "b": 5}`,
    `{"authorization": "${canary}`,
  ];
  const { faults } = workspace();
  const names = Object.values(SETTINGS).flatMap((setting) => ('variable' in setting ? [setting.variable] : []));
  // What is repeated on purpose: names of requirements, operations and programs.
  const repeated = ['TARGET_OPERATIONS'];
  for (const name of names.filter((candidate) => !repeated.includes(candidate))) {
    for (const shape of shapes) {
      const found = await faults({ TARGET_AUTH_URL: 'nonsense', [name]: shape, PATH });
      expect(found.length, name).toBeGreaterThan(0);
      expect(found.join('\n'), name).not.toContain(canary);
    }
  }
});
