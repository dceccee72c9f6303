/** The suite under plain vitest, as a terminal or an editor starts it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConformance, startNode } from '../../../proof/hostile/run.ts';
import { startSandbox } from '../../../sandbox/index.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { ROOT } from '../../tools/root.ts';

test("-t runs those checks, and what a target breaks turns its test red unless it is known; Allure's reporter works beside ours", async () => {
  await using target = await startSandbox({ rules: { successStatus: () => 202 } });
  const known = join(temporaryDirectory(), 'known.yaml');
  writeFileSync(known, '- id: users.list.status\n  reason: being mended\n');
  const environment = { ...target.environment, NO_COLOR: '1', RUN_RISK: 'safe', RUN_KNOWN_FAILURES: known };
  const pattern = 'users.(get|list).';
  const { code, stdout, stderr, reports, directory } = await startNode(
    [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--root', ROOT, '--project', 'conformance', '-t', pattern],
      ...['--reporter=default', '--reporter=allure-vitest/reporter'],
    ],
    environment,
  ).ended;
  expect(code).toBe(1);
  expect((stdout + stderr).match(/FAIL .*/g)).toEqual([
    expect.stringContaining('users.get.status: every exchange of the run'),
  ]);
  expect(readdirSync(reports)).toEqual(
    expect.arrayContaining(['conformance.json', 'exchanges.ndjson', 'index.html', 'junit.xml', 'summary.md']),
  );
  const { run, requirements } = readConformance(reports);
  expect(run).toMatchObject({ complete: true, selection: `-t ${pattern}` });
  const failed = requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'failed');
  expect(failed.map(({ id }) => id)).toEqual(['users.list.status', 'users.get.status']);
  for (const { id, verdict, reason } of requirements)
    if (/^users\.(?:get|list)\./.test(id)) expect(reason, id).not.toBe('not selected');
    else expect([id, verdict, reason]).toEqual([id, 'skipped', 'not selected']);
  const results = join(directory, 'allure-results');
  const found = readdirSync(results).filter((name) => name.endsWith('-result.json'));
  const all = found.map((name) => JSON.parse(readFileSync(join(results, name), 'utf8')));
  const result = all.find(({ name }) => name.startsWith('users.get.same-customer'));
  expect(result).toMatchObject({ status: 'passed', description: expect.stringContaining('Source: ') });
  expect(result.labels).toContainEqual({ name: 'requirement', value: 'users.get.same-customer' });
  // With the real times of the exchanges as steps.
  expect(result.steps[0].start).toBeGreaterThanOrEqual(result.start - 1);
  expect(result.steps[0].attachments).toHaveLength(1);
});
