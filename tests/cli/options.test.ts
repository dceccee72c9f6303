import { parse } from 'dotenv';
import { describe, expect, test, vi } from 'vitest';
import { throwing } from '../../cli/command.ts';
import { configurable, givenOptions } from '../../cli/options.ts';
import { run } from '../../cli/run.ts';
import { SUBCOMMANDS } from '../../cli/subcommands.ts';
import { configurationPage, envExample } from '../../helpers/configuration/documentation.ts';
import { SETTINGS, settings } from '../../helpers/configuration/settings.ts';
import { callOf } from '../../reports/call-of.ts';
import { configurationOf } from '../../run/options.ts';
import { workspace } from '../helpers/configuration/workspace.ts';
import { inProcess } from '../tools/in-process.ts';

/** The options of a run. */
const runOptions = (args: string[]) => givenOptions(throwing(configurable('')).parse(args, { from: 'user' }));

describe('the command line', () => {
  test('mirrors every RUN_* variable', () => {
    for (const [, { variable, option }] of settings) {
      if (variable?.startsWith('RUN_')) expect(option).toBe(variable.slice(4).toLowerCase().replaceAll('_', '-'));
      else expect(variable === undefined).toBe(option !== undefined);
    }
  });

  test.each([
    [[], {}],
    [
      ['--max-minutes=5', '--thorough', '--embedded', 'false'],
      { 'max-minutes': '5', thorough: 'true', embedded: 'false' },
    ],
    [['--only', 'cards.get,users.', '--only', '*.shape'], { only: 'cards.get,users.,*.shape' }],
  ])('gives texts, joined where one is given in parts: %j', (args, options) => {
    expect(runOptions(args)).toEqual(options);
  });

  test('is understood by the configuration', async () => {
    const options = runOptions(['--embedded', '--seed', '7', '--wait-for-expiry', '--shard', '1/2']);
    const { run, target } = await workspace().read({}, options);
    expect(target.embedded).toBe(true);
    expect(run).toMatchObject({ seed: 7, waitForExpiry: true, shard: { index: 1, count: 2 } });
  });

  test('tells all options with their defaults, and the subcommands', async () => {
    const { code, stdout, stderr } = await inProcess(run, ['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of Object.keys(SUBCOMMANDS)) expect(stdout).toContain(`\n  ${name} `);
    const text = stdout.replace(/\s+/g, ' ');
    for (const [, { option, default: fixed, otherwise }] of settings) {
      if (option === undefined) continue;
      expect(text).toContain(` --${option} `);
      if (otherwise ?? fixed) expect(text).toContain(`(default: ${otherwise ?? fixed}).`);
    }
  });

  test.each([
    [['--rsk', 'safe'], "error: unknown option '--rsk' (Did you mean --risk?)\n"],
    [['--access-token=canary-1f0c77'], "error: unknown option '--access-token'\n"],
    [['--risk'], "error: option '--risk <level>' argument missing\n"],
    [['cards.get'], 'error: too many arguments. Expected 0 arguments but got 1: cards.get.\n'],
  ])('answers %j with one line and exit code 2', async (args, stderr) => {
    expect(await inProcess(run, args)).toEqual({ code: 2, stdout: '', stderr });
  });
});

describe('what is written about the settings', () => {
  test.each([
    ['.env.example', envExample],
    ['docs/configuration.md', configurationPage],
  ])('%s is what the table gives (vitest run --update writes it)', async (file, text) => {
    await expect(text()).toMatchFileSnapshot(`../../${file}`);
  });

  test('.env.example sets nothing and names every variable', async () => {
    const variables = Object.values(SETTINGS).flatMap((setting) => ('variable' in setting ? [setting.variable] : []));
    expect(parse(envExample())).toEqual(Object.fromEntries(variables.map((name) => [name, ''])));
  });
});

describe('options by the names that their user knows', () => {
  test('the library names its own in faults', async () => {
    await expect(configurationOf({ target: { baseUrl: 'nowhere' }, timeoutMs: 0 })).rejects.toMatchObject({
      faults: [
        'target.baseUrl: must be an address that begins with http:// or https://',
        'timeoutMs: must be an integer from 1 to 600000',
        'target.authUrl or target.accessToken: not set, but required by target.baseUrl',
      ],
    });
    // As from variables of the environment that are not set: a target was meant.
    await expect(configurationOf({ target: { baseUrl: undefined, accessToken: '' } })).rejects.toMatchObject({
      faults: [
        expect.stringMatching(
          /^target\.baseUrl, target\.accessToken: empty, .*, or leave out target for the embedded sandbox$/,
        ),
      ],
    });
    await expect(configurationOf({ requireTarget: true })).rejects.toThrow(/^requireTarget: no target is given/);
    expect((await configurationOf({ target: {} })).target.embedded).toBe(true);
    const target = { baseUrl: 'https://a.example', accessToken: 'token-0001' };
    const faults = [expect.stringMatching(/^confirmHost: must repeat a\.example/)];
    await expect(configurationOf({ target, risk: 'reversible' })).rejects.toMatchObject({ faults });
  });

  test.each(['cleanup', 'replay', 'doctor', 'verify-pact'])(
    'the help of %s names what it has a use for',
    async (name) => {
      const { stdout } = await inProcess(await SUBCOMMANDS[name]!.load(), ['--help']);
      expect(stdout).toContain('--rate');
      expect(stdout).not.toMatch(/--(?:shard|bail|known-failures|thorough)/);
    },
  );

  test('a GitHub Action, whose user has no clone, speaks of npx', () => {
    expect(callOf('run')).toBe('npm start --');
    vi.stubEnv('GITHUB_ACTION_PATH', '/action');
    expect(callOf('run')).toBe('npx prepaid-card-conformance run');
  });
});
