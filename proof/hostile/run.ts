/** `npm start` as a child process against a target of ours, and everything that it left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Conformance, conformance } from '../../contracts/record.ts';
import { requirements } from '../../contracts/requirements/index.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Milliseconds between two looks at the memory of the child. */
const WATCH_MS = 50;

export interface Started {
  child: ChildProcess;
  /** The working directory: no `.env`, no history. */
  directory: string;
  /** The report directory. */
  reports: string;
  /** What it printed so far, both streams. */
  printed(): string;
  ended: Promise<Ended>;
}

export interface Ended {
  /** Exit code; 128 and more also for a process that a signal killed. */
  code: number;
  stdout: string;
  stderr: string;
  reports: string;
  /** The working directory: the history is there. */
  directory: string;
  /** Most resident memory in MiB, where the system tells. */
  peakMiB: number;
  seconds: number;
}

/** Starts a run with nothing in its environment but what is given. */
export const startRun = (environment: Record<string, string>, args: string[] = []): Started =>
  startNode([join(ROOT, 'cli/start.js'), ...args], environment);

/** Starts `npm run cleanup`. */
export const startCleanup = (environment: Record<string, string>, directory: string): Started =>
  startRun(environment, ['cleanup', directory]);

/** Starts `npm start` in a process group of its own, as a terminal does. */
export const startNpm = (environment: Record<string, string>, args: string[]): Started =>
  startNode(['start', '--', ...args], environment, 'npm', { detached: true, cwd: ROOT });

/** Starts Node, or another program, in an empty directory. */
export function startNode(
  args: string[],
  environment: Record<string, string>,
  program = process.execPath,
  options: { detached?: boolean; cwd?: string } = {},
): Started {
  const directory = mkdtempSync(join(tmpdir(), 'run-'));
  const reports = environment.RUN_REPORT_DIR ?? join(directory, 'report');
  const env = { PATH: process.env.PATH, HOME: directory, RUN_REPORT_DIR: reports, ...environment };
  const child = spawn(program, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]!.on('data', (bytes) => {
      printed[stream] += bytes;
    });
  const start = performance.now();
  let peakMiB = 0;
  const watch = setInterval(() => {
    peakMiB = Math.max(peakMiB, memoryOf(child.pid));
  }, WATCH_MS);
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    clearInterval(watch);
    const seconds = (performance.now() - start) / 1000;
    return { code: code ?? (signal === 'SIGINT' ? 130 : 137), ...printed, reports, directory, peakMiB, seconds };
  });
  return { child, directory, reports, printed: () => printed.stdout + printed.stderr, ended };
}

/** Most resident memory of a process so far, in MiB; 0 where the system does not tell. */
function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** conformance.json, held against its schema. @throws Error unless every requirement of the catalogue is in it once */
export function readConformance(reports: string): Conformance {
  const record = conformance.parse(JSON.parse(readFileSync(join(reports, 'conformance.json'), 'utf8')));
  const listed = record.requirements.map(({ id }) => id);
  const catalogued = requirements.map(({ id }) => id);
  if (JSON.stringify(listed.toSorted()) !== JSON.stringify(catalogued.toSorted()))
    throw new Error(`${listed.length} requirements are listed, the catalogue has ${catalogued.length}`);
  return record;
}

/** Everything that a run wrote and printed, by name: the files of the report directory by theirs, others by path. */
export function everythingOf({ stdout, stderr, reports, directory }: Ended): Map<string, string> {
  const written = [...filesIn(reports), ...filesIn(directory)];
  return new Map([
    ['standard output', stdout],
    ['standard error', stderr],
    ...written.map((path): [string, string] => [path.replace(`${reports}/`, ''), readFileSync(path, 'utf8')]),
  ]);
}

function filesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
