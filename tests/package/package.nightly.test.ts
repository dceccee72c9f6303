/** The packed package on the newest Node and on another, beside an older vitest and an earlier version of itself, and for users of few rights. */
import { chownSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';
import { folder, install, NODE, NODES, OLDEST, PROGRAM, packed, packedAs, project, run, worksOn } from './project.ts';

/** Nobody. */
const USER = 65_534;
const IS_ROOT = process.getuid?.() === 0;

worksOn(NODES[0]);
worksOn(NODES[1]);

test('the vitest of the project may be the last that was made for Node 20', async () => {
  const older = join(folder, 'older');
  mkdirSync(older);
  install(older, 'vitest@4', packed(folder));
  cpSync(join(ROOT, 'tests/package/consumer/sandbox.test.mjs'), join(older, 'sandbox.test.mjs'));
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
