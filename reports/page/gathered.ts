/** What the page needs of the exchanges, gathered in one pass so that a long run is never in memory whole. */
import type { Conformance, Exchange } from '../../contracts/record.ts';
import { handedOut } from './reproduction.ts';
import { CardStates } from './states.ts';

export interface Gathered {
  /** The exchanges that failed checks and findings refer to, by id. */
  evidence: ReadonlyMap<string, Exchange>;
  /** Milliseconds of each answered exchange, by operation. */
  latencies: ReadonlyMap<string, number[]>;
  /** For the variable of each secret, the first exchange whose answer handed it out. */
  givers: ReadonlyMap<string, Exchange>;
  states: CardStates;
  /** The target's clock ahead of the clock here, in seconds, by the Date headers: the median; undefined without any. */
  clockAhead: number | undefined;
}

export function gather({ requirements }: Conformance, exchanges: Iterable<Exchange>): Gathered {
  const wanted = new Set(
    requirements.flatMap(({ checks }) =>
      checks.filter(({ verdict }) => verdict === 'failed').flatMap((check) => check.exchanges),
    ),
  );
  const evidence = new Map<string, Exchange>();
  const latencies = new Map<string, number[]>();
  const givers = new Map<string, Exchange>();
  const states = new CardStates();
  const ahead: number[] = [];
  for (const exchange of exchanges) {
    if (wanted.has(exchange.id)) evidence.set(exchange.id, exchange);
    states.add(exchange);
    if (!exchange.response) continue;
    const durations = latencies.get(exchange.operation);
    if (durations) durations.push(exchange.durationMs);
    else latencies.set(exchange.operation, [exchange.durationMs]);
    for (const name of handedOut(exchange).keys()) if (!givers.has(name)) givers.set(name, exchange);
    const seconds = secondsAhead(exchange);
    if (seconds !== undefined) ahead.push(seconds);
  }
  return { evidence, latencies, givers, states, clockAhead: median(ahead) };
}

/** How far the answer's Date is ahead of the moment at which the answer came; it has whole seconds only. */
function secondsAhead({ response, startedAt, durationMs }: Exchange): number | undefined {
  const date = Date.parse([response?.headers.date ?? ''].flat()[0] ?? '');
  const came = Date.parse(startedAt) + durationMs;
  return Number.isNaN(date) || Number.isNaN(came) ? undefined : (date - came) / 1000;
}

/** The value of which half of them are not above; undefined for none. */
export const median = (values: readonly number[]): number | undefined => quantile(values, 0.5);

/** The value that this share of them does not exceed (nearest rank); undefined for none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];
}
