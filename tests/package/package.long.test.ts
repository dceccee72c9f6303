/** The packed package in a project of others, on every Node that it is for. */
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { program } from '../tools/installed.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Millions of bytes of the package and all that it brings. */
const MOST_MB = 60;
const MOST_PACKAGES = 100;
/** Nobody. */
const USER = 65_534;
const IS_ROOT = process.getuid?.() === 0;

const folder = mkdtempSync(join(tmpdir(), 'package-'));
const project = join(folder, 'project');
const nodes = join(folder, 'nodes');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first Node on the path that does not belong to this project. */
const MACHINES =
  (process.env.PATH ?? '')
    .split(':')
    .find((folder) => !folder.includes('node_modules') && existsSync(join(folder, 'node'))) ??
  dirname(process.execPath);
/** Where a Node that npm has brought is. */
const nodeOf = (version: string) => join(nodes, 'node_modules', version, 'bin');
const NODES = [
  ['of the project', dirname(process.execPath)],
  ['22.12', nodeOf('node-22')],
  ['20.19', nodeOf('node-20')],
] as const;
const [[, NODE], , [, OLDEST]] = NODES;
const TOO_OLD = nodeOf('node-18');
const PROGRAM = 'node_modules/.bin/prepaid-card-conformance';

const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, stdio: 'ignore' });
const install = (cwd: string, ...packages: string[]) => npm(cwd, 'install', '--no-audit', '--no-fund', ...packages);

/** The tarball that is in a folder. */
const packed = (folder: string) => join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);

/** Packs what is packed once more, under another version. */
function packedAs(version: string): string {
  const other = join(folder, 'other');
  mkdirSync(other);
  execFileSync('tar', ['-xzf', packed(folder), '-C', other]);
  const manifest = join(other, 'package/package.json');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version, scripts: {} }));
  const built = join(other, 'package/dist/package.json');
  writeFileSync(built, JSON.stringify({ ...JSON.parse(readFileSync(built, 'utf8')), version }));
  npm(join(other, 'package'), 'pack', '--pack-destination', other);
  return packed(other);
}

beforeAll(() => {
  npm(ROOT, 'pack', '--pack-destination', folder);
  for (const path of [project, nodes]) mkdirSync(path);
  writeFileSync(join(project, 'package.json'), '{ "type": "commonjs" }');
  install(project, packed(folder));
  for (const name of readdirSync(join(ROOT, 'tests/consumer')))
    cpSync(join(ROOT, 'tests/consumer', name), join(project, name));
  install(nodes, 'node-18@npm:node@18', 'node-20@npm:node@20.19.0', 'node-22@npm:node@22.12.0');
  chmodSync(folder, 0o755);
}, 600_000);

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** A program in the project, with nothing in its environment but the Node to use. */
function run(
  node: string,
  program: string,
  args: string[],
  { env = {}, cwd = project, uid }: { env?: Record<string, string>; cwd?: string; uid?: number } = {},
): Promise<Ended> {
  const options = {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    cwd,
    env: { PATH: `${node}:${MACHINES}:/usr/bin:/bin`, HOME: folder, ...env },
  };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }));
  });
}

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

describe.each(NODES)('on the Node %s', (_, node) => {
  test('npx runs the embedded sandbox', async () => {
    const { code, out, err } = await run(node, 'npx', ['prepaid-card-conformance', '--report-dir', 'out']);
    expect(code, out + err).toBe(0);
    expect(out).toContain('CONFORMANT');
    expect(err).not.toMatch(/warning/i);
    expect(existsSync(join(project, 'out/index.html'))).toBe(true);
    const { summary } = JSON.parse(readFileSync(join(project, 'out/conformance.json'), 'utf8'));
    const { passed, notApplicable, ...others } = summary.must;
    expect({ passed: passed > 300, others: Object.values(others).filter(Boolean) }).toEqual({
      passed: true,
      others: [],
    });
  });

  test('the library', async () => {
    const { code, out, err } = await run(node, join(node, 'node'), ['library.mjs']);
    expect(code, err).toBe(0);
    expect(out).toBe('as documented\n');
  });

  test('a vitest of its own', async () => {
    rmSync(join(project, 'conformance-report'), { recursive: true, force: true });
    const { code, out, err } = await run(node, join(node, 'node'), ['node_modules/vitest/vitest.mjs', 'run']);
    expect(code, out + err).toBe(0);
    const record = JSON.parse(readFileSync(join(project, 'conformance-report/conformance.json'), 'utf8'));
    expect(record.summary).toMatchObject({ verdict: 'conformant' });
    expect(existsSync(join(project, 'conformance-report/index.html'))).toBe(true);
  });

  test('what is not installed is asked for by name', async () => {
    for (const [subcommand, args, peer] of [
      ['verify-pact', [], '@pact-foundation/pact'],
      ['report-allure', ['out'], 'allure-js-commons'],
    ] as const) {
      const { code, err } = await run(node, PROGRAM, [subcommand, ...args]);
      expect({ code, err }).toEqual({ code: 2, err: `${subcommand} needs ${peer}: npm install ${peer}\n` });
    }
  });

  test('a target that .env names', async () => {
    await using target = await startSandbox();
    const lines = Object.entries(target.environment).map(([name, value]) => `${name}='${value}'`);
    writeFileSync(join(project, '.env'), lines.join('\n'));
    const args = ['--only', 'users.get', '--risk', 'safe', '--report-dir', 'env'];
    const { code, out } = await run(node, PROGRAM, args);
    rmSync(join(project, '.env'));
    expect(code, out).toBe(0);
    expect(out).toContain('Target sandbox, risk safe');
  });
});

test('every other subcommand, on the oldest Node', async () => {
  for (const args of [
    ['report', 'out'],
    ['compare', 'out', 'out'],
    ['matrix', '--out', 'overview.html', 'out', 'out'],
    ['merge', '--help'],
    ['explain', 'cards.suspend.not-active'],
    ['list'],
    ['doctor'],
    ['help'],
  ]) {
    const { code, out, err } = await run(OLDEST, PROGRAM, args);
    expect(code, args.join(' ') + out + err).toBe(0);
  }
});

test('the vitest of the project may be the last that was made for Node 20', async () => {
  const older = join(folder, 'older');
  mkdirSync(older);
  install(older, 'vitest@4', packed(folder));
  cpSync(join(ROOT, 'tests/consumer/sandbox.test.mjs'), join(older, 'sandbox.test.mjs'));
  const { code, out, err } = await run(OLDEST, 'node_modules/.bin/vitest', ['run'], { cwd: older });
  expect(code, out + err).toBe(0);
  expect(out).toContain('v4.');
});

test('two versions at once, required by a project of type commonjs', async () => {
  install(project, `earlier-conformance@file:${packedAs('0.0.9')}`);
  for (const [, node] of NODES) {
    const { code, out, err } = await run(node, join(node, 'node'), ['required.cjs']);
    expect(code, err).toBe(0);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(out).toBe(`${version} conformant\n0.0.9 conformant\n`);
  }
});

test('on a Node that is too old it says which one is needed', async () => {
  const { code, out, err } = await run(TOO_OLD, PROGRAM, ['run']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^Node 20\.19 or later is needed, this is 18\.\d+\.\d+: install it\.\n$/);
});

describe.runIf(IS_ROOT)('a user of few rights', () => {
  test('may have no home and no /tmp, and write to the report directory alone', async () => {
    const reports = join(folder, 'of-nobody');
    mkdirSync(reports);
    chownSync(reports, USER, USER);
    const none = '/nonexistent';
    const env = { HOME: none, TMPDIR: none, RUN_REPORT_DIR: reports, RUN_HISTORY: join(reports, 'history') };
    const { code, out, err } = await run(NODE, PROGRAM, ['--only', 'users.get'], { env, uid: USER });
    expect(code, out + err).toBe(0);
  });

  test('who may not write to the folder is told so, in a line', async () => {
    const { code, out, err } = await run(NODE, PROGRAM, ['--only', 'users.get'], { uid: USER });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^RUN_REPORT_DIR: \S.* cannot be written\n$/);
  });

  test('who may not write to the report directory is told so, in a line', async () => {
    const reports = join(folder, "somebody's");
    mkdirSync(reports, { mode: 0o700 });
    const env = { RUN_REPORT_DIR: join(reports, 'latest') };
    const { code, out, err } = await run(NODE, PROGRAM, ['--only', 'users.get'], { env, uid: USER });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^RUN_REPORT_DIR: \S.* cannot be written\n$/);
  });
});
