import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts';
import { temporaryDirectory } from './directory.ts';

/** A sandbox that is closed when the test has finished. */
export async function sandboxFor(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** The environment of a target, its fixtures file written. */
export function environmentOf(
  { environment, fixtures: own }: Pick<Sandbox, 'environment' | 'fixtures'>,
  fixtures: unknown = own,
): Record<string, string> {
  const file = join(temporaryDirectory(), 'fixtures.json');
  writeFileSync(file, JSON.stringify(fixtures));
  return { ...environment, TARGET_FIXTURES: file };
}
