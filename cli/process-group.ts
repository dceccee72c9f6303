/** Runs a command with all that it starts as one group, which a signal ends as a whole. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT_CANNOT, EXIT_INTERRUPTED } from './exit-codes.ts';
import type { Signals } from './signals.ts';

/** Time that is left to what was told to end, in milliseconds. */
const GRACE_MS = 5000;
/** Interval of checks whether all of a group has ended, in milliseconds: nothing tells that. */
const WATCH_MS = 50;

/** Windows has no process groups: there the command alone is ended. */
const HAS_GROUPS = process.platform !== 'win32';

/** Sends a signal to a command and all that it started. @returns whether there was any of it */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return HAS_GROUPS ? process.kill(-child.pid!, signal) : child.kill(signal);
  } catch {
    return false;
  }
}

/** Waits until all of a group has ended, and kills what takes too long. */
async function groupEnd(child: ChildProcess): Promise<void> {
  const until = performance.now() + GRACE_MS;
  while (performance.now() < until && signalGroup(child, 0)) await sleep(WATCH_MS);
  signalGroup(child, 'SIGKILL');
}

/**
 * Runs a command. A signal to this process is passed on to it and to all that it started; SIGTERM and SIGHUP end them in any case.
 * @param signals are told what to do meanwhile
 * @returns its exit code; that of an interruption after a signal
 * @throws Error when it cannot be run
 */
export async function runCommand(
  [file = '', ...args]: readonly string[],
  environment: Record<string, string | undefined>,
  signals: Signals,
): Promise<number> {
  const child = spawn(file, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    detached: HAS_GROUPS,
  });
  let interrupted = false;
  let killing: NodeJS.Timeout | undefined;
  signals.end({
    interrupt(signal) {
      interrupted = true;
      signalGroup(child, signal);
      // Many programs ask at Ctrl-C, or take their time.
      if (signal !== 'SIGINT') killing = setTimeout(signalGroup, GRACE_MS, child, 'SIGKILL');
    },
    abandon: () => signalGroup(child, 'SIGKILL'),
  });
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (interrupted) await groupEnd(child);
    return interrupted || signal ? EXIT_INTERRUPTED : (code ?? EXIT_CANNOT);
  } catch (error) {
    throw new Error(`${file} cannot be run: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(killing);
  }
}
