/** A clone brings what a run and the quick tests need; tools of others that long tests and the benchmark need stay in their own package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';

interface Locked {
  os?: string[];
  cpu?: string[];
  libc?: string[];
  link?: boolean;
}

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const tools = Object.keys(read('tests/tools/package.json').devDependencies);

/** Most packages that `npm ci` in a clone installs. */
const MOST_PACKAGES = 380;

test(`npm ci installs at most ${MOST_PACKAGES} packages, and none of the tools`, () => {
  const { '': _, ...packages } = read('package-lock.json').packages as Record<string, Locked>;
  const allows = (list: string[] | undefined, value: string) =>
    !list || (list.includes(value) && !list.includes(`!${value}`));
  const installed = Object.entries(packages).filter(
    ([, { os, cpu, libc }]) => allows(os, 'linux') && allows(cpu, 'x64') && allows(libc, 'glibc'),
  );
  expect(installed.length).toBeLessThanOrEqual(MOST_PACKAGES);
  const names = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));
  expect(names.filter((name) => tools.includes(name))).toEqual([]);
});

test('neither lock file names the address of a registry', () => {
  for (const path of ['package-lock.json', 'tests/tools/package-lock.json'])
    expect(readFileSync(join(ROOT, path), 'utf8')).not.toContain('"resolved"');
});
