/** The packed package in a project of others, on the Node of the machine and on that of the project. */
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

const ROOT = join(import.meta.dirname, '../..');
const MOST_MIB = 60;
const MOST_PACKAGES = 100;

/** Where the Node of the machine is: the first on the path that does not belong to this project. */
const MACHINES =
  (process.env.PATH ?? '')
    .split(':')
    .find((folder) => !folder.includes('node_modules') && existsSync(join(folder, 'node'))) ??
  dirname(process.execPath);
const NODES = [
  ["the project's", dirname(process.execPath)],
  ["the machine's", MACHINES],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'package-'));
const project = join(folder, 'project');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, stdio: 'ignore' });
  mkdirSync(project);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  execFileSync('npm', ['install', '--no-audit', '--no-fund', join(folder, tarball)], { cwd: project, stdio: 'ignore' });
  for (const name of ['library.mjs', 'sandbox.test.mjs'])
    cpSync(join(ROOT, 'tests/consumer', name), join(project, name));
}, 300_000);

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
  env: Record<string, string> = {},
  uid?: number,
): Promise<Ended> {
  const options = {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    cwd: project,
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
  expect(bytes / 1024 / 1024).toBeLessThan(MOST_MIB);
  expect(
    files.some(
      ({ parentPath, name }) =>
        parentPath.includes('prepaid-card-conformance') &&
        name.includes('.test.') &&
        !name.startsWith('conformance.test.'),
    ),
  ).toBe(false);
});

describe.each(NODES)('on %s Node', (_, node) => {
  test('npx runs the embedded sandbox', async () => {
    const { code, out, err } = await run(node, 'npx', ['prepaid-card-conformance', '--report-dir', 'out']);
    expect(code, out + err).toBe(0);
    expect(out).toContain('CONFORMANT');
    expect(err).not.toMatch(/warning/i);
    expect(existsSync(join(project, 'out/index.html'))).toBe(true);
  });

  test('the library', async () => {
    const { code, out, err } = await run(node, join(node, 'node'), ['library.mjs']);
    expect(code, err).toBe(0);
    expect(out).toBe('as documented\n');
  });

  test('what is not installed is asked for by name', async () => {
    for (const [subcommand, args, peer] of [
      ['verify-pact', [], '@pact-foundation/pact'],
      ['report-allure', ['out'], 'allure-js-commons'],
    ] as const) {
      const { code, err } = await run(node, 'node_modules/.bin/prepaid-card-conformance', [subcommand, ...args]);
      expect({ code, err }).toEqual({ code: 2, err: `${subcommand} needs ${peer}: npm install ${peer}\n` });
    }
  });

  test('a target that .env names', async () => {
    const target = await startSandbox();
    const lines = Object.entries(target.environment).map(([name, value]) => `${name}='${value}'`);
    writeFileSync(join(project, '.env'), lines.join('\n'));
    const args = ['--only', 'users.get', '--risk', 'safe', '--report-dir', 'env'];
    const { code, out } = await run(node, 'node_modules/.bin/prepaid-card-conformance', args);
    rmSync(join(project, '.env'));
    await target.close();
    expect(code, out).toBe(0);
    expect(out).toContain('Target sandbox, risk safe');
  });
});

test('a vitest of its own, which needs a later Node', async () => {
  const [[, node]] = NODES;
  const { code, out, err } = await run(node, join(node, 'node'), ['node_modules/vitest/vitest.mjs', 'run']);
  expect(code, out + err).toBe(0);
  const record = JSON.parse(readFileSync(join(project, 'conformance-report/conformance.json'), 'utf8'));
  expect(record.summary).toMatchObject({ verdict: 'conformant' });
  expect(existsSync(join(project, 'conformance-report/index.html'))).toBe(true);
});

test.runIf(process.getuid?.() === 0)('a user without a home, who may write to the report directory alone', async () => {
  const nobody = 65_534;
  const reports = join(folder, 'of-nobody');
  chmodSync(folder, 0o755);
  mkdirSync(reports);
  chownSync(reports, nobody, nobody);
  const environment = { HOME: '/nonexistent', RUN_REPORT_DIR: reports, RUN_HISTORY: join(reports, 'history') };
  const [[, node]] = NODES;
  const { code, out, err } = await run(
    node,
    'node_modules/.bin/prepaid-card-conformance',
    ['--only', 'users.get'],
    environment,
    nobody,
  );
  expect(code, out + err).toBe(0);
});
