/** One process at a time writes to a report directory. */
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

/** Somebody else writes to the directory; the message is one line that says who. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

/** The file in a report directory that says who holds it. */
export const HOLDER = '.in-use';

const CHOOSE_ANOTHER = 'choose another directory (RUN_REPORT_DIR, --report-dir)';

/** Seconds after which a holder on another machine, who should have touched the file, is taken to be gone. */
const SILENT_S = 60;
const TOUCH_MS = 10_000;
/** Seconds that taking over takes at the most. */
const TAKING_OVER_S = 10;

interface Holder {
  pid: number;
  /** When the process began, in the system's own measure: a number that came again is another process. */
  began: string;
  /** The machine, its boot and its space of process numbers. */
  place: string;
  host: string;
  what: string;
  since: string;
}

/** Directories that this process holds, and the file in each that says so. */
const held = new Map<string, string>();

/**
 * Holds the directory until this process ends, however it ends: what a killed one held is free. To hold it again is nothing.
 * @param what the holder does, for the one who is refused: `a run`
 * @throws DirectoryInUse when another process holds it; then nothing is touched
 * @throws Error that says how to choose another directory, when nothing can be written there
 */
export function holdDirectory(directory: string, what: string): void {
  const path = resolve(directory);
  if (held.has(path)) return;
  const file = join(path, HOLDER);
  try {
    makeDirectory(path);
    if (!tryToHold(file, what)) takeOver(file, directory, what);
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error;
    const reason = `cannot be written (${(error as Error).message}); ${CHOOSE_ANOTHER}`;
    throw new Error(`${directory}: ${reason}`, { cause: error });
  }
  if (held.size === 0) keepUntilExit();
  held.set(path, file);
}

/** Shows others that the holder lives, and takes the files away when it ends. */
function keepUntilExit(): void {
  process.on('exit', () => {
    for (const file of held.values()) rmSync(file, { force: true });
  });
  setInterval(() => {
    for (const file of held.values()) touch(file);
  }, TOUCH_MS).unref();
}

function tryToHold(file: string, what: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // On a full disk nobody writes anything, and what is to be undone there goes before.
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
    // The disk is full: the file is there anyway, and says that somebody is.
  }
  closeSync(descriptor);
  return true;
}

/** Takes the place of a holder that is gone. Of several that want to, one does at a time: who makes the directory beside. */
function takeOver(file: string, directory: string, what: string): void {
  refuseIfHeld(file, directory);
  const mark = `${file}-taking-over`;
  try {
    mkdirSync(mark);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (secondsSince(mark) < TAKING_OVER_S)
      throw new DirectoryInUse(`${directory}: another process has just begun there`);
  }
  try {
    refuseIfHeld(file, directory);
    rmSync(file, { force: true });
    if (!tryToHold(file, what)) throw new DirectoryInUse(`${directory}: another process has just begun there`);
  } finally {
    try {
      rmdirSync(mark);
    } catch {
      // Somebody took it for one that was left behind.
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
    `${directory}: is in use by ${who}; wait for it, or ${CHOOSE_ANOTHER}. Nothing was touched.`,
  );
}

/** What the file says; undefined where there is none any more, or one that is cut off and old. */
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

/** When a process began; empty where there is none. */
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

function secondsSince(file: string): number {
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return touched === undefined ? Number.POSITIVE_INFINITY : (Date.now() - touched) / 1000;
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Removed by somebody: the run goes on.
  }
}
