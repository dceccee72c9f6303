/** (a) Measures the full embedded run as a person starts it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conformance } from '../contracts/record.ts';
import { type Measured, measure, median, rounded, START, temporaryDirectory } from './processes.ts';

export interface FullRun {
  requests: number;
  checks: number;
  wallMs: number;
  cpuMs: number;
  peakMemoryMb: number;
  /**
   * Parts of the wall time: until the first request, the checks, and from their end to the end of the process (the
   * reports).
   */
  startMs: number;
  checksMs: number;
  reportsMs: number;
}

const TIMES = 3;

/** The medians of several runs. @param args options of `npm start` */
export async function fullRun(args: string[] = []): Promise<FullRun> {
  const runs: FullRun[] = [];
  for (let i = 0; i < TIMES; i++) {
    const directory = temporaryDirectory();
    const measured = await measure([...START, '--report-dir', directory.path, '--seed', '1', ...args], {}, [0, 3]);
    runs.push(partsOf(measured, directory.path));
    directory.remove();
  }
  const names = Object.keys(runs[0]!) as (keyof FullRun)[];
  return Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name]))])) as unknown as FullRun;
}

function partsOf(measured: Measured, directory: string): FullRun {
  const { run, requirements } = JSON.parse(readFileSync(join(directory, 'conformance.json'), 'utf8')) as Conformance;
  const first = Date.parse(
    JSON.parse(readFileSync(join(directory, 'exchanges.ndjson'), 'utf8').split('\n', 1)[0]!).startedAt,
  );
  const finished = Date.parse(run.finishedAt);
  return {
    requests: run.requests,
    checks: requirements.flatMap(({ checks }) => checks).length,
    wallMs: rounded(measured.wallMs),
    cpuMs: rounded(measured.cpuMs),
    peakMemoryMb: rounded(measured.peakMemoryMb),
    startMs: first - measured.startedAt,
    checksMs: finished - first,
    reportsMs: measured.endedAt - finished,
  };
}
