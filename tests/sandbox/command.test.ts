import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'dotenv';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

function run(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ['cli/start.js', 'sandbox', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

test.each(['SIGINT', 'SIGTERM'] as const)('the command serves until %s, and leaves nothing behind', async (signal) => {
  const child = run();
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    if (line.startsWith('export TARGET_FIXTURES=')) break;
  }
  const environment = parse(lines.join('\n'));
  const file = environment.TARGET_FIXTURES ?? '';
  expect(JSON.parse(await readFile(file, 'utf8')).cards.active.length).toBeGreaterThan(1);
  expect(environment.TARGET_PORTAL_PASSWORD).toContain(' ');
  expect((await fetch(`${environment.TARGET_BASE_URL}/users/customers`)).status).toBe(401);
  child.kill(signal);
  expect((await once(child, 'exit'))[0]).toBe(0);
  await expect(access(file)).rejects.toThrow();
});

test('a bad option is refused by name with exit code 2', async () => {
  const child = run('--port', 'many');
  const errors: string[] = [];
  for await (const line of createInterface({ input: child.stderr! })) errors.push(line);
  expect(errors).toEqual(['--port: must be an integer up to 65535, not many']);
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(2);
});
