/** Gathers what the page needs from the exchanges in one pass, so that a long run is never entirely in memory. */
import type { Conformance, Exchange } from '../../contracts/record.ts';
import { type Latency, latencies } from '../latency.ts';
import { handedOut } from './reproduction.ts';
import { CardStates } from './states.ts';

/** Data gathered from the exchanges. */
export interface Gathered {
  /** The exchanges that failed checks refer to, by id. */
  evidence: ReadonlyMap<string, Exchange>;
  /** Response times of each operation. */
  latency: ReadonlyMap<string, Latency>;
  /** For the variable of each secret, the first exchange whose answer handed it out. */
  givers: ReadonlyMap<string, Exchange>;
  states: CardStates;
  /** Median offset of the target's clock from the local one in seconds, by the Date headers; undefined without any. */
  clockAhead: number | undefined;
}

/** Reads each exchange once. @param exchanges in the order in which they were sent */
export function gather({ requirements }: Conformance, exchanges: Iterable<Exchange>): Gathered {
  const failed = requirements.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === 'failed'));
  const wanted = new Set(failed.flatMap((check) => check.exchanges));
  const evidence = new Map<string, Exchange>();
  const givers = new Map<string, Exchange>();
  const states = new CardStates();
  const ahead: number[] = [];
  function* watched() {
    for (const exchange of exchanges) {
      if (wanted.has(exchange.id)) evidence.set(exchange.id, exchange);
      for (const name of handedOut(exchange).keys()) if (!givers.has(name)) givers.set(name, exchange);
      const seconds = secondsAhead(exchange);
      if (seconds !== undefined) ahead.push(seconds);
      states.add(exchange);
      yield exchange;
    }
  }
  const latency = latencies(watched());
  const clockAhead = ahead.sort((a, b) => a - b)[Math.floor(ahead.length / 2)];
  return { evidence, latency, givers, states, clockAhead };
}

/** Offset of the answer's Date from the time of its arrival; whole seconds only. */
function secondsAhead({ response, startedAt, durationMs }: Exchange): number | undefined {
  const date = Date.parse([response?.headers.date ?? ''].flat()[0] ?? '');
  const came = Date.parse(startedAt) + durationMs;
  return Number.isNaN(date) || Number.isNaN(came) ? undefined : (date - came) / 1000;
}
