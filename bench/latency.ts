/** (b) Against a target of 50 ms per answer: how close to what its latency allows? */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conformance, Exchange } from '../contracts/record.ts';
import { suite } from '../suites/index.ts';
import { measure, rounded, startTarget, temporaryDirectory } from './processes.ts';

export const LATENCY_MS = 50;

export interface AtLatency {
  concurrency: number;
  requests: number;
  /** Of the requests of one check and the scenarios that it looks at, the most that had to wait for each other, over all stages. */
  longestChain: number;
  /** The larger of requests x latency / concurrency and longest chain x latency. */
  boundMs: number;
  /** From the first request to the last answer. */
  wallMs: number;
  ratio: number;
}

export async function atLatency(concurrency: number): Promise<AtLatency> {
  const target = await startTarget(LATENCY_MS);
  const directory = temporaryDirectory();
  try {
    await measure(
      'cli/run.ts',
      ['--report-dir', directory.path, '--seed', '1', '--concurrency', String(concurrency)],
      { ...target.environment, TARGET_FIXTURES: target.fixtures },
      [0, 3],
    );
    const exchanges = readFileSync(join(directory.path, 'exchanges.ndjson'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Exchange);
    const conformance = JSON.parse(readFileSync(join(directory.path, 'conformance.json'), 'utf8')) as Conformance;
    const wallMs = Math.max(...exchanges.map(end)) - Math.min(...exchanges.map(begin));
    const longestChain = longestOf(conformance, exchanges);
    const boundMs = Math.max((exchanges.length * LATENCY_MS) / concurrency, longestChain * LATENCY_MS);
    return {
      concurrency,
      requests: exchanges.length,
      longestChain,
      boundMs: rounded(boundMs),
      wallMs: rounded(wallMs),
      ratio: rounded(wallMs / boundMs, 2),
    };
  } finally {
    directory.remove();
    await target.close();
  }
}

const begin = ({ startedAt }: Exchange): number => Date.parse(startedAt);
const end = (exchange: Exchange): number => begin(exchange) + exchange.durationMs;

/**
 * The longest chain of the record: in each stage of the run, of the evidence of one check, the most exchanges of which each began
 * when the one before had ended; then the sum over the stages, which follow each other.
 * Waiting for a card that another check holds is in no chain, and so counts against the run.
 */
function longestOf({ requirements }: Conformance, exchanges: readonly Exchange[]): number {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const evidence = new Map(
    requirements.flatMap(({ id, checks }) =>
      checks.map(({ name, exchanges: ids }) => [`${id}: ${name}`, ids.map((one) => byId.get(one)!)] as const),
    ),
  );
  let length = 0;
  let since = 0;
  for (const phase of ['main', 'last', 'clock'] as const) {
    const inStage = suite.checks
      .filter((check) => check.phase === phase)
      .map(({ requirement, name }) =>
        (evidence.get(`${requirement}: ${name}`) ?? []).filter((one) => begin(one) >= since),
      );
    length += Math.max(0, ...inStage.map(chainOf));
    since = Math.max(since, ...inStage.flat().map(end));
  }
  return length;
}

/** The most exchanges that do not overlap: always the one next that ends first. */
function chainOf(exchanges: readonly Exchange[]): number {
  let length = 0;
  let free = 0;
  for (const exchange of exchanges.toSorted((a, b) => end(a) - end(b))) {
    if (begin(exchange) < free) continue;
    length++;
    free = end(exchange);
  }
  return length;
}
