import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { waitForTarget } from '../../helpers/runner/wait-for-target.ts';
import { BASE, workspace } from '../configuration/workspace.ts';

const configurationOf = (url: string) => workspace().read({ ...BASE, TARGET_BASE_URL: url });

test('a target whose gateway answers 503 at first is waited for', async () => {
  let asked = 0;
  const server = createServer((_, response) => response.writeHead(++asked < 3 ? 503 : 404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const said: string[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await waitForTarget(await configurationOf(url), 30, (waiting) => said.push(waiting));
  expect(asked).toBe(3);
  expect(said[0]).toMatch(/127\.0\.0\.1:\d+ answers 503/);
  expect(said.at(-1)).toBe('');
});

test('one that starts to listen while it is waited for is found', async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const server = createServer((_, response) => response.end());
  onTestFinished(() => void server.close());
  const said: string[] = [];
  await waitForTarget(await configurationOf(`http://127.0.0.1:${port}`), 30, (waiting) => {
    if (said.push(waiting) === 1) server.listen(port, '127.0.0.1');
  });
  expect(said[0]).toMatch(/the connection was refused/);
});

test('the waiting ends', async () => {
  const said: string[] = [];
  await waitForTarget(await configurationOf('http://127.0.0.1:9'), 1, (waiting) => said.push(waiting));
  expect(said[0]).toMatch(/refused/);
  expect(said.at(-1)).toBe('');
});
