/** The packed package on the oldest Node that it is for. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../tools/installed.ts';
import { ROOT } from '../tools/root.ts';
import { folder, NODES, PROGRAM, packed, project, run, TOO_OLD, worksOn } from './project.ts';

test('it is small: at most 100 packages and 60 MB, with all that it brings, and no tests of ours', () => {
  const all = readdirSync(join(project, 'node_modules'), { recursive: true, withFileTypes: true });
  const files = all.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const { packages } = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
  expect(Object.keys(packages).length).toBeLessThanOrEqual(100);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(60_000_000);
  const isTest = (file: string) => /prepaid-card-conformance.*\/(?!conformance\.test\.)[^/]*\.test\.[^/]*$/.test(file);
  expect(files.filter(isTest)).toEqual([]);
});

test("its exports and types are as other projects' tools want them", () => {
  const tarball = packed(folder);
  execFileSync(program('publint'), ['--strict', tarball]);
  execFileSync(program('attw'), ['--profile', 'esm-only', tarball]);
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const flags = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--resolveJsonModule'];
  const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
  const modules = { nodenext: 'nodenext', node18: 'node16', esnext: 'bundler' };
  for (const [module, resolution] of Object.entries(modules))
    for (const lib of [[], ['--lib', 'es2022,esnext.disposable'], ['--lib', 'esnext']]) {
      const args = ['--module', module, '--moduleResolution', resolution, ...lib, 'types.mts'];
      expect(() => execFileSync(tsc, [...flags, ...types, ...args], { cwd: project }), args.join(' ')).not.toThrow();
    }
});

worksOn(NODES[2]);

test('on a Node that is too old it says which one is needed', async () => {
  const { code, out, err } = await run(TOO_OLD, PROGRAM, ['run']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^Node 20\.19 or later is needed, this is 18\.\d+\.\d+: install it\.\n$/);
});
