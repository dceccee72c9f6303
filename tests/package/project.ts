/** The packed package in a project of others, and the versions of Node that it is for. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';

export const folder = temporaryDirectory(afterAll);
export const project = join(folder, 'project');
const nodes = join(folder, 'nodes');

/** The first Node on the path that does not belong to this project. */
const MACHINES =
  (process.env.PATH ?? '')
    .split(':')
    .find((folder) => !folder.includes('node_modules') && existsSync(join(folder, 'node'))) ??
  dirname(process.execPath);
/** Where a Node that npm has brought is. */
const nodeOf = (version: string) => join(nodes, 'node_modules', version, 'bin');
export const NODES = [
  ['of the project', dirname(process.execPath)],
  ['22.19', nodeOf('node-22')],
  ['20.19', nodeOf('node-20')],
] as const;
export const TOO_OLD = nodeOf('node-18');
export const PROGRAM = 'node_modules/.bin/prepaid-card-conformance';

const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, stdio: 'ignore' });
export const install = (cwd: string, ...packages: string[]) =>
  npm(cwd, 'install', '--no-audit', '--no-fund', ...packages);

/** The tarball that is in a folder. */
export const packed = (folder: string) => join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);

/** Packs what is packed once more, under another version. */
export function packedAs(version: string): string {
  const other = join(folder, 'other');
  mkdirSync(other);
  execFileSync('tar', ['-xzf', packed(folder), '-C', other]);
  for (const [name, more] of Object.entries({
    'package.json': { version, scripts: {} },
    'dist/package.json': { version },
  })) {
    const file = join(other, 'package', name);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...more }));
  }
  npm(join(other, 'package'), 'pack', '--pack-destination', other);
  return packed(other);
}

beforeAll(() => {
  npm(ROOT, 'pack', '--pack-destination', folder);
  for (const path of [project, nodes]) mkdirSync(path);
  writeFileSync(join(project, 'package.json'), '{ "type": "commonjs" }');
  install(project, packed(folder));
  cpSync(join(import.meta.dirname, 'consumer'), project, { recursive: true });
  install(nodes, 'node-18@npm:node@18', 'node-20@npm:node@20.19.0', 'node-22@npm:node@22.19.0');
  chmodSync(folder, 0o755);
}, 600_000);

/** A program in the project, with nothing in its environment but the Node to use. */
export function run(
  node: string,
  program: string,
  args: string[],
  { env = {}, cwd = project, uid }: { env?: Record<string, string>; cwd?: string; uid?: number } = {},
) {
  const as = uid === undefined ? {} : { uid, gid: uid };
  const options = { ...as, cwd, env: { PATH: `${node}:${MACHINES}:/usr/bin:/bin`, HOME: folder, ...env } };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(program, args, options, (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }));
  });
}

/** {@link run}, which has to end with 0. */
export async function runWell(...call: Parameters<typeof run>) {
  const { code, out, err } = await run(...call);
  expect(code, call[2].join(' ') + out + err).toBe(0);
  return { out, err };
}

const recordIn = (directory: string) => JSON.parse(readFileSync(join(project, directory, 'conformance.json'), 'utf8'));

/** What everybody does with it, on a Node. */
export const worksOn = ([version, node]: (typeof NODES)[number]) =>
  describe(`on the Node ${version}`, () => {
    test('npx runs the embedded sandbox', async () => {
      const { out, err } = await runWell(node, 'npx', ['prepaid-card-conformance', '--report-dir', 'out']);
      expect(out).toContain('CONFORMANT');
      expect(err).not.toMatch(/warning/i);
      expect(existsSync(join(project, 'out/index.html'))).toBe(true);
      const { passed, notApplicable, ...others } = recordIn('out').summary.must;
      expect(passed).toBeGreaterThan(300);
      expect(Object.values(others).filter(Boolean)).toEqual([]);
    });

    test('the library', async () => {
      const { out } = await runWell(node, join(node, 'node'), ['library.mjs']);
      expect(out).toBe('as documented\n');
    });

    test('a vitest of its own', async () => {
      rmSync(join(project, 'conformance-report'), { recursive: true, force: true });
      await runWell(node, join(node, 'node'), ['node_modules/vitest/vitest.mjs', 'run']);
      expect(recordIn('conformance-report').summary).toMatchObject({ verdict: 'conformant' });
      expect(existsSync(join(project, 'conformance-report/index.html'))).toBe(true);
    });

    test('a vitest of its own that runs tests in contexts', async () => {
      await runWell(node, join(node, 'node'), ['node_modules/vitest/vitest.mjs', 'run', '--pool=vmThreads']);
    });

    test.each([
      ['@pact-foundation/pact', 'verify-pact'],
      ['allure-js-commons', 'report-allure', 'out'],
    ])('%s, which is not installed, is asked for by name', async (peer, subcommand, ...args) => {
      const { code, err } = await run(node, PROGRAM, [subcommand, ...args]);
      expect({ code, err }).toEqual({ code: 2, err: `${subcommand} needs ${peer}: npm install ${peer}\n` });
    });

    test('the page of traffic leads to its first finding', async () => {
      const page = readFileSync(join(ROOT, 'docs/traffic.md'), 'utf8');
      const fileOf = (name: string) => new RegExp(`\`\`\`js\\n// ${name}\\n(.*?)\`\`\``, 's').exec(page)![1]!;
      const names = ['target.mjs', 'cards.test.mjs'];
      for (const name of names) writeFileSync(join(project, name), fileOf(name).replace('8080', '8099'));
      const target = execFile(join(node, 'node'), ['target.mjs'], { cwd: project });
      const tests = ['npx', 'vitest', 'run', 'cards.test.mjs'];
      const env = { TARGET_BASE_URL: 'http://127.0.0.1:8099', RUN_REPORT_DIR: 'traffic', NO_COLOR: '1' };
      try {
        const { code, out } = await run(node, PROGRAM, ['proxy', '--', ...tests], { env });
        expect(code).toBe(1);
        // All that the page shows of the finding.
        const shown = /```\n(FAILED .*?)```/s.exec(page)![1]!;
        for (const line of shown.trim().split('\n')) expect(out).toContain(line);
      } finally {
        target.kill();
        for (const name of names) rmSync(join(project, name));
      }
    });

    test('a target that .env names', async () => {
      await using target = await startSandbox();
      const lines = Object.entries(target.environment).map(([name, value]) => `${name}='${value}'`);
      writeFileSync(join(project, '.env'), lines.join('\n'));
      const only = ['--only', 'users.get', '--risk', 'safe', '--report-dir', 'env'];
      const { out } = await runWell(node, PROGRAM, only).finally(() => rmSync(join(project, '.env')));
      expect(out).toContain('Target sandbox, risk safe');
    });
  });
