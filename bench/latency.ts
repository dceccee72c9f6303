/** (b) Measures how close a run comes to the latency bound, on a target with 50 ms per answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conformance, Exchange } from '../contracts/record.ts';
import type { Check } from '../helpers/check.ts';
import { suite } from '../suites/index.ts';
import {
  measure,
  rounded,
  START,
  startTarget,
  type Target,
  type TargetOptions,
  temporaryDirectory,
} from './processes.ts';

export const LATENCY_MS = 50;
/** Milliseconds until an effect shows at the lagging target. */
export const LAG_MS = 300;
/** Default settle time of a configured target, in milliseconds: RUN_SETTLE_MS. */
const SETTLE_MS = 1000;

export interface AtLatency {
  concurrency: number;
  requests: number;
  /** Number of requests in the longest chain, each waiting for the one before. */
  longestChain: number;
  /** Milliseconds spent in that chain waiting for effects to show. */
  waitsMs: number;
  /** The larger of requests x latency / concurrency, and longest chain x latency + waits. */
  boundMs: number;
  /** From the first request to the last answer. */
  wallMs: number;
  ratio: number;
  /** From start to exit, and as a multiple of the bound. Not measured before 2026-11-30. */
  command?: { wallMs: number; ratio: number };
  /**
   * The best ratio that any client reaches on this machine: undici alone with independent requests at the same
   * concurrency, or one at a time if the chain is the bound. Not measured before 2026-11-24.
   */
  ofUndici?: number;
}

const TIMES = 3;

/** The run with the median ratio. Where effects show late, it has the default settle time. */
export async function atLatency(concurrency: number, options: TargetOptions = {}): Promise<Required<AtLatency>> {
  const runs: Required<AtLatency>[] = [];
  for (let i = 0; i < TIMES; i++) runs.push(await runAtLatency(concurrency, options));
  return runs.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(TIMES / 2)]!;
}

async function runAtLatency(concurrency: number, options: TargetOptions): Promise<Required<AtLatency>> {
  const settleMs = options.effectDelayMs === undefined ? 0 : SETTLE_MS;
  const target = await startTarget({ ...options, latencyMs: LATENCY_MS });
  const directory = temporaryDirectory();
  try {
    const command = await measure(
      [...START, '--report-dir', directory.path, '--seed', '1', '--concurrency', String(concurrency)],
      { ...target.environment, TARGET_FIXTURES: target.fixtures, RUN_SETTLE_MS: String(settleMs) },
      [0, 3],
    );
    const exchanges = readFileSync(join(directory.path, 'exchanges.ndjson'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Exchange);
    const conformance = JSON.parse(readFileSync(join(directory.path, 'conformance.json'), 'utf8')) as Conformance;
    const wallMs = Math.max(...exchanges.map(end)) - Math.min(...exchanges.map(begin));
    const longest = longestOf(conformance, exchanges, settleMs);
    const boundMs = Math.max((exchanges.length * LATENCY_MS) / concurrency, timeOf(longest));
    const atOnce = timeOf(longest) < boundMs ? concurrency : 1;
    return {
      concurrency,
      requests: exchanges.length,
      longestChain: longest.requests,
      waitsMs: rounded(longest.waitsMs),
      boundMs: rounded(boundMs),
      wallMs: rounded(wallMs),
      ratio: rounded(wallMs / boundMs, 2),
      command: { wallMs: rounded(command.wallMs), ratio: rounded(command.wallMs / boundMs, 2) },
      ofUndici: rounded(await ratioOfUndici(atOnce, target), 2),
    };
  } finally {
    directory.remove();
    await target.close();
  }
}

/** Number of undici's requests per request in flight. */
const ROUNDS = 40;

async function ratioOfUndici(atOnce: number, { environment, fixtures }: Target): Promise<number> {
  const count = ROUNDS * atOnce;
  const { out } = await measure(['bench/contenders/plain.ts', String(count), String(atOnce)], {
    ...environment,
    TARGET_FIXTURES: fixtures,
  });
  const { perSecond } = JSON.parse(out) as { perSecond: number };
  return (atOnce * 1000) / LATENCY_MS / perSecond;
}

const begin = ({ startedAt }: Exchange): number => Date.parse(startedAt);
const end = (exchange: Exchange): number => begin(exchange) + exchange.durationMs;

/** The longest chain of requests, each waiting for the one before, and the time spent waiting for effects to show. */
interface Chain {
  requests: number;
  waitsMs: number;
}

const timeOf = ({ requests, waitsMs }: Chain) => requests * LATENCY_MS + waitsMs;
const NONE: Chain = { requests: 0, waitsMs: 0 };
const longer = (one: Chain, other: Chain): Chain => (timeOf(other) > timeOf(one) ? other : one);
const joined = (one: Chain, next: Chain): Chain => ({
  requests: one.requests + next.requests,
  waitsMs: one.waitsMs + next.waitsMs,
});

/** The context of the run's own requests: its credentials. */
const OF_RUN = 'run';
/** Operations that a target may refuse to run concurrently, so that they are sent one at a time. */
const CIP = 'portal.getCIPCheck';
const ORDER = 'portal.orderCards';
const NOTHING_IS_MADE_OF = ['malformed', 'unauthorised'];
/**
 * Contexts that log the run's user in and out; since a target may allow one session, nothing else is in a session
 * meanwhile.
 */
const SESSIONS = [
  'two users who log in at the same moment',
  'portal sessions from login to logout',
  'a user who is not entitled to everything',
  'the logout of a user who is not entitled to everything',
  'the last logins of the run',
];
/** The context that moves the clock, which may end sessions. */
const CLOCK = 'a token of 59 minutes';

/**
 * The longest chain of the record, among these. A check's chain consists of its own requests, those of its scenarios,
 * including undoing, and of credentials renewed for them: the largest number in which each began when the one before
 * had ended. Serialised requests, such as orders, form a chain too.
 *
 * The portal: its credentials; then its orders, or the longest of its checks; then everything that logs in and out,
 * since that ends the session in which orders are made, and the moving of the clock, which may end it as well; then
 * what is repeated after that. The others: credentials; the longest check; the longest of those that would disturb
 * them; the longest of those that let time pass or come after it. Waiting for a card that another check holds is in no
 * chain, and so counts against the run.
 */
function longestOf({ requirements }: Conformance, exchanges: readonly Exchange[], settleMs: number): Chain {
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
  const inPhase = (phase: Check['phase'], isMeant: (check: Check) => boolean = () => true) =>
    suite.checks.filter((check) => check.phase === phase && isMeant(check)).map(ofCheck);
  const inSessions = [...SESSIONS, CLOCK].flatMap((context) => ofContext.get(context) ?? []);
  const isInSessions = new Set(inSessions);
  const oneByOne = [ORDER, CIP].map((operation) =>
    exchanges.filter(
      (one) => one.operation === operation && !NOTHING_IS_MADE_OF.includes(one.intent) && !isInSessions.has(one),
    ),
  );
  const first = Math.min(...exchanges.filter(({ check }) => check !== OF_RUN).map(begin));
  /** Chains of consecutive stages: each takes what begins before the next one does. */
  const inStages = (stages: readonly Exchange[][][]): Chain =>
    stages
      .map((chains, index) => {
        const since = startOf(stages, index);
        const until = Math.min(...stages.slice(index + 1).map((_, next) => startOf(stages, index + 1 + next)));
        return chains
          .map((chain) => chain.filter((exchange) => begin(exchange) >= since && begin(exchange) < until))
          .map((chain) => chainOf([...chain, ...renewedFor(chain, ofRun, since)], settleMs))
          .reduce(longer, NONE);
      })
      .reduce(joined, NONE);
  const isOfPortal = ({ requirement }: Check) => requirement.startsWith('portal.');
  const ofV3 = (check: Check) => !isOfPortal(check);
  const credentials = [ofRun.filter((exchange) => end(exchange) <= first)];
  return [
    inStages([credentials, [...inPhase('main', isOfPortal), ...oneByOne], [inSessions], inPhase('later', isOfPortal)]),
    inStages([
      credentials,
      inPhase('main', ofV3),
      inPhase('last', ofV3),
      [...inPhase('clock'), ...inPhase('end', ofV3)],
    ]),
  ].reduce(longer);
}

/** When a stage begins: with its first exchange that belongs to no earlier stage. */
function startOf(stages: readonly Exchange[][][], index: number): number {
  const earlier = new Set(stages.slice(0, index).flat(2));
  const own = stages[index]!.flat().filter((exchange) => !earlier.has(exchange));
  return Math.min(...own.map(begin));
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

/** startedAt is truncated to milliseconds, so an exchange that begins when another ends seems to begin earlier. */
const CUT_MS = 1;

/**
 * The largest number of exchanges that do not overlap: greedily the next one to end. @param settleMs the longest wait
 * between two of them
 */
function chainOf(exchanges: readonly Exchange[], settleMs: number): Chain {
  const chain = { ...NONE };
  let free: number | undefined;
  for (const exchange of exchanges.toSorted((a, b) => end(a) - end(b))) {
    if (free !== undefined && begin(exchange) + CUT_MS < free) continue;
    chain.requests++;
    if (free !== undefined) chain.waitsMs += Math.min(settleMs, Math.max(0, begin(exchange) - free));
    free = end(exchange);
  }
  return chain;
}
