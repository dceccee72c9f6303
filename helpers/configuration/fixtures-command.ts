/** The command of RUN_FIXTURES_COMMAND, which prints a fixtures file. */
import { spawn } from 'node:child_process';
import type { Fixtures } from '../../contracts/fixtures.ts';
import { parseFixtures } from './fixtures-file.ts';
import { Invalid, MAX_BYTES } from './invalid.ts';

/**
 * Runs a shell command that prints a fixtures file on its standard output, and reads that.
 * The command and what it started are ended after `limitMs` milliseconds or too much output.
 * @throws {@link Invalid}; what the command printed is in no message.
 */
export async function runFixturesCommand(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  limitMs = 60_000,
): Promise<Fixtures> {
  const child = spawn(command, { shell: true, cwd, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const end = () => endGroup(child.pid);
  // A signal that ends the run ends the command, too, which is in a group of its own.
  process.once('exit', end);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const ended = Promise.withResolvers<string>();
  const timer = setTimeout(() => ended.resolve(`took longer than ${limitMs / 1000} s`), limitMs);
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) ended.resolve(`printed more than ${MAX_BYTES / 1024 / 1024} MB`);
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

/** Ends a process and all that it started; none of them being left is fine. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}
