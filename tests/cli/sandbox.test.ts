import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { sandbox } from '../../cli/sandbox.ts';
import { startNode } from '../../proof/hostile/run.ts';
import { inProcess } from '../tools/in-process.ts';
import { ROOT } from '../tools/root.ts';

test('the command serves until a signal, and leaves nothing behind', async () => {
  const { child, ended } = startNode([join(ROOT, 'cli/start.js'), 'sandbox'], {});
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    if (line.startsWith('export TARGET_FIXTURES=')) break;
  }
  const { TARGET_FIXTURES: file = '', ...environment } = parse(lines.join('\n'));
  expect(JSON.parse(readFileSync(file, 'utf8')).cards.active.length).toBeGreaterThan(1);
  expect(environment.TARGET_PORTAL_PASSWORD).toContain(' ');
  expect((await fetch(`${environment.TARGET_BASE_URL}/users/customers`)).status).toBe(401);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(file)).toBe(false);
});

test('a bad option is refused by name with exit code 2', async () => {
  const stderr = '--port: must be an integer up to 65535, not many\n';
  expect(await inProcess(sandbox, ['--port', 'many'])).toEqual({ code: 2, stdout: '', stderr });
});
