/** Targets for the doctor: the sandbox, and servers that answer in ways of their own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Diagnosis, examine } from '../../doctor/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts';

/** @returns the address of a server that is closed when the test ends */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function sandboxFor(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The environment of a sandbox, its fixtures file written. */
export function environmentOf(sandbox: Sandbox, fixtures: unknown = sandbox.fixtures): Record<string, string> {
  const file = join(temporaryDirectory(), 'fixtures.json');
  writeFileSync(file, JSON.stringify(fixtures));
  return { ...sandbox.environment, TARGET_FIXTURES: file };
}

/** What the doctor says of a target with this environment. */
export async function diagnose(env: Record<string, string>): Promise<Diagnosis> {
  const configuration = await readConfiguration({
    env,
    options: {},
    cwd: temporaryDirectory(),
  });
  return examine(configuration);
}

/** The faults of a diagnosis, each with its advice. */
export const faultsOf = ({ sections }: Diagnosis): string[] =>
  sections
    .flatMap(({ remarks }) => remarks)
    .filter(({ kind }) => kind === 'fault')
    .map(({ text, advice }) => `${text} → ${advice}`);

/** Everything that a diagnosis says, a remark a line. */
export const linesOf = ({ sections }: Diagnosis): string[] =>
  sections.flatMap(({ remarks }) => remarks).map(({ kind, text, advice }) => `${kind}: ${text} → ${advice ?? ''}`);
