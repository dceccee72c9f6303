/** The suite under plain vitest, as a terminal or an editor starts it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConformance, startNode } from '../../../proof/hostile/run.ts';
import { REPORTS } from '../../../reports/all.ts';
import { CONFORMANCE, EXCHANGES } from '../../../reports/record.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { ROOT } from '../../tools/root.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';

test("-t runs those checks, and what a target breaks turns its test red unless it is known; Allure's reporter works beside ours", async () => {
  const target = await sandboxFor({ rules: { successStatus: () => 202 } });
  const known = join(temporaryDirectory(), 'known.yaml');
  writeFileSync(known, '- id: users.list.status\n  reason: being mended\n');
  const environment = { ...target.environment, NO_COLOR: '1', RUN_RISK: 'safe', RUN_KNOWN_FAILURES: known };
  const pattern = 'users.(get|list).';
  const asked = ['run', '--root', ROOT, '--project', 'conformance', '-t', pattern];
  const reporters = ['--reporter=default', '--reporter=allure-vitest/reporter'];
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...asked, ...reporters];
  const { code, stdout, stderr, reports, directory } = await startNode(args, environment).ended;
  expect(code).toBe(1);
  const red = expect.stringContaining('users.get.status: every exchange of the run');
  expect((stdout + stderr).match(/FAIL .*/g)).toEqual([red]);
  const files = [CONFORMANCE, EXCHANGES, ...REPORTS.map(({ file }) => file)];
  expect(readdirSync(reports)).toEqual(expect.arrayContaining(files));
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
