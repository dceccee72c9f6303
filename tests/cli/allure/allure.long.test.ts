/** The Allure report of a run, made by the command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConformance, startNode } from '../../../proof/hostile/run.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { ROOT } from '../../tools/root.ts';
import { runHere } from '../../tools/run-in-process.ts';

test('every check of a run stands in it with its verdict, offline', async () => {
  const { reports } = await runHere({}, ['--only', 'token,users.get']);
  const record = readConformance(reports);
  const { checks } = record.requirements.find(({ id }) => id === 'users.get.same-customer')!;
  for (const check of checks) Object.assign(check, { verdict: 'failed', message: 'another one' });
  writeFileSync(join(reports, 'conformance.json'), JSON.stringify(record));

  const out = join(temporaryDirectory(), 'allure');
  const { code, stderr } = await startNode([join(ROOT, 'cli/start.js'), 'report-allure', reports, '--out', out], {})
    .ended;
  expect(code, stderr).toBe(0);

  const { stats } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as { stats: Record<string, number> };
  const verdicts = record.requirements.flatMap((requirement) => requirement.checks.map(({ verdict }) => verdict));
  const passed = verdicts.filter((verdict) => verdict === 'passed').length;
  expect(stats).toMatchObject({ total: verdicts.length, passed, failed: 1 });
  const policy = '<head><meta http-equiv="Content-Security-Policy" content="default-src ';
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toMatch(new RegExp(`${policy}[^"]+ data: blob:; base-uri`));
});
