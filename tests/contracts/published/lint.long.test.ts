import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { INTERFACES } from '../../../cli/published-files.ts';
import { operations } from '../../../contracts/operations.ts';
import { openApi } from '../../../contracts/publish/openapi.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { program } from '../../tools/installed.ts';
import { ROOT } from '../../tools/root.ts';

const directory = temporaryDirectory(afterAll);

/** Exit code of a linter, and what it prints. */
function lint(tool: 'redocly' | 'spectral', ...args: string[]) {
  const env = { ...process.env, NO_COLOR: '1', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const command = [program(tool), 'lint', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8', env });
  return { status, stdout, said: stdout + stderr };
}

const files = INTERFACES.flatMap((at) => [`openapi-${at}.json`, `openapi-${at}.yaml`]);
const documents = files.map((file) => `contracts/published/${file}`);

test('Redocly has nothing to say of the documents under its recommended rules', () => {
  const { status, said } = lint('redocly', ...documents);
  expect(said).not.toMatch(/warning|error/i);
  expect(status).toBe(0);
});

test('Spectral misses a success of the operations that are listed only, and nothing else under its recommended rules', () => {
  // No success is written for these on purpose: a tool would call them to see it.
  const { stdout } = lint('spectral', '--fail-severity=hint', '--format=json', ...documents);
  const findings = JSON.parse(stdout.slice(0, stdout.lastIndexOf(']') + 1)) as { code: string }[];
  expect([...new Set(findings.map(({ code }) => code))]).toEqual(['operation-success-response']);
  expect(findings.length).toBe(2 * operations.filter(({ listedOnly }) => listedOnly).length);
});

test.each(['redocly', 'spectral'] as const)('%s finds an example that breaks its schema', (tool) => {
  const document = join(directory, 'openapi-broken.json');
  writeFileSync(document, JSON.stringify(openApi('v3')).replaceAll('"balance":25.5', '"balance":"25.5"'));
  const { said } = lint(tool, document);
  expect(said).toMatch(/warning|error/i);
  expect(said).toMatch(/balance/);
});
