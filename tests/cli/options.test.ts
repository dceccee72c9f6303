import { CommanderError } from 'commander';
import { parse } from 'dotenv';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { throwing } from '../../cli/command.ts';
import { configurable, givenOptions } from '../../cli/options.ts';
import { run } from '../../cli/run.ts';
import { SUBCOMMANDS } from '../../cli/subcommands.ts';
import { configurationPage, envExample } from '../../helpers/configuration/documentation.ts';
import type { ConfigurationError } from '../../helpers/configuration/index.ts';
import { SETTINGS, settings } from '../../helpers/configuration/settings.ts';
import { callOf } from '../../reports/call-of.ts';
import { configurationOf, type RunOptions } from '../../run/options.ts';
import { workspace } from '../helpers/configuration/workspace.ts';
import { inProcess } from '../tools/in-process.ts';

/** The options of a run. */
const runOptions = (args: string[]) => givenOptions(throwing(configurable('')).parse(args, { from: 'user' }));

/** What is printed, and the exit code that the arguments ask for. */
function ended(...args: string[]) {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const texts = () => ({ out: out.mock.calls.join(''), err: err.mock.calls.join('') });
  try {
    runOptions(args);
    return { code: undefined, ...texts() };
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode, ...texts() };
    throw error;
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

describe('the command line', () => {
  test('mirrors every RUN_* variable', () => {
    for (const [, { variable, option }] of settings) {
      if (variable?.startsWith('RUN_')) expect(option).toBe(variable.slice(4).toLowerCase().replaceAll('_', '-'));
      else expect(variable === undefined).toBe(option !== undefined);
    }
  });

  test('gives texts, and nothing for what is not said', () => {
    expect(runOptions(['--risk', 'safe', '--max-minutes=5', '--embedded', '--thorough', 'false'])).toEqual({
      risk: 'safe',
      'max-minutes': '5',
      embedded: 'true',
      thorough: 'false',
    });
    expect(runOptions([])).toEqual({});
  });

  test('joins a list that is given in parts', () => {
    expect(runOptions(['--only', 'cards.get,users.', '--only', '*.shape'])).toEqual({
      only: 'cards.get,users.,*.shape',
    });
  });

  test('is understood by the configuration', async () => {
    const { run, target } = await workspace().read(
      {},
      runOptions(['--embedded', '--seed', '7', '--wait-for-expiry', '--shard', '1/2']),
    );
    expect(target.embedded).toBe(true);
    expect(run).toMatchObject({ seed: 7, waitForExpiry: true, shard: { index: 1, count: 2 } });
  });

  test('tells all options with their defaults', () => {
    const { code, out, err } = ended('--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const text = out.replace(/\s+/g, ' ');
    for (const [, { option, default: fixed, otherwise }] of settings) {
      if (option === undefined) continue;
      expect(text).toContain(` --${option} `);
      if (otherwise ?? fixed) expect(text).toContain(`(default: ${otherwise ?? fixed}).`);
    }
  });

  test('tells the subcommands as well', async () => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => out.mockRestore());
    expect(await run(['--help'])).toBe(0);
    for (const name of Object.keys(SUBCOMMANDS)) expect(out.mock.calls.join('')).toContain(`\n  ${name} `);
  });

  test.each([
    [['--rsk', 'safe'], "error: unknown option '--rsk' (Did you mean --risk?)\n"],
    [['--access-token=canary-1f0c77'], "error: unknown option '--access-token'\n"],
    [['--risk'], "error: option '--risk <level>' argument missing\n"],
    [['cards.get'], 'error: too many arguments. Expected 0 arguments but got 1: cards.get.\n'],
  ])('answers %j with one line and exit code 2', (args, line) => {
    expect(ended(...args)).toEqual({ code: 2, out: '', err: line });
  });
});

describe('what is written about the settings', () => {
  test('.env.example is what the table gives (vitest run --update writes it)', async () => {
    await expect(envExample()).toMatchFileSnapshot('../../.env.example');
  });

  test('docs/configuration.md is what the table gives', async () => {
    await expect(configurationPage()).toMatchFileSnapshot('../../docs/configuration.md');
  });

  test('.env.example sets nothing and names every variable', async () => {
    const variables = Object.values(SETTINGS).flatMap((setting) => ('variable' in setting ? [setting.variable] : []));
    expect(parse(envExample())).toEqual(Object.fromEntries(variables.map((name) => [name, ''])));
    expect((await workspace({ '.env': envExample() }).read()).target.embedded).toBe(true);
  });

  test('the table holds a row for every variable, with its default', () => {
    const rows = configurationPage()
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(settings.filter(([, { variable }]) => variable).length);
    expect(rows).toContain('| `RUN_CONCURRENCY` `--concurrency` | Maximum number of requests in flight. | `8` |');
    expect(rows).toContain('| `TARGET_CLIENT_SECRET` | Client secret of the clientCredentials flow. Secret. |  |');
  });
});

describe('options by the names that their user knows', () => {
  test('the library names its own in faults', async () => {
    const faults = async (options: RunOptions) => {
      const error = await configurationOf(options).catch((error: unknown) => error);
      return (error as ConfigurationError).faults;
    };
    expect(await faults({ target: { baseUrl: 'nowhere' }, timeoutMs: 0 })).toEqual([
      'target.baseUrl: must be an address that begins with http:// or https://',
      'timeoutMs: must be an integer from 1 to 600000',
      'target.authUrl or target.accessToken: not set, but required by target.baseUrl',
    ]);
    const target = { baseUrl: 'https://a.example', accessToken: 'token-0001' };
    expect((await faults({ target, risk: 'reversible' })).join()).toMatch(/^confirmHost: must repeat a\.example/);
  });

  test.each(['cleanup', 'replay', 'doctor', 'verify-pact'])(
    'the help of %s has none that it has no use for',
    async (name) => {
      const { stdout } = await inProcess(await SUBCOMMANDS[name]!.load(), ['--help']);
      expect(stdout).toContain('--rate');
      for (const other of ['--shard', '--bail', '--known-failures', '--thorough']) expect(stdout).not.toContain(other);
    },
  );

  test('a GitHub Action, whose user has no clone, speaks of npx', () => {
    expect(callOf('run')).toBe('npm start --');
    vi.stubEnv('GITHUB_ACTION_PATH', '/action');
    expect(callOf('run')).toBe('npx prepaid-card-conformance run');
  });
});
