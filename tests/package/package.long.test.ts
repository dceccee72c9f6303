/** The packed package on the oldest Node that it is for. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../tools/installed.ts';
import { ROOT } from '../tools/root.ts';
import { folder, NODES, PROGRAM, packed, project, run, TOO_OLD, worksOn } from './project.ts';

/** Millions of bytes of the package and all that it brings. */
const MOST_MB = 60;
const MOST_PACKAGES = 100;

test('it is small', () => {
  const files = readdirSync(join(project, 'node_modules'), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const bytes = files
    .map((file) => statSync(join(file.parentPath, file.name)).size)
    .reduce((sum, size) => sum + size, 0);
  const { packages } = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
  expect(Object.keys(packages).length).toBeLessThanOrEqual(MOST_PACKAGES);
  expect(bytes / 1_000_000).toBeLessThanOrEqual(MOST_MB);
  expect(
    files.some(
      ({ parentPath, name }) =>
        parentPath.includes('prepaid-card-conformance') &&
        name.includes('.test.') &&
        !name.startsWith('conformance.test.'),
    ),
  ).toBe(false);
});

test("its exports and types are as other projects' tools want them", () => {
  const tarball = packed(folder);
  execFileSync(program('publint'), ['--strict', tarball]);
  execFileSync(program('attw'), ['--profile', 'esm-only', tarball]);
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'esnext', '--resolveJsonModule'];
  const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['node18', 'node16'],
    ['esnext', 'bundler'],
  ] as const) {
    const args = [...flags, ...types, '--module', module, '--moduleResolution', moduleResolution, 'types.mts'];
    execFileSync(tsc, args, { cwd: project });
  }
});

worksOn(NODES[2]);

test('on a Node that is too old it says which one is needed', async () => {
  const { code, out, err } = await run(TOO_OLD, PROGRAM, ['run']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^Node 20\.19 or later is needed, this is 18\.\d+\.\d+: install it\.\n$/);
});
