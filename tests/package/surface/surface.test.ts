import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../tools/root.ts';
import { manifest, surface } from './surface.ts';

const [releasedVersion = '', ...released] = readFileSync(join(import.meta.dirname, 'released.txt'), 'utf8').split('\n');

/** The part of a version that breaks may change: the major one, before 1.0.0 the minor one (https://semver.org). */
const breaking = (version: string) => {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : major;
};

test('nothing of the released surface is gone, unless the version says so', () => {
  const now = new Set(surface());
  expect(now.size).toBeGreaterThan(500);
  const gone = released.filter((line) => line && !now.has(line));
  if (breaking(manifest.version) === breaking(releasedVersion))
    expect(gone, 'a breaking change: raise the version and say so in CHANGELOG.md').toEqual([]);
});

test('the changelog of the suite begins with its version, or with what comes after the released one', () => {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const newest = /^## (\S+)$/m.exec(changelog)?.[1];
  expect(['Unreleased', manifest.version]).toContain(newest);
  expect(changelog).toContain(`## ${releasedVersion}\n`);
});
