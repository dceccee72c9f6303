/** Runs the command of RUN_FIXTURES_COMMAND, which prints a fixtures file. */
import { spawn } from 'node:child_process';
import type { Fixtures } from '../../contracts/fixtures.ts';
import { parseFixtures } from './fixtures-file.ts';
import { Invalid, MAX_MIB } from './invalid.ts';

/**
 * Runs a shell command and parses its standard output as a fixtures file. The command and its children are killed after
 * `limitMs` milliseconds or too much output.
 * @throws {@link Invalid}; no message holds output of the command
 */
export async function runFixturesCommand(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  limitMs = 60_000,
): Promise<Fixtures> {
  const child = spawn(command, { shell: true, cwd, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const end = () => endGroup(child.pid);
  // The command is in a process group of its own, so a signal that ends the run has to end it explicitly.
  process.once('exit', end);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const ended = Promise.withResolvers<string>();
  const timer = setTimeout(() => ended.resolve(`took longer than ${limitMs / 1000} s`), limitMs);
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_MIB * 1024 * 1024) ended.resolve(`printed more than ${MAX_MIB} MiB`);
  });
  child.on('error', () => ended.resolve('cannot be started'));
  child.on('close', (code, signal) => ended.resolve(code === 0 ? '' : `ended with ${signal ?? `exit code ${code}`}`));
  const fault = await ended.promise;
  clearTimeout(timer);
  process.off('exit', end);
  if (fault) {
    end();
    child.stdout.destroy();
    throw new Invalid(`the command ${fault}`);
  }
  return parseFixtures(Buffer.concat(chunks));
}

/** Kills a process group; does nothing if none of it is left. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}
