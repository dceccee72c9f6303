/** A clone brings what a run and the quick tests need; tools of others that long tests and the benchmark need stay in their own package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

test('npm ci in a clone installs at most 380 packages, and none of the tools', () => {
  const { '': _, ...packages } = read('package-lock.json').packages as Record<string, Record<string, string[]>>;
  const allows = (list: string[] | undefined, value: string) =>
    !list || (list.includes(value) && !list.includes(`!${value}`));
  const isInstalled = ({ os, cpu, libc }: Record<string, string[]>) =>
    allows(os, 'linux') && allows(cpu, 'x64') && allows(libc, 'glibc');
  expect(Object.values(packages).filter(isInstalled).length).toBeLessThanOrEqual(380);
  const names = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));
  const tools = Object.keys(read('tests/tools/package.json').devDependencies);
  expect(names.filter((name) => tools.includes(name))).toEqual([]);
});

test('neither lock file names the address of a registry', () => {
  for (const path of ['package-lock.json', 'tests/tools/package-lock.json'])
    expect(readFileSync(join(ROOT, path), 'utf8')).not.toContain('"resolved"');
});
