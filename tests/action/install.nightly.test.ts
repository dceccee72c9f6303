import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';
import { runStep } from './action.ts';

const directory = temporaryDirectory(afterAll);

test('checked out and installed as a runner does it, without what only development needs, the action runs the suite', async () => {
  const place = { path: join(directory, 'action'), workspace: join(directory, 'workspace') };
  for (const path of Object.values(place)) mkdirSync(path);
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of tracked) cpSync(join(ROOT, file), join(place.path, file));
  const installed = await runStep('Install the suite', place);
  expect(installed.code, installed.printed).toBe(0);
  expect(existsSync(join(place.path, 'node_modules/typescript'))).toBe(false);
  const { node } = installed.outputs;
  const embedded = { options: '--embedded' };
  const { code, outputs, printed } = await runStep('Run the suite', { ...place, node }, embedded);
  expect(code, printed).toBe(0);
  expect(outputs).toMatchObject({ verdict: 'conformant', report: 'reports/latest' });
  // The job and its commands keep the Node that they had.
  const command = 'node -p process.execPath > node-of-the-job';
  await runStep('Run the suite', { ...place, node }, { ...embedded, command });
  const ofJob = readFileSync(join(place.workspace, 'node-of-the-job'), 'utf8').trim();
  expect(execFileSync(node!, ['-p', 'process.execPath'], { encoding: 'utf8' }).trim()).not.toBe(ofJob);
  expect(ofJob).not.toContain('node_modules');
});
