/** (b) Against a target of 50 ms per answer: how close to what its latency allows? */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conformance, Exchange } from '../contracts/record.ts';
import type { Check } from '../helpers/check.ts';
import { suite } from '../suites/index.ts';
import { measure, rounded, startTarget, temporaryDirectory } from './processes.ts';

export const LATENCY_MS = 50;

export interface AtLatency {
  concurrency: number;
  requests: number;
  /** Requests of which each had to wait for the one before. */
  longestChain: number;
  /** The larger of requests x latency / concurrency and longest chain x latency. */
  boundMs: number;
  /** From the first request to the last answer. */
  wallMs: number;
  ratio: number;
}

const TIMES = 3;

/** The run with the median ratio of some. */
export async function atLatency(concurrency: number): Promise<AtLatency> {
  const runs: AtLatency[] = [];
  for (let i = 0; i < TIMES; i++) runs.push(await runAtLatency(concurrency));
  return runs.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(TIMES / 2)]!;
}

async function runAtLatency(concurrency: number): Promise<AtLatency> {
  const target = await startTarget(LATENCY_MS);
  const directory = temporaryDirectory();
  try {
    await measure(
      'cli/main.ts',
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

/** The context of what the run asks for itself: its credentials. */
const OF_RUN = 'run';

/**
 * The longest chain of the record. A run begins with its credentials, then come the stages of its checks and what is observed
 * afterwards, one after the other: of each the longest chain counts. That of a check is made of its own requests, of those of the
 * scenarios that it looks at, undoing included, and of the credentials that had to be renewed for them: the most of them each of which
 * began when the one before had ended. Waiting for a card that another check holds is in no chain, and so counts against the run.
 */
function longestOf({ requirements }: Conformance, exchanges: readonly Exchange[]): number {
  const contextOf = new Map(exchanges.map(({ id, check }) => [id, check]));
  const ofContext = Map.groupBy(exchanges, ({ check }) => check);
  const ofRun = ofContext.get(OF_RUN) ?? [];
  const evidence = new Map(
    requirements.flatMap(({ id, checks }) => checks.map((check) => [`${id}: ${check.name}`, check.exchanges] as const)),
  );
  const ofCheck = ({ requirement, name }: Check): Exchange[] => {
    const looked = (evidence.get(`${requirement}: ${name}`) ?? []).map((id) => contextOf.get(id)!);
    const contexts = new Set([`${requirement}: ${name}`, ...looked.filter((context) => context !== OF_RUN)]);
    return [...contexts].flatMap((context) => ofContext.get(context) ?? []);
  };
  const inPhase = (...phases: Check['phase'][]) =>
    suite.checks.filter(({ phase }) => phases.includes(phase)).map(ofCheck);
  const first = Math.min(...exchanges.filter(({ check }) => check !== OF_RUN).map(begin));
  const stages = [
    [ofRun.filter((exchange) => end(exchange) <= first)],
    inPhase('main', 'last'),
    inPhase('clock'),
    [ofContext.get('observations') ?? []],
  ];
  let length = 0;
  let since = 0;
  for (const stage of stages) {
    const chains = stage.map((chain) => chain.filter((exchange) => begin(exchange) >= since));
    length += Math.max(0, ...chains.map((chain) => chainOf([...chain, ...renewedFor(chain, ofRun, since)])));
    since = Math.max(since, ...chains.flat().map(end));
  }
  return length;
}

/** The credentials that were renewed while a chain waited for them. */
function renewedFor(chain: readonly Exchange[], ofRun: readonly Exchange[], since: number): Exchange[] {
  const last = Math.max(0, ...chain.map(begin));
  const ofPortal = ({ operation }: Exchange) => operation.startsWith('portal.');
  return ofRun.filter(
    (exchange) =>
      begin(exchange) >= since && end(exchange) <= last && chain.some((one) => ofPortal(one) === ofPortal(exchange)),
  );
}

/** startedAt is cut to whole milliseconds: what begins when another ends seems to begin before. */
const CUT_MS = 1;

/** The most exchanges that do not overlap: always the one next that ends first. */
function chainOf(exchanges: readonly Exchange[]): number {
  let length = 0;
  let free = 0;
  for (const exchange of exchanges.toSorted((a, b) => end(a) - end(b))) {
    if (begin(exchange) + CUT_MS < free) continue;
    length++;
    free = end(exchange);
  }
  return length;
}
