import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parse } from 'dotenv';
import { expect, onTestFinished, test } from 'vitest';
import { sandbox } from '../../cli/sandbox.ts';
import { inProcess } from '../tools/in-process.ts';
import { ROOT } from '../tools/root.ts';

test('the command serves until a signal, and leaves nothing behind', async () => {
  const child = spawn(process.execPath, ['cli/start.js', 'sandbox'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith('export TARGET_FIXTURES=')) break;
  }
  const environment = parse(lines.join('\n'));
  const file = environment.TARGET_FIXTURES ?? '';
  expect(JSON.parse(await readFile(file, 'utf8')).cards.active.length).toBeGreaterThan(1);
  expect(environment.TARGET_PORTAL_PASSWORD).toContain(' ');
  expect((await fetch(`${environment.TARGET_BASE_URL}/users/customers`)).status).toBe(401);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  await expect(access(file)).rejects.toThrow();
});

test('a bad option is refused by name with exit code 2', async () => {
  expect(await inProcess(sandbox, ['--port', 'many'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: '--port: must be an integer up to 65535, not many\n',
  });
});
