/** Gathers what the page needs from the exchanges in one pass, so that a long run is never entirely in memory. */
import type { Exchange } from '../../contracts/record.ts';
import { type Latency, latencies } from '../latency.ts';
import { Reproductions } from '../reproductions.ts';
import type { View } from '../view.ts';
import { CardStates } from './states.ts';

/** Data gathered from the exchanges. */
export interface Gathered {
  /** Response times of each operation. */
  latency: ReadonlyMap<string, Latency>;
  reproductions: Reproductions;
  states: CardStates;
  /** Median offset of the target's clock from the local one in seconds, by the Date headers; undefined without any. */
  clockAhead: number | undefined;
}

/** Reads each exchange once. @param exchanges in the order in which they were sent */
export function gather(view: View, exchanges: Iterable<Exchange>): Gathered {
  const reproductions = new Reproductions(view);
  const states = new CardStates();
  const ahead: number[] = [];
  function* watched() {
    for (const exchange of exchanges) {
      reproductions.add(exchange);
      const seconds = secondsAhead(exchange);
      if (seconds !== undefined) ahead.push(seconds);
      states.add(exchange);
      yield exchange;
    }
  }
  const latency = latencies(watched());
  const clockAhead = ahead.sort((a, b) => a - b)[Math.floor(ahead.length / 2)];
  return { latency, reproductions, states, clockAhead };
}

/** Offset of the answer's Date from the time of its arrival; whole seconds only. */
function secondsAhead({ response, startedAt, durationMs }: Exchange): number | undefined {
  const date = Date.parse([response?.headers.date ?? ''].flat()[0] ?? '');
  const came = Date.parse(startedAt) + durationMs;
  return Number.isNaN(date) || Number.isNaN(came) ? undefined : (date - came) / 1000;
}
