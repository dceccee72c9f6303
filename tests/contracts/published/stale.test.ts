import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PUBLISHED, publishedFiles } from '../../../cli/published-files.ts';
import { CONTRACTS_VERSION } from '../../../contracts/publish/version.ts';
import { ROOT } from '../../tools/root.ts';

const files = await publishedFiles();
const root = join(ROOT, PUBLISHED);

test('what is published is what the contracts give, and nothing else', () => {
  const published = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    );
  expect(published.sort(), 'run npm run publish:contracts').toEqual(Object.keys(files).sort());
});

test.each(Object.keys(files))('%s is up to date', (path) => {
  expect(readFileSync(join(root, path), 'utf8'), 'run npm run publish:contracts').toBe(files[path]);
});

test('the version of the contracts is the newest one of their changelog', () => {
  const changelog = readFileSync(join(root, '../CHANGELOG.md'), 'utf8');
  expect(/^## (\S+)$/m.exec(changelog)?.[1]).toBe(CONTRACTS_VERSION);
  expect(CONTRACTS_VERSION).toMatch(/^\d+\.\d+\.\d+$/);
});
