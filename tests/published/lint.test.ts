import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openApi } from '../../contracts/publish/openapi.ts';

const root = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'published-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Exit code of a linter that is installed with the project, and what it prints. */
function lint(tool: 'redocly' | 'spectral', ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/.bin', tool), 'lint', ...args],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  return { status, said: stdout + stderr };
}

const documents = ['token', 'v3', 'v1'].flatMap((edition) =>
  ['json', 'yaml'].map((type) => `contracts/published/openapi-${edition}.${type}`),
);

test('Redocly has nothing to say of the documents under its recommended rules', () => {
  const { status, said } = lint('redocly', ...documents);
  expect(said).not.toMatch(/warning|error/i);
  expect(status).toBe(0);
});

test('Spectral has nothing to say of the documents under its recommended rules', () => {
  const { status, said } = lint('spectral', '--fail-severity=hint', ...documents);
  expect(said).toContain("No results with a severity of 'hint' or higher found");
  expect(status).toBe(0);
});

test.each(['redocly', 'spectral'] as const)('%s finds an example that breaks its schema', (tool) => {
  const document = join(directory, 'openapi-broken.json');
  writeFileSync(document, JSON.stringify(openApi('v3')).replaceAll('"balance":25.5', '"balance":"25.5"'));
  const { said } = lint(tool, document);
  expect(said).toMatch(/warning|error/i);
  expect(said).toMatch(/balance/);
});
