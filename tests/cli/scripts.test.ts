import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../tools/root.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

const node = (...args: string[]) =>
  spawnSync(process.execPath, args, { cwd: ROOT, env: { PATH: process.env.PATH }, encoding: 'utf8', timeout: 10_000 });

/** Without `--`, Node takes an --env-file wherever it stands for its own, and ends with 9 where there is none. */
test.each(['start', 'doctor', 'cleanup', 'verify:pact'])('%s: options are for the command, not for Node', (name) => {
  expect(scripts[name]).toMatch(/^node (--max-semi-space-size=2 )?-- cli\/start.js /);
});

test('a signal before a command listens to it ends with the code of an interruption', () => {
  const startAndKill = `
    import('./cli/start.js');
    while (process.listenerCount('SIGTERM') === 0) await new Promise((resolve) => setTimeout(resolve));
    process.kill(process.pid, 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 10_000));`;
  const ended = node('--input-type=module', '--eval', startAndKill, 'start.js', 'help');
  expect(ended).toMatchObject({ status: 130, signal: null });
});

test('an env file that is not there is a fault of configuration', () => {
  const ended = node(...scripts.start!.split(' ').slice(1), '--env-file', 'none');
  expect(ended).toMatchObject({ status: 2, stderr: '--env-file: no such file\n' });
});

test.each(['nonsense', 'constructor'])('the program answers %j with one line and exit code 2', (name) => {
  const line = new RegExp(`^unknown subcommand '${name}'; choose one of run, doctor, sandbox, [^\\n]*\\n$`);
  expect(node('cli/start.js', name)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(line) });
});

test('what the scripts need is installed whatever NODE_ENV says', () => {
  expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toMatch(/^include=dev$/m);
});
