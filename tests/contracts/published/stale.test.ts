import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PUBLISHED, publishedFiles } from '../../../cli/published-files.ts';
import { CONTRACTS_VERSION } from '../../../contracts/publish/version.ts';
import { ROOT } from '../../tools/root.ts';

const files = await publishedFiles();
const root = join(ROOT, PUBLISHED);
const STALE = 'run npm run publish:contracts';

test('what is published is what the contracts give, and nothing else', () => {
  const published = globSync('**/*.*', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  expect(published.sort(), STALE).toEqual(Object.keys(files).sort());
});

test.each(Object.keys(files))('%s is up to date', (path) => {
  expect(readFileSync(join(root, path), 'utf8'), STALE).toBe(files[path]);
});

test('the version of the contracts is the newest one of their changelog', () => {
  const changelog = readFileSync(join(root, '../CHANGELOG.md'), 'utf8');
  expect(/^## (\S+)$/m.exec(changelog)?.[1]).toBe(CONTRACTS_VERSION);
  expect(CONTRACTS_VERSION).toMatch(/^\d+\.\d+\.\d+$/);
});
