/** Measures processes, and starts the target that they are measured against. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Measured {
  wallMs: number;
  /** User and system time of the process and its children. */
  cpuMs: number;
  /** Largest proportional set size of the process tree. */
  peakMemoryMb: number;
  startedAt: number;
  endedAt: number;
  out: string;
  code: number;
}

const ROOT = join(import.meta.dirname, '..');

/** Interval of memory samples, in milliseconds. */
const LOOK_MS = 200;

/** The arguments after `node` in `npm start`. */
export const START: readonly string[] = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .slice(1);

/** Runs `node ARGS` in this project and measures it. @throws Error when it exits with an unexpected code */
export async function measure(
  args: readonly string[],
  env: Record<string, string> = {},
  codes = [0],
): Promise<Measured> {
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = Date.now();
  const begin = performance.now();
  // The shell's `times` prints the time of the process and its children, to the hundredth of a second.
  const shell = spawn('sh', ['-c', '"$@"; code=$?; times >&2; exit $code', 'sh', process.execPath, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  shell.stdout.on('data', (chunk) => (out += chunk));
  shell.stderr.on('data', (chunk) => (err += chunk));
  const ended = once(shell, 'close') as Promise<[number]>;
  let running = true;
  void ended.then(() => (running = false));
  let peak = 0;
  while (running) {
    peak = Math.max(peak, memoryOfTree(shell.pid!));
    await Promise.race([ended, sleep(LOOK_MS)]);
  }
  const [code] = await ended;
  const wallMs = performance.now() - begin;
  if (!codes.includes(code)) throw new Error(`node ${args.join(' ')} ended with ${code}: ${err}${out.slice(-2000)}`);
  return { wallMs, cpuMs: cpuOf(err), peakMemoryMb: peak / 1024, startedAt, endedAt: Date.now(), out, code };
}

/** Parses the last line of `times`, which is that of the children: `0m1.23s 0m0.45s`. */
function cpuOf(err: string): number {
  const last = err.trim().split('\n').at(-1) ?? '';
  return [...last.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60_000 + Number(s) * 1000,
    0,
  );
}

/** Proportional set size of a process and its descendants, in kilobytes. */
function memoryOfTree(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = read(`/proc/${name}/stat`);
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && pid > 1 && isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow).reduce((sum, pid) => sum + memoryOf(pid), 0);
}

/** Proportional set size of a process, in kilobytes. */
export const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Properties of the target of a measurement. */
export interface TargetOptions {
  /** Delay of each answer in milliseconds; none by default. */
  latencyMs?: number;
  /** Milliseconds until an effect shows; none by default. */
  effectDelayMs?: number;
  customers?: number;
  cards?: number;
  /** Those that the second target of the proof has, in place of the sandbox; of the options above, only the delay of answers is for it. */
  freedoms?: readonly string[];
}

export interface Target {
  environment: Record<string, string>;
  /** Path of the fixtures file. */
  fixtures: string;
  close(): Promise<void>;
}

export async function startTarget(options: TargetOptions = {}): Promise<Target> {
  const path = join(import.meta.dirname, 'target.ts');
  const child: ChildProcess = spawn(process.execPath, [path, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  const { environment, fixtures } = JSON.parse(line) as { environment: Record<string, string>; fixtures: unknown };
  const directory = temporaryDirectory();
  const file = join(directory.path, 'fixtures.json');
  writeFileSync(file, JSON.stringify(fixtures));
  return {
    environment,
    fixtures: file,
    close: async () => {
      const ended = once(child, 'exit');
      child.stdin!.end();
      await ended;
      directory.remove();
    },
  };
}

export function temporaryDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const median = (values: number[]): number => percentile(values, 50);
/** The smallest of some values below which `percent` of them are. */
export const percentile = (values: number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)]!;
export const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));
