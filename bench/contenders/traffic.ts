/**
 * Asks the target directly, through the proxy and through a pass-through that judges nothing, in turn; prints the median latency of each in
 * milliseconds, and requests per second, as JSON. Run by `proxy`, with the addresses in its environment.
 */
import { Agent, request } from 'undici';
import { median, rounded } from '../processes.ts';
import { startPassThrough } from './pass-through.ts';

const { DIRECT_URL = '', TARGET_BASE_URL = '', TOKEN = '' } = process.env;
const ONE_BY_ONE = 1000;
const AT_ONCE = 16;
const IN_ALL = 4000;

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

async function perSecond(base: string): Promise<number> {
  const begin = performance.now();
  let left = IN_ALL;
  const work = async () => {
    while (left-- > 0) await ask(base);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (IN_ALL * 1000) / (performance.now() - begin);
}

const passing = await startPassThrough(DIRECT_URL);
const ways = { direct: DIRECT_URL, proxy: TARGET_BASE_URL, passThrough: passing.url };
const took: Record<keyof typeof ways, number[]> = { direct: [], proxy: [], passThrough: [] };
for (let n = 0; n < ONE_BY_ONE; n++)
  for (const [way, base] of Object.entries(ways)) took[way as keyof typeof ways].push(await timed(base));
const rates: Partial<Record<keyof typeof ways, number>> = {};
for (const [way, base] of Object.entries(ways)) rates[way as keyof typeof ways] = rounded(await perSecond(base));
const medians = Object.fromEntries(Object.entries(took).map(([way, times]) => [way, rounded(median(times), 2)]));
console.log(JSON.stringify({ medianMs: medians, perSecond: rates }));
passing.close();
