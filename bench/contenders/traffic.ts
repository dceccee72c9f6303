/**
 * Asks the target directly, through the proxy and through a pass-through that judges nothing, in turn; prints latencies of each in milliseconds, requests per
 * second, and the memory of the proxy, as JSON. Run by `proxy`, with the addresses in its environment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { median, memoryOf, percentile, rounded } from '../processes.ts';
import { startPassThrough } from './pass-through.ts';

const { DIRECT_URL = '', TARGET_BASE_URL = '', TOKEN = '' } = process.env;
const ONE_BY_ONE = 1000;
const AT_ONCE = 16;
const IN_ALL = 4000;
/** Requests per second that come whether or not those before are answered, and how many come that way in a row. */
const RATE = 200;
const IN_A_ROW = 400;
const ROUNDS = 5;
/** Requests over which the memory of the proxy is looked at. */
const MANY = 100_000;

const dispatcher = new Agent({ connections: AT_ONCE });
const headers = { authorization: `Bearer ${TOKEN}` };

async function ask(base: string): Promise<void> {
  const { statusCode, body } = await request(`${base}/cards/cards?max=10`, { dispatcher, headers });
  await body.arrayBuffer();
  if (statusCode !== 200) throw new Error(`answered with ${statusCode}`);
}

async function timed(base: string): Promise<number> {
  const begin = performance.now();
  await ask(base);
  return performance.now() - begin;
}

async function perSecond(base: string, count = IN_ALL): Promise<number> {
  const begin = performance.now();
  let left = count;
  const work = async () => {
    while (left-- > 0) await ask(base);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (count * 1000) / (performance.now() - begin);
}

/** Latencies of requests that come at a steady rate. */
async function atRate(base: string): Promise<number[]> {
  const begin = performance.now();
  const took: Promise<number>[] = [];
  while (took.length < IN_A_ROW) {
    took.push(timed(base));
    await sleep(Math.max(0, begin + (took.length * 1000) / RATE - performance.now()));
  }
  return Promise.all(took);
}

/** The most memory in megabytes that the proxy, which runs this, takes over many requests. */
async function memoryOverMany(): Promise<number> {
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, memoryOf(process.ppid));
  }, 500);
  await perSecond(TARGET_BASE_URL, MANY);
  clearInterval(look);
  return peak / 1024;
}

const passing = await startPassThrough(DIRECT_URL);
const ways = { direct: DIRECT_URL, proxy: TARGET_BASE_URL, passThrough: passing.url };
const took: Record<keyof typeof ways, number[]> = { direct: [], proxy: [], passThrough: [] };
for (let n = 0; n < ONE_BY_ONE; n++)
  for (const [way, base] of Object.entries(ways)) took[way as keyof typeof ways].push(await timed(base));
const steadily: Record<keyof typeof ways, number[]> = { direct: [], proxy: [], passThrough: [] };
for (let n = 0; n < ROUNDS; n++)
  for (const [way, base] of Object.entries(ways)) steadily[way as keyof typeof ways].push(...(await atRate(base)));
const rates: Partial<Record<keyof typeof ways, number>> = {};
for (const [way, base] of Object.entries(ways)) rates[way as keyof typeof ways] = rounded(await perSecond(base));
const each = (figure: (times: number[]) => number, of: typeof took) =>
  Object.fromEntries(Object.entries(of).map(([way, times]) => [way, rounded(figure(times), 2)]));
const steady = {
  perSecond: RATE,
  medianMs: each(median, steadily),
  p99Ms: each((times) => percentile(times, 99), steadily),
};
const memory = { requests: MANY, peakMb: rounded(await memoryOverMany()) };
console.log(JSON.stringify({ medianMs: each(median, took), perSecond: rates, steady, memory }));
passing.close();
