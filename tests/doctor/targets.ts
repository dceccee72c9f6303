/** Targets for the doctor: sandboxes, and what it says of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Diagnosis, examine } from '../../doctor/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';

export async function sandboxFor(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
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
