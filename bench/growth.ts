/** (d) Measures the cost of more work: more checks, and a target with more data. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conformance } from '../contracts/record.ts';
import { measure, rounded, START, startTarget, temporaryDirectory } from './processes.ts';

const CHECKS = 500;

export interface Growth {
  checks: { count: number; msPerCheck: number; peakMemoryMb: number }[];
  data: { customers: number; cards: number; requests: number }[];
}

export async function growth(): Promise<Growth> {
  const target = await startTarget();
  const checks: Growth['checks'] = [];
  try {
    for (const times of [1, 4, 16]) {
      const count = CHECKS * times;
      const env = { ...target.environment, TARGET_FIXTURES: target.fixtures };
      const { out, peakMemoryMb } = await measure(['bench/contenders/suite.ts', String(count)], env);
      const { perSecond } = JSON.parse(out.trim().split('\n').at(-1)!) as { perSecond: number };
      checks.push({ count, msPerCheck: rounded(1000 / perSecond, 2), peakMemoryMb: rounded(peakMemoryMb) });
    }
  } finally {
    await target.close();
  }
  return { checks, data: [await requestsAt(200), await requestsAt(10_000)] };
}

/** Number of requests of a whole run on a target with this many customers and cards. */
async function requestsAt(size: number): Promise<Growth['data'][number]> {
  const target = await startTarget({ customers: size, cards: size });
  const directory = temporaryDirectory();
  try {
    const env = { ...target.environment, TARGET_FIXTURES: target.fixtures };
    await measure([...START, '--report-dir', directory.path, '--seed', '1'], env, [0, 3]);
    const { run } = JSON.parse(readFileSync(join(directory.path, 'conformance.json'), 'utf8')) as Conformance;
    return { customers: size, cards: size, requests: run.requests };
  } finally {
    directory.remove();
    await target.close();
  }
}
