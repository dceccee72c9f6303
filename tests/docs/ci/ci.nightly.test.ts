/** What docs/ci.md says of whole runs; the scripts for GitLab as its runner runs them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConformance, startRun } from '../../../proof/hostile/run.ts';
import { environmentOf, sandboxFor } from '../../tools/sandboxes.ts';
import { gitlab, runJob } from './page.ts';

test('where the sandbox is judged, in a shard as well, the first line that is printed says so', async () => {
  const { code, stdout } = await startRun({}, ['--shard', '3/3', '--only', 'users.', '--risk', 'safe']).ended;
  expect(stdout).toMatch(/^The embedded sandbox is judged, not a target:/);
  expect(code).toBe(0);
});

test('both GitLab jobs end with 0 on a sound target, the second night with the first as baseline', async () => {
  const target = environmentOf(await sandboxFor());
  const total = 2;
  let folder: string | undefined;
  for (const night of [1, 2]) {
    for (const index of Array.from({ length: total }, (_, one) => String(one + 1))) {
      const runner = { CI_NODE_INDEX: index, CI_NODE_TOTAL: String(total), CI_JOB_URL: 'https://gitlab.example/job/7' };
      const shard = runJob(gitlab.conformance, { ...target, ...runner }, folder);
      folder = shard.directory;
      const { code, stdout, stderr } = await shard.ended;
      expect(code, stdout + stderr).toBe(0);
      expect(existsSync(join(folder, `reports/shard-${index}/junit.xml`))).toBe(true);
    }
    const { code, stdout, stderr } = await runJob(gitlab['conformance-report'], {}, folder).ended;
    expect(code, stdout + stderr).toBe(0);
    const merged = join(folder!, 'reports/merged');
    expect(readConformance(merged).run).toMatchObject({ complete: true, selection: 'all' });
    expect(existsSync(join(folder!, 'reports/history'))).toBe(true);
    expect(existsSync(join(merged, 'delta.md'))).toBe(night === 2);
  }
});
