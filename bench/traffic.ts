/** What it costs to judge traffic that others make: through the proxy, and from a recording. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Har } from 'har-format';
import { measure, rounded, START, startTarget, temporaryDirectory } from './processes.ts';

/** Ways to the target. */
export type Way = 'direct' | 'proxy' | 'passThrough';

export interface Traffic {
  /** Median latency of a request in milliseconds, one at a time. */
  medianMs: Record<Way, number>;
  /** Requests per second, 16 at once. */
  perSecond: Record<Way, number>;
  /** Latencies in milliseconds at a steady rate, whether or not the requests before are answered. */
  steady?: { perSecond: number; medianMs: Record<Way, number>; p99Ms: Record<Way, number> };
  /** The most memory of the proxy over some requests as fast as it takes them, and how many of them it did not judge. */
  memory?: { requests: number; peakMb: number; notJudged?: number };
  recording: { mb: number; exchanges: number; wallMs: number; peakMemoryMb: number };
}

/** Size in bytes of the recording, at least. */
const RECORDING_BYTES = 100_000_000;

const subcommand = (name: string, ...args: string[]) => [...START.slice(0, -1), name, ...args];

export async function traffic(): Promise<Traffic> {
  const directory = temporaryDirectory();
  const target = await startTarget();
  try {
    const reports = join(directory.path, 'run');
    const written = { RUN_HISTORY: join(directory.path, 'history'), RUN_REPORT_DIR: join(directory.path, 'judged') };
    const { TARGET_AUTH_URL, TARGET_TENANT_PATH, TARGET_BASE_URL = '', ...others } = target.environment;
    const answer = await fetch(`${TARGET_AUTH_URL}/${TARGET_TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: others.TARGET_CLIENT_ID ?? '',
        client_secret: others.TARGET_CLIENT_SECRET ?? '',
      }),
    });
    const { access_token: TOKEN } = (await answer.json()) as { access_token: string };
    const client = [process.execPath, join(import.meta.dirname, 'contenders/traffic.ts')];
    const environment = { ...written, TARGET_BASE_URL, DIRECT_URL: TARGET_BASE_URL, TOKEN };
    // It sends faster than the proxy judges at the end, and what is passed on without being judged makes the code 3.
    const { out } = await measure(subcommand('proxy', '--', ...client), environment, [0, 3]);
    const notJudged = Number(out.match(/(\d+) exchanges were passed on and not judged/)?.[1] ?? 0);
    const figures = JSON.parse(out.split('\n').find((line) => line.startsWith('{"medianMs"'))!);

    await measure([...START, '--report-dir', reports], {
      ...target.environment,
      TARGET_FIXTURES: target.fixtures,
      RUN_HISTORY: written.RUN_HISTORY,
    });
    const har = join(directory.path, 'run.har');
    await measure(subcommand('report', reports, '--har', har), { RUN_HISTORY: written.RUN_HISTORY });
    const exchanges = grow(har);
    const { wallMs, peakMemoryMb } = await measure(subcommand('judge', har), written, [0, 1, 3]);
    const mb = Math.round(statSync(har).size / 1e6);
    figures.memory.notJudged = notJudged;
    return { ...figures, recording: { mb, exchanges, wallMs: rounded(wallMs), peakMemoryMb: rounded(peakMemoryMb) } };
  } finally {
    await target.close();
    directory.remove();
  }
}

/** Repeats the entries of an archive until it is large. @returns their number */
function grow(file: string): number {
  const { log } = JSON.parse(readFileSync(file, 'utf8')) as Har;
  const times = Math.ceil(RECORDING_BYTES / statSync(file).size);
  const text = log.entries.map((entry) => JSON.stringify(entry)).join(',');
  writeFileSync(file, `{"log":{"version":"1.2","entries":[${Array.from({ length: times }, () => text).join(',')}]}}`);
  return times * log.entries.length;
}
