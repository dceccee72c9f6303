/** The packed package on the newest Node and on another, beside an older vitest and an earlier version of itself, and for users of few rights. */
import { chownSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';
import { folder, install, NODES, PROGRAM, packed, packedAs, project, run, runWell, worksOn } from './project.ts';

const [[, NODE], , [, OLDEST]] = NODES;
worksOn(NODES[0]);
worksOn(NODES[1]);

test('the vitest of the project may be the last that was made for Node 20', async () => {
  const older = join(folder, 'older');
  mkdirSync(older);
  install(older, 'vitest@4', packed(folder));
  cpSync(join(import.meta.dirname, 'consumer/sandbox.test.mjs'), join(older, 'sandbox.test.mjs'));
  const { out } = await runWell(OLDEST, 'node_modules/.bin/vitest', ['run'], { cwd: older });
  expect(out).toContain('v4.');
});

test('two versions at once, required by a project of type commonjs', async () => {
  install(project, `earlier-conformance@file:${packedAs('0.0.9')}`);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const [, node] of NODES) {
    const { out } = await runWell(node, join(node, 'node'), ['required.cjs']);
    expect(out).toBe(`${version} conformant\n0.0.9 conformant\n`);
  }
});

test('every other subcommand, on the oldest Node', async () => {
  const other = [
    'report out',
    'compare out out',
    'matrix --out overview.html out out',
    'merge --help',
    'list',
    'doctor',
  ];
  for (const line of [...other, 'explain cards.suspend.not-active', 'help'])
    await runWell(OLDEST, PROGRAM, line.split(' '));
});

describe.runIf(process.getuid?.() === 0)('a user of few rights', () => {
  const uid = 65_534;
  const only = ['--only', 'users.get'];

  test('may have no home and no /tmp, and write to the report directory alone', async () => {
    const reports = join(folder, 'of-nobody');
    mkdirSync(reports);
    chownSync(reports, uid, uid);
    const env = { HOME: '/nonexistent', TMPDIR: '/nonexistent', RUN_REPORT_DIR: reports };
    await runWell(NODE, PROGRAM, only, { env: { ...env, RUN_HISTORY: join(reports, 'history') }, uid });
  });

  test('who may not write to the folder, or to the report directory, is told so, in a line', async () => {
    const reports = join(folder, "somebody's");
    mkdirSync(reports, { mode: 0o700 });
    const refused = { code: 2, out: '', err: expect.stringMatching(/^RUN_REPORT_DIR: \S.* cannot be written\n$/) };
    expect(await run(NODE, PROGRAM, only, { uid })).toEqual(refused);
    expect(await run(NODE, PROGRAM, only, { env: { RUN_REPORT_DIR: join(reports, 'latest') }, uid })).toEqual(refused);
  });
});
