/** The packed package on the newest Node and on another, beside an older vitest, and beside an earlier version of itself. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';
import { folder, install, NODES, OLDEST, packed, packedAs, project, run, worksOn } from './project.ts';

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
