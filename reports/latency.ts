/** Measures the target's response times by operation. */
import type { Exchange } from '../contracts/record.ts';

/** Milliseconds from sending to the last byte of the answer. */
export interface Latency {
  samples: number;
  median: number;
  p95: number;
  maximum: number;
}

/** Minimum number of samples of an operation for comparing its latency. */
const ENOUGH = 20;
/** Minimum ratio and minimum difference in milliseconds of two medians that count as a change. */
const NOTABLE = { factor: 1.5, milliseconds: 20 };

/** The latency of each answered operation. */
export function latencies(exchanges: Iterable<Exchange>): Map<string, Latency> {
  const durations = new Map<string, number[]>();
  for (const { operation, durationMs, response } of exchanges) {
    if (response === null) continue;
    const list = durations.get(operation);
    if (list) list.push(durationMs);
    else durations.set(operation, [durationMs]);
  }
  return new Map([...durations].map(([operation, list]) => [operation, latency(list)]));
}

/** 1 if the later run is notably slower, -1 if faster, 0 otherwise or if either has fewer than 20 samples. */
export function slower(before: Latency, after: Latency): -1 | 0 | 1 {
  if (before.samples < ENOUGH || after.samples < ENOUGH) return 0;
  const [less, more] = [Math.min(before.median, after.median), Math.max(before.median, after.median)];
  if (more < less * NOTABLE.factor || more - less < NOTABLE.milliseconds) return 0;
  return after.median > before.median ? 1 : -1;
}

/** The median of all answers of a run, in milliseconds; undefined if none came. */
export function medianOf(exchanges: Iterable<Exchange>): number | undefined {
  const durations = [...exchanges].flatMap(({ durationMs, response }) => (response === null ? [] : [durationMs]));
  return durations.length === 0 ? undefined : latency(durations).median;
}

function latency(durations: number[]): Latency {
  const sorted = durations.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!;
  return { samples: sorted.length, median: at(0.5), p95: at(0.95), maximum: at(1) };
}
