/** The Allure report of a run, made by the command. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { conformance } from '../../../contracts/record.ts';
import { temporaryDirectory } from '../../tools/directory.ts';

const directory = temporaryDirectory(afterAll);

const node = (...args: string[]) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, CI: '' } });

test('every check of a run stands in it with its verdict, offline', () => {
  const run = join(directory, 'run');
  node('cli/start.js', '--embedded', '--only', 'token,users.get', '--report-dir', run);
  const file = join(run, 'conformance.json');
  const record = conformance.parse(JSON.parse(readFileSync(file, 'utf8')));
  const judged = record.requirements.filter(({ id }) => id === 'users.get.same-customer');
  for (const check of judged.flatMap(({ checks }) => checks))
    Object.assign(check, { verdict: 'failed', message: 'another one' });
  writeFileSync(file, JSON.stringify(record));

  const out = join(directory, 'allure');
  node('cli/start.js', 'report-allure', run, '--out', out);

  const { stats } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as { stats: Record<string, number> };
  const verdicts = record.requirements.flatMap(({ checks }) => checks.map(({ verdict }) => verdict));
  expect(stats).toMatchObject({
    total: verdicts.length,
    passed: verdicts.filter((verdict) => verdict === 'passed').length,
    failed: 1,
  });
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  expect(page).toMatch(
    /<head><meta http-equiv="Content-Security-Policy" content="default-src [^"]+ data: blob:; base-uri/,
  );
});
