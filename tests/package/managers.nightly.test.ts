/** The packed package as other package managers install it: without peers, strictly, and where none of them is hoisted. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';
import { folder, install, NODES, packed, run, runWell } from './project.ts';

const [[, NODE], [, LEAST], [, OLDEST]] = NODES;
const managers = join(folder, 'managers');
const PROGRAMS = {
  pnpm: join(managers, 'node_modules/pnpm/bin/pnpm.cjs'),
  yarn: join(managers, 'node_modules/yarn/bin/yarn.js'),
  berry: join(managers, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js'),
};
const SUITE = 'prepaid-card-conformance';
/** Whom this machine trusts when it installs. */
const env = { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '' };
const PROGRAM = join('node_modules/.bin', SUITE);
const CHECK = ['--only', 'users.get', '--report-dir', 'out'];

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
/** Not every registry has all that the newest vite names as optional, and Yarn wants it all. */
const resolutions = { vite: packages['node_modules/vite'].version };

/** A project of its own, with the files that a package manager wants. */
function projectOf(name: string, files: Record<string, string> = {}): string {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  const manifest = JSON.stringify({ name, version: '1.0.0', private: true, resolutions });
  for (const [file, text] of Object.entries({ 'package.json': manifest, ...files }))
    writeFileSync(join(cwd, file), text);
  return cwd;
}

beforeAll(() => {
  mkdirSync(managers);
  install(managers, 'pnpm@10', 'yarn@1', '@yarnpkg/cli-dist@4');
}, 600_000);

test.each([
  ['npm without peers', {}, 'npm', ['install', '--legacy-peer-deps']],
  ['npm, strict about engines', {}, 'npm', ['install', '--engine-strict']],
  ['pnpm without peers', { 'pnpm-workspace.yaml': 'autoInstallPeers: false\n' }, 'node', [PROGRAMS.pnpm, 'add']],
  ['Yarn 1', {}, 'node', [PROGRAMS.yarn, 'add', '--no-lockfile']],
])('%s', async (name, files, program, args) => {
  const cwd = projectOf(name.replace(/\W+/g, '-').toLowerCase(), files);
  await runWell(LEAST, program, [...args, `file:${packed(folder)}`], { cwd, env });
  const { out } = await runWell(LEAST, PROGRAM, CHECK, { cwd });
  expect(out).toContain('CONFORMANT');
});

test("Yarn 4 with Plug'n'Play", async () => {
  const settings = 'nodeLinker: pnp\nenableTelemetry: false\nenableGlobalCache: false\n';
  const cwd = projectOf('pnp', { '.yarnrc.yml': settings, 'yarn.lock': '' });
  await runWell(NODE, 'node', [PROGRAMS.berry, 'add', `${SUITE}@file:${packed(folder)}`], { cwd, env });
  const { out } = await runWell(NODE, 'node', [PROGRAMS.berry, 'run', SUITE, ...CHECK], { cwd });
  expect(out).toContain('CONFORMANT');
});

test.each([
  ['npm --engine-strict', 'npm', ['install', '--engine-strict']],
  ['Yarn 1', 'node', [PROGRAMS.yarn, 'add', '--no-lockfile']],
])('%s refuses Node 20, which not all that the package brings is for', async (name, program, args) => {
  const cwd = projectOf(`${name.replace(/\W+/g, '-').toLowerCase()}-on-20`);
  const { code, out, err } = await run(OLDEST, program, [...args, `file:${packed(folder)}`], { cwd, env });
  expect(code, out + err).not.toBe(0);
  // Yarn names the first that it comes across.
  expect(out + err).toMatch(/EBADENGINE.*prepaid-card-conformance|error \S+: The engine "node" is incompatible/s);
});
