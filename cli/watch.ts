/** `run --watch`: runs again whenever the target may have changed, each time what failed before, until nothing fails. */
import { unwatchFile, watchFile } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { EXIT_CANNOT, EXIT_INTERRUPTED } from './exit-codes.ts';
import { runCommand } from './process-group.ts';
import type { Signals } from './signals.ts';

/** Interval of looks at the files, in milliseconds. */
const LOOK_MS = 500;
/** Seconds for which a further run waits for the target: what changed may be what it is being built from. */
const RESTART_SECONDS = 600;

/** What a run is made of, and what begins the next. */
export interface Watched {
  /** Starts the program with these arguments, and returns its exit code. */
  start(args: readonly string[]): Promise<number>;
  /** Resolves when the next run is to begin, with false where there is to be none. */
  next(): Promise<boolean>;
  say(line: string): void;
}

/**
 * Runs until nothing fails any more: first as asked, then what failed, once the target answers.
 * @param args of the run, without --watch
 * @returns the exit code of the last run
 */
export async function watchRuns(args: readonly string[], { start, next, say }: Watched): Promise<number> {
  const hasOption = (name: string) => args.some((arg) => arg === name || arg.startsWith(`${name}=`));
  const again = [
    ...args,
    ...(hasOption('--last-failed') ? [] : ['--last-failed']),
    ...(hasOption('--wait-for-target') ? [] : [`--wait-for-target=${RESTART_SECONDS}`]),
  ];
  let given = args;
  for (;;) {
    const code = await start(given);
    if (code === 0 && (given === again || hasOption('--last-failed')))
      say('Nothing that failed fails any more; a run without --last-failed tells the rest.');
    if (code === 0 || code === EXIT_INTERRUPTED || !(await next())) return code;
    // What could not be carried out left nothing to try again.
    if (code !== EXIT_CANNOT) given = again;
  }
}

/** The arguments of a run without --watch, which may have a value, and without the name of the subcommand. */
export function withoutWatch([first, ...others]: readonly string[]): string[] {
  const args = first === undefined || first === 'run' ? others : [first, ...others];
  const at = args.findIndex((arg) => arg === '--watch' || arg.startsWith('--watch='));
  if (at < 0) return args;
  const hasValue = args[at] === '--watch' && args[at + 1] !== undefined && !args[at + 1]!.startsWith('-');
  return args.toSpliced(at, hasValue ? 2 : 1);
}

/** Runs in processes of their own, each begun by a change of a file or a line that is typed. @param paths files to look at */
export function watchedBy(paths: readonly string[], signals: Signals): Watched {
  return {
    start: (args) =>
      runCommand([process.execPath, ...process.execArgv, '--', process.argv[1]!, 'run', ...args], {}, signals),
    next: () =>
      nextChange(
        paths.map((path) => resolve(path)),
        signals,
      ),
    say: (line) => console.log(line),
  };
}

/** Waits for a change of one of the files, for a line on a terminal, or for a signal. */
async function nextChange(paths: readonly string[], signals: Signals): Promise<boolean> {
  const { promise, resolve: decide } = Promise.withResolvers<boolean>();
  const changed = () => decide(true);
  for (const path of paths) watchFile(path, { interval: LOOK_MS }, changed);
  const typed = process.stdin.isTTY ? createInterface({ input: process.stdin }) : undefined;
  typed?.once('line', changed);
  signals.end({ doing: 'nothing is under way', interrupt: () => decide(false), abandon: () => decide(false) });
  const ways = [...(paths.length > 0 ? [`a change of ${paths.join(', ')}`] : []), ...(typed ? ['Enter'] : [])];
  console.log(`Waiting for ${ways.join(' or ') || 'a signal'} to try again what failed …`);
  try {
    return await promise;
  } finally {
    for (const path of paths) unwatchFile(path, changed);
    typed?.close();
  }
}
