/**
 * `npm run bench`: takes all measurements that bench/README.md reports, and writes that file and results.json.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requestsAlone } from './costs.ts';
import { type FullRun, fullRun } from './full-run.ts';
import { type Growth, growth } from './growth.ts';
import { type AtLatency, atLatency, LAG_MS } from './latency.ts';
import { proofRate } from './proofs.ts';
import { readme } from './readme.ts';
import { costliestTests } from './tests.ts';
import { type Throughput, throughput } from './throughput.ts';
import { type Traffic, traffic } from './traffic.ts';

export interface Results {
  takenAt: string;
  /** Date and id of the last commit measured; not recorded before 2026-11-24. */
  code?: string;
  machine: { cpu: string; cores: number; memoryGb: number; system: string; node: string };
  fullRun: FullRun;
  safeRun: FullRun;
  atLatency: AtLatency[];
  /** Not measured before 2026-11-22. */
  lagging?: AtLatency;
  /** The second target, and the same where it rounds amounts. Not measured before 2026-11-30. */
  ofOthers?: Record<'plain' | 'rounding', Required<AtLatency>>;
  throughput: Throughput;
  growth: Growth;
  /** Not measured before 2026-11-27. */
  traffic?: Traffic;
  /**
   * Number of faults that a selfcheck proves per second, out of all; out of a twelfth before 2026-11-23, which is not
   * comparable.
   */
  allFaultsPerSecond?: number;
  /** Requests of each requirement that is written by hand, run alone; not counted before 2026-11-26. */
  requestsAlone?: Record<string, number>;
}

const USAGE = `Usage: npm run bench [-- --tests [--project long]]

Measures the suite on this machine, for some minutes with nothing else running, and writes bench/results.json and bench/README.md.
--tests prints the ten costliest test files instead, each run alone, and writes nothing.`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      tests: { type: 'boolean' },
      project: { type: 'string', default: 'tests' },
    },
  });
  if (values.help || values.tests) {
    console.log(values.help ? USAGE : await costliestTests(values.project));
    return 0;
  }
  const say = (what: string) => console.log(`Measuring ${what} ...`);
  const [cpu] = cpus();
  say('the full run');
  const whole = await fullRun();
  say('a safe run');
  const safe = await fullRun(['--risk', 'safe']);
  say('runs at a latency');
  const latencies = [await atLatency(8), await atLatency(32)];
  const lagging = await atLatency(32, { effectDelayMs: LAG_MS });
  const ofOthers = {
    plain: await atLatency(8, { freedoms: [] }),
    rounding: await atLatency(8, { freedoms: ['fractions-of-a-cent-are-rounded'] }),
  };
  say('throughput');
  const rates = await throughput();
  say('proofs');
  const allFaultsPerSecond = await proofRate();
  say('each requirement alone');
  const alone = await requestsAlone();
  say('traffic that others make');
  const others = await traffic();
  say('growth');
  const results: Results = {
    takenAt: new Date().toISOString().slice(0, 10),
    code: execFileSync('git', ['log', '-1', '--format=%cs %h'], { encoding: 'utf8' }).trim(),
    machine: {
      cpu: cpu?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      system: `${platform()} ${release()} ${arch()}`,
      node: process.version,
    },
    fullRun: whole,
    safeRun: safe,
    atLatency: latencies,
    lagging,
    ofOthers,
    throughput: rates,
    traffic: others,
    growth: await growth(),
    allFaultsPerSecond,
    requestsAlone: alone,
  };
  const file = join(import.meta.dirname, 'results.json');
  const before = JSON.parse(readFileSync(file, 'utf8')) as Results;
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(import.meta.dirname, 'README.md'), readme(results, before));
  console.log(readme(results, before));
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`the benchmark could not be carried out: ${(error as Error).message}`);
  process.exitCode = 2;
}
