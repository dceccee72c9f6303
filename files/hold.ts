/** Lets only one process at a time write to a report directory. */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { readWholeFile } from './read.ts';
import { makeDirectory } from './write.ts';

/** Another process writes to the directory; the message is one line that names it. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

/** The file in a report directory that names its holder. */
export const HOLDER = '.in-use';

const CHOOSE_ANOTHER = 'choose another directory (RUN_REPORT_DIR, --report-dir)';

/** Seconds without a touch of the file after which a holder on another machine counts as gone. */
const SILENT_S = 60;
const TOUCH_MS = 10_000;
/** Longest time that a takeover takes, in seconds. */
const TAKING_OVER_S = 10;

/** The holder files of this process. */
const held = new Set<string>();

interface Holder {
  pid: number;
  /** Start time of the process, in the system's own units: a reused number belongs to another process. */
  began: string;
  /** The machine, its boot and its PID namespace. */
  place: string;
  host: string;
  what: string;
  since: string;
}

/**
 * Holds the directory until it is released, or this process ends in any way; a killed holder counts as gone.
 * @param what the holder's activity, shown to whoever is refused: `a run`
 * @returns releases the directory
 * @throws DirectoryInUse when it is held, by another process or by this one; then nothing is touched
 * @throws Error that suggests choosing another directory, when this one is not writable
 */
export function holdDirectory(directory: string, what: string): () => void {
  const path = resolve(directory);
  const file = join(path, HOLDER);
  try {
    makeDirectory(path);
    if (!tryToHold(file, what)) takeOver(file, directory, what);
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error;
    const reason = `cannot be written (${(error as Error).message}); ${CHOOSE_ANOTHER}`;
    throw new Error(`${directory}: ${reason}`, { cause: error });
  }
  if (held.size === 0) process.on('exit', releaseAll);
  const touching = setInterval(touch, TOUCH_MS, file).unref();
  held.add(file);
  return () => {
    clearInterval(touching);
    held.delete(file);
    rmSync(file, { force: true });
    if (held.size === 0) process.off('exit', releaseAll);
  };
}

/**
 * Holds the directory while work is done.
 * @throws as {@link holdDirectory}, and what the work throws
 */
export async function whileHolding<T>(directory: string, what: string, work: () => T | Promise<T>): Promise<T> {
  const release = holdDirectory(directory, what);
  try {
    return await work();
  } finally {
    release();
  }
}

const releaseAll = () => {
  for (const file of held) rmSync(file, { force: true });
};

function tryToHold(file: string, what: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // On a full disk nobody can write, and undoing changes must still be possible.
    if (code === 'ENOSPC') return true;
    throw error;
  }
  const own: Holder = {
    pid: process.pid,
    began: beginningOf(process.pid),
    place: place(),
    host: hostname(),
    what,
    since: new Date().toISOString(),
  };
  try {
    writeSync(descriptor, JSON.stringify(own));
  } catch {
    // The disk is full, but the empty file still shows that there is a holder.
  }
  closeSync(descriptor);
  return true;
}

/** Replaces a holder that is gone. If several try, only the one that creates the marker directory does. */
function takeOver(file: string, directory: string, what: string): void {
  refuseIfHeld(file, directory);
  const mark = `${file}-taking-over`;
  try {
    mkdirSync(mark);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (secondsSince(mark) < TAKING_OVER_S)
      throw new DirectoryInUse(`${directory}: another process has just started there${datedAhead(mark)}`);
  }
  try {
    refuseIfHeld(file, directory);
    rmSync(file, { force: true });
    if (!tryToHold(file, what)) throw new DirectoryInUse(`${directory}: another process has just started there`);
  } finally {
    try {
      rmdirSync(mark);
    } catch {
      // Another process considered it abandoned and removed it.
    }
  }
}

function refuseIfHeld(file: string, directory: string): void {
  const holder = holderOf(file);
  if (!holder || isGone(holder, file)) return;
  const { what = 'another process', pid, host, since } = holder;
  const who = (pid === undefined ? what : `${what} (process ${pid} on ${host}, since ${since})`)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 200);
  throw new DirectoryInUse(
    `${directory}: is in use by ${who}; wait for it to end, or ${CHOOSE_ANOTHER}. Nothing was touched${datedAhead(file)}.`,
  );
}

/** The content of the file; undefined if it is gone, or truncated and old. */
function holderOf(file: string): Partial<Holder> | undefined {
  try {
    return JSON.parse(readWholeFile(file)) as Partial<Holder>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return secondsSince(file) < TAKING_OVER_S ? {} : undefined;
  }
}

function isGone({ pid, began, place: where }: Partial<Holder>, file: string): boolean {
  if (where !== place() || pid === undefined) return secondsSince(file) > SILENT_S;
  return beginningOf(pid) !== began;
}

/** The start time of a process; empty if there is none. */
function beginningOf(pid: number): string {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return '';
  }
  try {
    // The 22nd field; the second, a name, may hold anything but ends with the last parenthesis.
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')[19]!;
  } catch {
    return 'unknown';
  }
}

function place(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** What to do about a file whose time is in the future, so that its age says nothing; empty for any other. */
const datedAhead = (file: string): string =>
  secondsSince(file) < -SILENT_S ? `; ${file} has a time in the future: remove it if nothing runs there` : '';

function secondsSince(file: string): number {
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return touched === undefined ? Number.POSITIVE_INFINITY : (Date.now() - touched) / 1000;
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Somebody removed the file; the run continues.
  }
}
